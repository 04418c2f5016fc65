import { existsSync, realpathSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";

/** How a judge process is started: a program, its arguments and its whole environment. */
export interface JudgeCommand {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Files and folders that must not be changed: the folder of the build, or the compiled guard. */
  readonly places?: readonly string[];
}

/** The argument that makes a compiled guard a judge process. No host is started with it, and no variable can set it. */
const asJudge = "hookwarden-judge-process";

/**
 * Returns the command of this package's judge process, run by the host's own runtime. Its environment is a short list of our
 * own, so that variables that a project sets for the host (such as `NODE_OPTIONS`) do not reach it. It starts in the root
 * folder, where no project has files that a runtime would read by itself.
 */
export function packageJudge(from: string = import.meta.url): JudgeCommand {
  const file = judgeFile(from);
  return judgeIn([file], dirname(dirname(file)));
}

/** Returns the command that runs a compiled guard, by its address, as its own judge process. */
export function guardJudge(guard: string): JudgeCommand {
  const file = fileURLToPath(guard);
  const runs = process.versions["bun"] !== undefined || file.endsWith(".mjs");
  return judgeIn(runs ? [file, asJudge] : ["--eval", anyName, file, asJudge], file);
}

/** Script that runs a guard with any file extension: Node goes by the extension, but hosts accept others too. */
const anyName = 'import("data:text/javascript;base64," + require("node:fs").readFileSync(process.argv[1], "base64"))';

/** True in the process that `guardJudge` starts. No host loads an extension from a `data:` address. */
export function isGuardJudge(guard: string, started: readonly string[] = process.argv): boolean {
  if (started.length !== 3 || started[2] !== asJudge) return false;
  if (guard.startsWith("data:")) return true;
  try {
    return realpathSync(started[1] as string) === realpathSync(fileURLToPath(guard));
  } catch {
    return false;
  }
}

function judgeIn(args: readonly string[], place: string): JudgeCommand {
  const { root } = parse(process.execPath);
  return { command: [process.execPath, ...args], cwd: root, variables: variables(), places: [place] };
}

/** Returns the variables of the process. `BUN_BE_BUN` makes a host with embedded Bun run a script. */
function variables(): Record<string, string> {
  const system = process.platform === "win32" ? ["SystemRoot", "windir"] : [];
  const kept = system.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return { ...Object.fromEntries(kept), ...(process.versions["bun"] !== undefined && { BUN_BE_BUN: "1" }) };
}

/** Finds `bin/hookwarden-judge.cjs` in the build of a module or, for the sources, in the build beside them. */
function judgeFile(from: string): string {
  const name = join("bin", "hookwarden-judge.cjs");
  let folder = dirname(fileURLToPath(from));
  for (let up = 0; up < 4; up++, folder = dirname(folder)) {
    const file = [join(folder, name), join(folder, "dist", name)].find((path) => existsSync(path));
    if (file !== undefined) return file;
  }
  throw new Error("the judge process is not part of this installation; install hookwarden again");
}
