import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { limits } from "../schema/limits.ts";
import type { Runner, RunResult } from "../schema/ports.ts";
import { killTree, type Child as Started } from "./process-tree.ts";

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
  /** False when it could not be started; `stderr` says why. */
  readonly started: boolean;
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
 * A time-out ends the whole process tree (`process-tree.ts`). Source: semantics page, section 2 (`run`); issue of step 4, part 2.
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
    const started = child.pid !== undefined;
    const text = stderr.text();
    const cause = failed && !watch.killed() && ended instanceof Error ? (ended.shortMessage ?? "") : "";
    return {
      exitCode: ended.exitCode,
      stdout: stdout.text(),
      stderr: text === "" ? cause.slice(0, bound) : text,
      timedOut: watch.timedOut(),
      killed: watch.killed(),
      failed,
      started,
      truncated: stdout.cut() || stderr.cut(),
    };
  } catch (error) {
    return notStarted(error instanceof Error ? error.message : String(error), false);
  }
}

function notStarted(cause: string, killed: boolean): ProgramResult {
  const stderr = cause.slice(0, limits.captured);
  return {
    exitCode: undefined,
    stdout: "",
    stderr,
    timedOut: false,
    killed,
    failed: true,
    started: false,
    truncated: false,
  };
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

interface Child extends Started {
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

/** How long a background program may hold this process for taking in its input, in milliseconds; then the rest is cut off. */
const inputGrace = 3_000;

/**
 * Starts a program that nobody waits for: its output is dropped, a time-out ends it and all it started, and it does not
 * keep this process alive, but for the moment that its input takes. A process that ends first leaves it running.
 * Resolves to why it could not be started, undefined when it was. Never rejects.
 */
export async function startProgram(
  command: readonly string[],
  options: Pick<ProgramOptions, "cwd" | "env" | "input" | "timeout"> = {},
): Promise<string | undefined> {
  const [file, ...args] = command;
  if (file === undefined || file === "") return "the command is empty";
  const { execa } = await import("execa");
  try {
    const child = execa(file, args, {
      shell: false,
      reject: false,
      buffer: false,
      detached: process.platform !== "win32",
      cleanup: false,
      preferLocal: false,
      windowsHide: true,
      stdin: options.input === undefined ? "ignore" : "pipe",
      stdout: "ignore",
      stderr: "ignore",
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: { ...options.env }, extendEnv: false }),
    });
    const timer = options.timeout === undefined ? undefined : setTimeout(() => killTree(child), options.timeout);
    timer?.unref();
    const ended = child.then((result) => {
      clearTimeout(timer);
      return result;
    });
    if (child.pid === undefined) return ((await ended) as { shortMessage?: string }).shortMessage ?? "no process";
    await handOver(child.stdin, options.input ?? "");
    child.unref();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Writes the input, and waits until it is taken in, or for the grace at most. */
function handOver(stdin: Writable | null | undefined, input: string): Promise<void> {
  if (!stdin) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(grace);
      // A write that is under way would keep this process alive.
      stdin.destroy();
      resolve();
    };
    const grace = setTimeout(done, inputGrace);
    stdin.once("error", done);
    stdin.once("close", done);
    stdin.end(input, done);
  });
}

/** The `Runner` port of the engine. `captured` bounds each output stream, in UTF-16 units. */
export function createRunner(captured: number = limits.captured): Runner {
  return { run: (command, options) => runProgram(command, { ...options, captured }) };
}
