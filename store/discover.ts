import { type Dirent, statSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { Scope } from "../engine/plan.ts";
import { limits } from "../schema/limits.ts";
import { policyEntries } from "./folder-entries.ts";
import { packFile, packNames } from "./packs.ts";
import { besideFile, type DiscoveredFile, fileDiagnostic, readPolicyFile, unreadable } from "./policy-file.ts";
import { userHome } from "./user-home.ts";

export type { DiscoveredFile } from "./policy-file.ts";

/** Policy files, and the findings about others that could not be read. With any error among `diagnostics` nothing may be loaded. */
export interface Discovery {
  readonly files: readonly DiscoveredFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The policies that `--policy` arguments name: files; folders (every `*.yaml` and `*.yml` in them and every
 * `<folder>/policy.yaml` one level down; never `*.test.yaml`, never names that start with a dot); `pack:<name>`.
 * A file reached twice is taken once. Source: semantics page section 6.
 */
export function discoverPolicies(given: readonly string[], cwd: string, scope?: Scope): Discovery {
  const found = given.map((argument) => fromArgument(argument, cwd, scope));
  return joined(found);
}

/** Default places of policies (semantics page section 6). Tests give other roots. */
export interface Roots {
  readonly managed: string;
  readonly user: string;
  readonly project: string;
}

/** The default locations for a working directory and a home folder. */
export function defaultRoots(cwd: string, home: string = userHome()): Roots {
  return { managed: "/etc/hookwarden", user: join(home, ".config", "hookwarden"), project: join(cwd, ".hookwarden") };
}

/** The policies of the default locations, in scope order. A location that does not exist has none. */
export function discoverRoots(roots: Partial<Roots>, cwd: string): Discovery {
  const scopes = (["managed", "user", "project"] as const).filter((scope) => {
    const folder = roots[scope];
    return folder !== undefined && standing(folder) !== "nothing";
  });
  return joined(scopes.map((scope) => fromArgument(roots[scope] as string, cwd, scope)));
}

/**
 * Finds the policies for authoring commands without a path: those in the project's `.hookwarden`, and those that
 * `HOOKWARDEN_POLICY` names (arguments as for `--policy`, separated as in `PATH`). HW012 if there are none.
 */
export function discoverForAuthoring(
  cwd: string,
  variable: string | undefined,
  roots: Roots = defaultRoots(cwd),
): Discovery {
  const named = splitVariable(variable ?? "");
  const found = joined([discoverRoots({ project: roots.project }, cwd), discoverPolicies(named, cwd)]);
  if (found.files.length > 0 || found.diagnostics.length > 0) return found;
  const help = "`hookwarden init` writes `.hookwarden/policy.yaml`; or name policy files or folders";
  return { files: [], diagnostics: [fileDiagnostic("HW012", ".hookwarden", "no policy found here", help)] };
}

/**
 * Finds the file that an import names: a shipped pack, or a file beside the importing one; a symbolic link must not lead out of
 * that folder. Undefined if it cannot be used; `importProblem` returns the reason. It keeps the scope of the importing file.
 */
export function resolveImport(ref: { pack?: string; file?: string }, from: DiscoveredFile): DiscoveredFile | undefined {
  const found = imported(ref, from);
  return "problem" in found ? undefined : found;
}

/** Returns why an import cannot be used, in words for its author; undefined if it can. */
export function importProblem(ref: { pack?: string; file?: string }, from: DiscoveredFile): string | undefined {
  const found = imported(ref, from);
  return "problem" in found ? found.problem : undefined;
}

function imported(ref: { pack?: string; file?: string }, from: DiscoveredFile): DiscoveredFile | { problem: string } {
  if (ref.pack !== undefined) {
    const path = packFile(ref.pack);
    if (path === undefined)
      return { problem: `there is no pack \`${ref.pack}\`; ${didYouMean(ref.pack, packNames())}` };
    return settled(readPack(ref.pack, path, from.scope));
  }
  const beside = besideFile(ref.file ?? "", from);
  if ("problem" in beside) return beside;
  const name = from.name.startsWith("pack:") ? beside.path : join(from.name, "..", ref.file ?? "");
  return settled(readPolicyFile(beside.path, name, from.scope));
}

function settled(read: DiscoveredFile | Diagnostic): DiscoveredFile | { problem: string } {
  return "bytes" in read ? read : { problem: read.message };
}

function fromArgument(argument: string, cwd: string, scope: Scope | undefined): Discovery {
  if (argument.startsWith("pack:")) return fromPack(argument, scope);
  const path = resolve(cwd, argument);
  let folder: boolean;
  try {
    folder = statSync(path).isDirectory();
  } catch (error) {
    return problem(unreadable(path, argument, error));
  }
  return folder ? fromFolder(path, argument, scope) : one(readPolicyFile(path, argument, scope));
}

function fromPack(argument: string, scope: Scope | undefined): Discovery {
  const name = argument.slice("pack:".length);
  const path = packFile(name);
  if (path !== undefined) return one(readPack(name, path, scope));
  return problem(fileDiagnostic("HW001", argument, `there is no pack \`${name}\``, didYouMean(name, packNames())));
}

function readPack(pack: string, path: string, scope: Scope | undefined): DiscoveredFile | Diagnostic {
  const read = readPolicyFile(path, `pack:${pack}`, scope);
  return "bytes" in read ? { ...read, pack } : read;
}

function fromFolder(path: string, name: string, scope: Scope | undefined): Discovery {
  let entries: readonly Dirent[] | undefined;
  try {
    entries = policyEntries(path);
  } catch (error) {
    return problem(unreadable(path, name, error));
  }
  if (!entries) return tooMany(name, `\`${name}\` has more than ${limits.policyEntries} entries`);
  const files = entries.flatMap((entry) => policyIn(path, entry)).sort();
  if (files.length > limits.policyFiles)
    return tooMany(name, `\`${name}\` has more than ${limits.policyFiles} policy files`);
  if (files.length > 0) return readAll(path, name, files, scope);
  const tests = entries.some((entry) => isTest(entry.name));
  const help = tests
    ? "it holds only suites (`*.test.yaml`); put the policy beside them"
    : "a policy is a `*.yaml` file, or `<folder>/policy.yaml` one level down; `hookwarden init` writes one into `.hookwarden`";
  return problem(fileDiagnostic("HW012", name, `no policy found in \`${name}\``, help));
}

/** Problems of one folder after which no more of its files is read. */
const enoughProblems = 16;

/** Reads the policies of a folder, and no more of them than are wanted to say that they are too large together. */
function readAll(path: string, name: string, files: readonly string[], scope: Scope | undefined): Discovery {
  const found: Discovery[] = [];
  let left = limits.policiesBytes;
  let problems = 0;
  for (const file of files) {
    const read = readPolicyFile(join(path, file), join(name, file), scope);
    found.push(one(read));
    if ("bytes" in read) left -= read.bytes.length;
    else problems += 1;
    if (left < 0)
      return tooMany(join(name, file), `\`${name}\` has policies of more than ${limits.policiesBytes} bytes`);
    if (problems === enoughProblems) break;
  }
  return joined(found);
}

function tooMany(name: string, message: string): Discovery {
  return problem(
    fileDiagnostic("HW013", name, message, "keep fewer or smaller files there; a hook reads them before it answers"),
  );
}

/** Returns the policy file of a folder's entry: the entry itself, or the `policy.yaml` inside it. */
function policyIn(folder: string, entry: Dirent): string[] {
  if (entry.name.startsWith(".")) return [];
  // The configuration of `check` lies beside the project's policies and is not a policy.
  if (entry.name === "check.yaml" && basename(folder) === ".hookwarden") return [];
  if (standing(join(folder, entry.name)) === "folder") {
    const inner = ["policy.yaml", "policy.yml"].map((file) => join(entry.name, file));
    return inner.filter((file) => ["file", "unreadable"].includes(standing(join(folder, file))));
  }
  return /\.ya?ml$/.test(entry.name) && !isTest(entry.name) ? [entry.name] : [];
}

/** Returns the kind of entry at a path. An entry that cannot be inspected is not nothing: reading it gives the finding that says why. */
function standing(path: string): "nothing" | "folder" | "file" | "unreadable" {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? "nothing" : stat.isDirectory() ? "folder" : "file";
  } catch {
    return "unreadable";
  }
}

function isTest(name: string): boolean {
  return /\.test\.ya?ml$/.test(name);
}

function one(read: DiscoveredFile | Diagnostic): Discovery {
  return "bytes" in read ? { files: [read], diagnostics: [] } : problem(read);
}

function problem(d: Diagnostic): Discovery {
  return { files: [], diagnostics: [d] };
}

function joined(found: readonly Discovery[]): Discovery {
  const files = new Map<string, DiscoveredFile>();
  for (const file of found.flatMap((discovery) => discovery.files))
    if (!files.has(file.path)) files.set(file.path, file);
  return { files: [...files.values()], diagnostics: found.flatMap((discovery) => discovery.diagnostics) };
}

/** Splits as `PATH` is split, but keeps `pack:<name>` together where the separator is a colon. */
function splitVariable(value: string): string[] {
  const parts: string[] = [];
  for (const part of value.split(delimiter)) {
    if (delimiter === ":" && parts.at(-1) === "pack") parts[parts.length - 1] = `pack:${part}`;
    else if (part !== "") parts.push(part);
  }
  return parts;
}
