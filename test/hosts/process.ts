import { spawn } from "node:child_process";

/** What a headless run of a host left behind. */
export interface HostRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bodies of the model requests of the conversation, in order. */
  readonly requests: readonly string[];
}

/** A run that hangs is ended after this many milliseconds. */
const runLimit = 120_000;

/**
 * Runs a program to its end, in a process group of its own, with exactly these variables and nothing on standard input. It
 * is ended when it takes too long, or when `ending` says so.
 */
export function runToEnd(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  ending?: AbortSignal,
  patience: number = runLimit,
): Promise<Omit<HostRun, "requests">> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const text = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.stderr += chunk;
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended, with everything it started.
    }
  };
  return new Promise((resolve) => {
    const timer = setTimeout(end, patience);
    ending?.addEventListener("abort", end);
    const done = (exitCode: number | null): void => {
      clearTimeout(timer);
      end();
      resolve({ exitCode, ...text });
    };
    child.once("error", (error) => {
      text.stderr += String(error);
      done(null);
    });
    child.once("close", done);
  });
}
