import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { limits } from "../schema/limits.ts";
import type { Runner, RunResult } from "../schema/ports.ts";

/** How to run one program. */
export interface ProgramOptions {
  readonly cwd?: string;
  /** The whole environment of the program; absent: that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin; absent: stdin is closed. */
  readonly input?: string;
  /** Milliseconds until the program and all it started are ended. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** UTF-16 units kept of each of stdout and stderr; the rest is read and dropped. */
  readonly captured?: number;
}

/** A `RunResult` that also says what was cut and whether we ended the program. */
export interface ProgramResult extends RunResult {
  /** True when time-out or signal ended it. */
  readonly killed: boolean;
  /** True when output beyond the bound was dropped. */
  readonly truncated: boolean;
}

/** Grace for pipes held by a process that left the group, in milliseconds. */
const pipeGrace = 200;

/**
 * Runs a program without a shell and without interpolation: `command[0]` is looked up, the rest are its arguments.
 * Never throws: a program that cannot start answers `failed` with the cause in `stderr`.
 * A time-out ends the whole process group. Source: semantics page, section 2 (`run`); issue of step 4, part 2.
 */
export async function runProgram(command: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const [file, ...args] = command;
  if (file === undefined || file === "") return notStarted("the command is empty", false);
  if (options.signal?.aborted) return notStarted("the signal was aborted before the start", true);
  // The 50 ms that loading costs are spent only by who runs a program.
  const { execa } = await import("execa");
  try {
    const child = execa(file, args, {
      shell: false,
      reject: false,
      buffer: false,
      detached: process.platform !== "win32",
      preferLocal: false,
      windowsHide: true,
      ...(options.input === undefined ? { stdin: "ignore" as const } : { input: options.input }),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env }, extendEnv: false }),
    });
    const bound = options.captured ?? limits.captured;
    const stdout = capture(child.stdout, bound);
    const stderr = capture(child.stderr, bound);
    const watch = watchdog(child, options);
    const [ended] = await Promise.all([child, closed(child.stdout), closed(child.stderr)]);
    watch.stop();
    const failed = ended.exitCode === undefined;
    const text = stderr.text();
    const cause = failed && !watch.killed() && ended instanceof Error ? (ended.shortMessage ?? "") : "";
    return {
      exitCode: ended.exitCode,
      stdout: stdout.text(),
      stderr: text === "" ? cause.slice(0, bound) : text,
      timedOut: watch.timedOut(),
      killed: watch.killed(),
      failed,
      truncated: stdout.cut() || stderr.cut(),
    };
  } catch (error) {
    return notStarted(error instanceof Error ? error.message : String(error), false);
  }
}

function notStarted(cause: string, killed: boolean): ProgramResult {
  const stderr = cause.slice(0, limits.captured);
  return { exitCode: undefined, stdout: "", stderr, timedOut: false, killed, failed: true, truncated: false };
}

interface Capture {
  text(): string;
  cut(): boolean;
}

/** Keeps the first `bound` units of a stream and reads the rest, so that the program never waits on a full pipe. */
function capture(stream: Readable | null, bound: number): Capture {
  const decoder = new StringDecoder("utf8");
  let kept = "";
  let cut = false;
  const add = (text: string): void => {
    const room = bound - kept.length;
    if (text.length > room) cut = true;
    if (room > 0) kept += text.slice(0, room);
  };
  stream?.on("data", (chunk: Buffer) => add(decoder.write(chunk)));
  stream?.on("end", () => add(decoder.end()));
  stream?.on("error", () => {
    cut = true;
  });
  return { text: () => kept, cut: () => cut };
}

/** Resolves when a stream has given all it will give. */
function closed(stream: Readable | null): Promise<void> {
  if (stream === null || stream.closed) return Promise.resolve();
  return new Promise((resolve) => stream.once("close", () => resolve()));
}

interface Child {
  readonly pid?: number | undefined;
  kill(signal: "SIGKILL"): boolean;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

/** Ends the program on time-out, abort and exit of this process. */
function watchdog(child: Child, options: ProgramOptions): { stop(): void; killed(): boolean; timedOut(): boolean } {
  let killed = false;
  let timedOut = false;
  let grace: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (killed) return;
    killed = true;
    killTree(child);
    grace = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, pipeGrace);
  };
  const late = (): void => {
    timedOut = true;
    end();
  };
  const timer = options.timeout === undefined ? undefined : setTimeout(late, options.timeout);
  const leave = (): void => killTree(child);
  options.signal?.addEventListener("abort", end, { once: true });
  process.once("exit", leave);
  return {
    stop: () => {
      clearTimeout(timer);
      clearTimeout(grace);
      options.signal?.removeEventListener("abort", end);
      process.removeListener("exit", leave);
    },
    killed: () => killed,
    timedOut: () => timedOut,
  };
}

/** Ends a process group that we started (its leader is the child), or the child alone where there are no groups. */
function killTree(child: Child): void {
  if (process.platform !== "win32" && child.pid !== undefined && child.pid > 1) {
    try {
      process.kill(-child.pid, "SIGKILL");
      return;
    } catch {
      // The group is gone already, or not ours to end; the child alone is tried below.
    }
  }
  child.kill("SIGKILL");
}

/** The `Runner` port of the engine. `captured` bounds each output stream, in UTF-16 units. */
export function createRunner(captured: number = limits.captured): Runner {
  return { run: (command, options) => runProgram(command, { ...options, captured }) };
}
