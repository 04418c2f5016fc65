import { existsSync, realpathSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";

/** How a judge process is started: a program, its arguments and its whole environment. */
export interface JudgeCommand {
  readonly command: readonly [file: string, ...args: string[]];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What of it must stay as it is: the folder of the build, or the compiled guard. */
  readonly places?: readonly string[];
}

/** The argument that makes a compiled guard a judge process. No host is started with it, nor is it read from a variable. */
const asJudge = "hookwarden-judge-process";

/**
 * The judge process of this package, run by the runtime that runs the host. Its environment is a short list of our own:
 * what a project can set for the host (`NODE_OPTIONS` among others) does not reach it, and it starts where no project has
 * files that a runtime would read by itself.
 */
export function packageJudge(from: string = import.meta.url): JudgeCommand {
  const file = judgeFile(from);
  return judgeIn([file], dirname(dirname(file)));
}

/** A compiled guard, by its address, as its own judge process. */
export function guardJudge(guard: string): JudgeCommand {
  const file = fileURLToPath(guard);
  const runs = process.versions["bun"] !== undefined || file.endsWith(".mjs");
  return judgeIn(runs ? [file, asJudge] : ["--eval", anyName, file, asJudge], file);
}

/** Node runs a module by the ending of its name; hosts take a guard under others too. */
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

/** A host that is one file with Bun inside runs a script where it is told to. */
function variables(): Record<string, string> {
  const system = process.platform === "win32" ? ["SystemRoot", "windir"] : [];
  const kept = system.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return { ...Object.fromEntries(kept), ...(process.versions["bun"] !== undefined && { BUN_BE_BUN: "1" }) };
}

/** `bin/hookwarden-judge.cjs` of the build that a module is in, or, for the sources, of the one beside them. */
function judgeFile(from: string): string {
  const name = join("bin", "hookwarden-judge.cjs");
  let folder = dirname(fileURLToPath(from));
  for (let up = 0; up < 4; up++, folder = dirname(folder)) {
    const file = [join(folder, name), join(folder, "dist", name)].find((path) => existsSync(path));
    if (file !== undefined) return file;
  }
  throw new Error("the judge process is not part of this installation; install hookwarden again");
}
