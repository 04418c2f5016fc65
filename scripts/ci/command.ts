import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, readdirSync, readFileSync } from "node:fs";

/** How a command is run. */
export interface Runs {
  /** Working directory. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** File for its output. */
  readonly log: string;
  /** Takes its output as it comes. */
  readonly print: (text: string) => void;
  /** The longest time without output, in milliseconds. A command that prints nothing for longer is ended. */
  readonly patience?: number | undefined;
  /** The longest time in all, in milliseconds. A command that prints for ever is ended, too. */
  readonly longest?: number | undefined;
}

/** How a command ended. */
export interface Ended {
  /** Its exit code, or null if a signal ended it. */
  readonly status: number | null;
  /** True if it was ended because it printed nothing for too long, or ran for too long. */
  readonly hung: boolean;
}

/** Time for the last output of a command that has ended, in milliseconds. A process that it left behind may hold the pipe for ever. */
const drain = 5_000;

/** Runs a line for bash, logs its output and passes it on. A command that hangs is ended with all its processes, which are printed first. */
export function runCommand(command: string, { cwd, env, log, print, patience, longest }: Runs): Promise<Ended> {
  const file = createWriteStream(log);
  const tell = (text: string): void => {
    file.write(text);
    print(text);
  };
  const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let hung = false;
  const end = (why: string): void => {
    if (hung) return;
    hung = true;
    const running = processesOf(child.pid ?? 0);
    tell(`== it ${why} and is ended; its processes:\n`);
    for (const { pid, state, words } of running) tell(`==   ${pid} ${state} ${words.slice(0, 200)}\n`);
    for (const { pid } of running) kill(pid);
    child.kill("SIGKILL");
  };
  const after = (time: number | undefined, why: string): NodeJS.Timeout | undefined =>
    time === undefined ? undefined : setTimeout(() => end(`${why} ${time / 1000} s`), time);
  const alarm = after(patience, "printed nothing for");
  const last = after(longest, "ran for");
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      if (!hung) alarm?.refresh();
      tell(text);
    });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    outputEnded(child).then((status) => {
      clearTimeout(alarm);
      clearTimeout(last);
      file.end(() => resolve({ status, hung }));
    }, reject);
  });
}

/** Waits until a process has ended and its output is read; returns its exit code. */
function outputEnded(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("exit", (code) => {
      const late = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, drain);
      child.once("close", () => {
        clearTimeout(late);
        resolve(code);
      });
    });
  });
}

/** A running process. */
interface Running {
  readonly pid: number;
  /** The letter of `ps`: `R` runs, `S` waits. */
  readonly state: string;
  /** Its command line. */
  readonly words: string;
}

/** Returns the process and its descendants, as /proc lists them; nothing where there is no /proc. */
function processesOf(top: number): readonly Running[] {
  const children = new Map<number, Running[]>();
  for (const { parent, ...one } of allProcesses()) {
    if (one.pid === top) children.set(0, [one]);
    else children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  const found = [...(children.get(0) ?? [])];
  for (const one of found) found.push(...(children.get(one.pid) ?? []));
  return found;
}

function allProcesses(): readonly (Running & { readonly parent: number })[] {
  const names = read(() => readdirSync("/proc")) ?? [];
  return names
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(() => readFileSync(`/proc/${name}/stat`, "latin1"));
      const words = read(() => readFileSync(`/proc/${name}/cmdline`, "utf8"));
      if (stat === undefined || words === undefined) return [];
      // The program's name is in brackets and may contain anything.
      const [state = "?", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(name), parent: Number(parent), state, words: words.replaceAll("\0", " ").trim() }];
    });
}

/** Returns what is read, or undefined if it is gone by now. */
function read<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
