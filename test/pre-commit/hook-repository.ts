import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { filesOfClone, linkPrograms } from "../package/machine.ts";

const root = join(import.meta.dirname, "..", "..");
/** An install that hangs must not hang the test. */
const limit = 300_000;

/** What a program said, and its exit code. */
export interface Said {
  readonly status: number | null;
  readonly text: string;
}

/** Runs a program to its end with exactly these variables. */
export function runProgram(cwd: string, env: Readonly<Record<string, string>>, command: readonly string[]): Said {
  const [program = "", ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: limit });
  return { status, text: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
}

/** Like `runProgram`, where anything but success is an Error. */
export function mustRun(cwd: string, env: Readonly<Record<string, string>>, command: readonly string[]): string {
  const { status, text } = runProgram(cwd, env, command);
  if (status !== 0) throw new Error(`${command.slice(0, 3).join(" ")}: ${text.trim().slice(-800)}`);
  return text;
}

/** Variables for a run that knows nothing of this machine's user but the programs and the registry. */
export function scratchVariables(folder: string): Record<string, string> {
  const registry = spawnSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).stdout.trim();
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|LANG|LC_ALL|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i.test(name),
  );
  const home = join(folder, "home");
  mkdirSync(join(folder, "tmp"), { recursive: true });
  mkdirSync(home, { recursive: true });
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    HOME: home,
    TMPDIR: join(folder, "tmp"),
    PRE_COMMIT_HOME: join(folder, "pre-commit"),
    PRE_COMMIT_COLOR: "never",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Dev",
    GIT_AUTHOR_EMAIL: "dev@example.com",
    GIT_COMMITTER_NAME: "Dev",
    GIT_COMMITTER_EMAIL: "dev@example.com",
    npm_config_registry: registry,
    npm_config_cache: join(folder, "npm"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    // The addon would be compiled for minutes; everything works without it.
    npm_config_omit: "optional",
  };
}

/** The same on a machine without a compiler, for what a clone needs of optional packages to build itself. */
export function cloneVariables(folder: string): Record<string, string> {
  const { npm_config_omit: _, ...variables } = scratchVariables(folder);
  const bin = join(folder, "bin");
  linkPrograms(bin, ["git", "pre-commit", "ps", "find", "grep", "which"]);
  return { ...variables, PATH: bin };
}

/** A git repository with every file of this one, as pre-commit clones, builds and installs it; gives its commit. */
export function cloneRepository(folder: string, env: Readonly<Record<string, string>>): string {
  for (const path of filesOfClone()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  return committed(folder, env);
}

/**
 * A git repository with the packed package and `.pre-commit-hooks.yaml`, as pre-commit clones and installs it; gives its
 * commit. The package is the one that npm would publish, so what only a checkout has (scripts, what builds it) is left out.
 */
export function hookRepository(folder: string, env: Readonly<Record<string, string>>): string {
  const packed = join(folder, "..", "packed");
  mkdirSync(packed, { recursive: true });
  mkdirSync(folder, { recursive: true });
  mustRun(root, env, ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", packed]);
  const archive = readdirSync(packed).find((name) => name.endsWith(".tgz")) ?? "none.tgz";
  mustRun(folder, env, ["tar", "-xzf", join(packed, archive), "--strip-components=1"]);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  const { scripts: _, devDependencies: __, ...published } = manifest;
  writeFileSync(join(folder, "package.json"), JSON.stringify(published, null, 2));
  cpSync(join(root, ".pre-commit-hooks.yaml"), join(folder, ".pre-commit-hooks.yaml"));
  return committed(folder, env);
}

function committed(folder: string, env: Readonly<Record<string, string>>): string {
  mustRun(folder, env, ["git", "init", "--quiet"]);
  mustRun(folder, env, ["git", "add", "--all", "--force"]);
  mustRun(folder, env, ["git", "commit", "--quiet", "-m", "package"]);
  return mustRun(folder, env, ["git", "rev-parse", "HEAD"]).trim();
}
