import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "../bounded-process.ts";
import { filesBelow, type Scratch } from "./scratch.ts";

const root = join(import.meta.dirname, "..", "..");
const command = join(root, "dist", "bin", "hookwarden.js");

/** The policy of these tests. */
export const policyFile = join(import.meta.dirname, "policy.yaml");

/** What the package gives pi when it is installed as an extension. */
export const packageExtension = join(root, "dist", "adapters", "pi", "entry.js");

/** The launcher of hooks that are a process each. */
export const launcherFile = join(root, "dist", "bin", "hookwarden-hook.cjs");

/** What starts it in an environment of its own. */
export const clientFile = join(root, "dist", "bin", "hookwarden-client.sh");

/** Builds the package when it is not there, or older than its sources. */
export function ensureBuilt(): void {
  const whole = [command, packageExtension, launcherFile].every((file) => existsSync(file));
  const built = whole ? statSync(command).mtimeMs : 0;
  if (built > newestSource()) return;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "node_modules/tsx/dist/cli.mjs"), "scripts/build.ts"],
    {
      cwd: root,
      encoding: "utf8",
      timeout: 300_000,
    },
  );
  if (status !== 0) throw new Error(`the package cannot be built: ${(stdout + stderr).trim().slice(-1_500)}`);
}

function newestSource(): number {
  const rooms = [
    "adapters",
    "authoring",
    "cli",
    "compiler",
    "diagnostics",
    "engine",
    "facts",
    "policies",
    "rules",
    "schema",
    "scripts",
    "store",
  ];
  const files = [
    ...rooms.flatMap((room) => filesBelow(join(root, room))),
    join(root, "runtime.ts"),
    join(root, "index.ts"),
  ];
  return Math.max(...files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs));
}

/** Folder of the scratch home in which a host's program may stand under its name, where `install` asks for its version. */
export const programFolder = "home/.local/bin";

/** The `hookwarden` command as built, run in the scratch project with the scratch home. */
export function hookwarden(scratch: Scratch, args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: scratch.project,
    encoding: "utf8",
    timeout: 300_000,
    env: { PATH: `${join(scratch.root, programFolder)}:${process.env["PATH"] ?? ""}`, HOME: scratch.home },
  });
  return { status, output: stdout + stderr };
}

/** Compiles the test policy into a guard in the scratch folder and gives its path. */
export function compileGuard(scratch: Scratch): string {
  return compilePolicy(scratch, policyFile);
}

/** Compiles one policy file into a guard in the scratch folder and gives its path. */
export function compilePolicy(scratch: Scratch, policy: string): string {
  const guard = join(scratch.root, "guard.mjs");
  const { status, output } = hookwarden(scratch, ["compile", "--policy", policy, "--target", "pi", "-o", guard]);
  if (status !== 0) throw new Error(`the guard cannot be compiled: ${output}`);
  return guard;
}

/** A guard whose plan was changed after it was compiled: one word of a reason. */
export function corruptGuard(scratch: Scratch): string {
  const guard = compileGuard(scratch);
  const text = readFileSync(guard, "utf8");
  const changed = text.replace("may not be made", "may be made now");
  if (changed === text) throw new Error("the reason to corrupt is not in the guard");
  writeFileSync(guard, changed);
  return guard;
}

/** A guard of which only the first half was written. */
export function cutGuard(scratch: Scratch): string {
  const guard = compileGuard(scratch);
  const text = readFileSync(guard, "utf8");
  writeFileSync(guard, text.slice(0, text.length / 2));
  return guard;
}

/**
 * A guard that is not asked about the prompt: one that refuses everything would end the run there, and what it does about
 * tools could not be seen.
 */
export function behindPrompt(scratch: Scratch, guard: string): string {
  const lines = [
    `import guard from ${JSON.stringify(guard)};`,
    "const on = (pi) => (name, handler) => name === 'input' ? undefined : pi.on(name, handler);",
    "export default (pi) => guard({ on: on(pi) });",
    "",
  ];
  return scratch.write("behind-prompt.mjs", lines.join("\n"));
}

/** A guard inside an extension that breaks what the guard reads of its surroundings: its handlers meet an internal error. */
export function brokenGuard(scratch: Scratch): string {
  compileGuard(scratch);
  const lines = [
    'import guard from "./guard.mjs";',
    'const broken = { hasUI: false, get cwd() { throw new Error("the working directory is gone"); } };',
    "const on = (pi) => (name, handler) => name === 'input' ? undefined : pi.on(name, (event) => handler(event, broken));",
    "export default (pi) => guard({ on: on(pi) });",
    "",
  ];
  return scratch.write("broken.mjs", lines.join("\n"));
}
