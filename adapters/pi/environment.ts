import { platform, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { EventEnvironment } from "../../schema/generated.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { ownPlaces } from "../../store/own-places.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";

/** The machine around a session, read once; tests give their own. */
export interface Machine {
  readonly home: string;
  readonly user: string;
  readonly os: "linux" | "darwin" | "windows";
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Files and folders that the engine runs from (`store/own-places.ts`); default none. */
  readonly engine?: readonly string[];
}

/** Values that a process provides in place of the system's. */
export interface MachineOf {
  readonly home?: string;
  readonly variables?: Machine["variables"];
  /** Our folder of state. */
  readonly state?: string;
  /** More files and folders of ours: those that our engine runs from, and those that a command line names. */
  readonly further?: readonly string[];
}

/** Describes the machine that this process runs on. */
export function thisMachine(given: MachineOf = {}): Machine {
  const { home = userHome(), variables = process.env, further = [] } = given;
  const os = platform();
  const state = given.state ?? stateFolder(variables, home);
  return {
    home,
    user: userName(),
    os: os === "win32" ? "windows" : os === "darwin" ? "darwin" : "linux",
    variables,
    engine: ownPlaces({ home, state, further }),
  };
}

/** Returns the user's name. Asks the system only once, because it reads files for this. */
function userName(): string {
  try {
    user ??= userInfo().username;
    return user;
  } catch {
    return "user";
  }
}

let user: string | undefined;

/** Maximum bytes read of a git file for a branch name: a HEAD is one short line. */
const headBytes = 4_096;

/** Names whose values may be credentials: they never leave the process, not even into an audit record. */
const secretName = /(TOKEN|SECRET|PASS|KEY|AUTH|CREDENTIAL|COOKIE|SESSION)/i;

/**
 * Returns the environment of an event in a session at `cwd` (events page, `environment`). `interactive` is true if a human can
 * answer. `variables` are the machine's variables that may be shown (`pathVariables`), if the caller has read them already.
 * Branch and workspace are read from the nearest folder with a `.git` through `files`; without one the workspace is `cwd`.
 */
export function environmentOf(
  machine: Machine,
  files: FileSystem,
  cwd: string,
  interactive: boolean,
  variables: Readonly<Record<string, string>> = pathVariables(machine.variables),
): EventEnvironment {
  const repository = repositoryOf(files, cwd);
  const branch = repository && branchIn(files, join(repository.git, "HEAD"), "refs/heads/");
  const remote =
    repository && branchIn(files, join(repository.git, "refs/remotes/origin/HEAD"), "refs/remotes/origin/");
  return {
    cwd,
    workspace: repository?.workspace ?? cwd,
    home: machine.home,
    user: machine.user,
    os: machine.os,
    shell: "bash",
    ...(branch === undefined ? {} : { branch }),
    ...(remote === undefined ? {} : { default_branch: remote }),
    case_insensitive: machine.os !== "linux",
    interactive,
    variables,
    ...(machine.engine !== undefined && machine.engine.length > 0 && { engine: [...machine.engine] }),
  };
}

/** Returns the root of the repository that a folder is in; the folder itself if it is in none. */
export function workspaceOf(files: FileSystem, cwd: string): string {
  return repositoryOf(files, cwd)?.workspace ?? cwd;
}

/** Returns the variables that hold one absolute path, which shell texts need for their paths; none that could be a credential. */
export function pathVariables(all: Machine["variables"]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(all)) {
    // Checking a name costs less than asking the system for its value.
    if (!isVariable(name)) continue;
    const value = all[name];
    if (value === undefined || !isAbsolute(value) || value.length > 1_024) continue;
    if (!/[:;\s]/.test(value)) kept[name] = value;
  }
  return kept;
}

/** True if a variable of this name may be shown. Cached, because the same names come with every event. */
function isVariable(name: string): boolean {
  const known = variableNames.get(name);
  if (known !== undefined) return known;
  const is = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !secretName.test(name);
  if (variableNames.size < rememberedNames) variableNames.set(name, is);
  return is;
}

const variableNames = new Map<string, boolean>();
const rememberedNames = 1_000;

interface Repository {
  readonly workspace: string;
  /** The folder that holds HEAD. */
  readonly git: string;
}

/** Maximum length of a folder's path on any system, in UTF-16 units. */
const longestPath = 4_096;

function repositoryOf(files: FileSystem, cwd: string): Repository | undefined {
  // A host may give any text, and checking each of its parts takes quadratic time.
  if (cwd.length > longestPath) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const { kind } = files.lookup(git);
    if (kind === "directory") return { workspace: folder, git };
    const linked = kind === "file" ? /^gitdir: (.+)$/m.exec(files.readText(git, headBytes) ?? "")?.[1] : undefined;
    if (linked !== undefined) return { workspace: folder, git: resolve(folder, linked.trim()) };
    if (dirname(folder) === folder) return undefined;
  }
}

function branchIn(files: FileSystem, path: string, prefix: string): string | undefined {
  const line = (files.readText(path, headBytes) ?? "").trim();
  const start = `ref: ${prefix}`;
  return line.startsWith(start) && line.length > start.length ? line.slice(start.length) : undefined;
}
