import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One event for a program on a terminal: it happens once a text is shown or a file is there. */
export type Step = ({ readonly shows: string } | { readonly file: string }) &
  ({ readonly press: string } | { readonly signal: number } | { readonly hang_up: true });

/** The end of a program on a terminal. */
export interface Ended {
  /** Exit code; a signal that ended it is negative. */
  readonly code: number;
  readonly output: string;
  /** True when it did not end by itself. */
  readonly forced: boolean;
  /** Steps whose moment did not come. */
  readonly left: number;
  /** True when the terminal is as it was before. */
  readonly restored: boolean;
}

export const ctrlC = "\u0003";

/** Runs a program on a terminal of its own, where a human presses keys. */
export function atTerminal(
  program: readonly string[],
  steps: readonly Step[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  const words = [join(import.meta.dirname, "at-terminal.py"), JSON.stringify(steps), JSON.stringify(env), ...program];
  const child = spawn("python3", words, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => {
    said.out += text;
  });
  child.stderr.on("data", (text) => {
    said.err += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(said.out) as Ended);
      else reject(new Error(`the terminal does not work: ${said.out}${said.err}`));
    });
  });
}

/** A command of a shell that writes its process's number into a file and then waits for longer than any test takes. */
export function waiter(file: string): string {
  return `echo $$ > ${file}.new && mv ${file}.new ${file} && exec sleep 1000`;
}

/** True while the process whose number stands in a file runs. Throws where the file is not there. */
export function lives(file: string): boolean {
  const pid = Number(readFileSync(file, "utf8"));
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // One that has ended and is waited for by nobody is there, and does nothing.
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}

/** Ends the process whose number stands in a file, if it still runs. */
export function dismiss(file: string): void {
  if (existsSync(file) && lives(file)) process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
}
