import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { limits } from "../schema/limits.ts";
import type { Runner, RunResult } from "../schema/ports.ts";
import { endsWithProcess } from "./end-with-process.ts";
import { killTree, type Child as Started } from "./process-tree.ts";

/** Options of running one program. */
export interface ProgramOptions {
  readonly cwd?: string;
  /** The whole environment of the program; this process's if absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin; absent: stdin is closed. */
  readonly input?: string;
  /** Time until the program and all that it started are ended, in milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** UTF-16 units kept of each of stdout and stderr; the rest is read and dropped. */
  readonly captured?: number;
}

/** A `RunResult` that also says whether output was cut and whether we ended the program. */
export interface ProgramResult extends RunResult {
  /** False when it could not be started; `stderr` says why. */
  readonly started: boolean;
  /** True when time-out or signal ended it. */
  readonly killed: boolean;
  /** True when output beyond the bound was dropped. */
  readonly truncated: boolean;
}

/** Time after which an ended program that still exists is abandoned, in milliseconds: it waits in the kernel for a device or a network. */
const endGrace = 2_000;

/** Time to read the pipes of an ended program while other processes hold them, in milliseconds. */
const pipeGrace = 300;

/** Maximum bytes read from pipes that others hold after the program has ended; further writes give them a system error. */
const heldBytes = 4_194_304;

/**
 * Runs a program without a shell and without interpolation: `command[0]` is looked up, the rest are its arguments. Never
 * throws: a program that cannot start answers `failed` with the cause in `stderr`. A program has ended when its process has.
 * A known exit code is the answer, whatever still holds its pipes, and its background processes live on. A time-out ends the
 * whole process tree (`process-tree.ts`). Source: semantics page, section 2 (`run`).
 */
export async function runProgram(command: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const [file, ...args] = command;
  if (file === undefined || file === "") return notStarted("the command is empty", false);
  if (options.signal?.aborted) return notStarted("the signal was aborted before the start", true);
  // Loading costs 50 ms, so only runs of a program pay for it.
  const { execa } = await import("execa");
  let running: Started | undefined;
  // Registered before the start, because a signal may follow at once.
  const stays = endsWithProcess.add(() => running && killTree(running));
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
    running = child;
    const bound = options.captured ?? limits.captured;
    const stdout = capture(child.stdout, bound);
    const stderr = capture(child.stderr, bound);
    const watch = watchdog(child, options, stays);
    const whole = Promise.all([child, closed(child.stdout), closed(child.stderr)]);
    const left = exited(child, () => watch.stop());
    const ended = await Promise.race([whole.then(([one]) => endOf(one)), left, watch.givenUp]);
    watch.stop();
    const { exitCode } = ended;
    // It ended by itself in time, though this process noticed the end after the time limit.
    const byItself = exitCode !== undefined;
    const text = stderr.text();
    return {
      exitCode,
      stdout: stdout.text(),
      stderr: text === "" && !watch.killed() ? (ended.cause ?? "").slice(0, bound) : text,
      timedOut: watch.timedOut() && !byItself,
      killed: watch.killed() && !byItself,
      failed: !byItself,
      started: child.pid !== undefined,
      truncated: stdout.cut() || stderr.cut(),
    };
  } catch (error) {
    stays();
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

/** Resolves when a stream has ended. */
function closed(stream: Readable | null): Promise<void> {
  if (stream === null || stream.closed) return Promise.resolve();
  return new Promise((resolve) => stream.once("close", () => resolve()));
}

interface Child extends Started {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  once(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
}

/** The end of a program: its exit code, or the reason why it has none. */
interface End {
  readonly exitCode: number | undefined;
  readonly cause?: string | undefined;
}

function endOf(result: { readonly exitCode?: number | undefined; readonly shortMessage?: unknown }): End {
  const { exitCode, shortMessage } = result;
  return exitCode !== undefined || typeof shortMessage !== "string" ? { exitCode } : { exitCode, cause: shortMessage };
}

/** Resolves when the program's own process has ended and its pipes hold nothing more; `ended` is called at once. */
function exited(child: Child, ended: () => void): Promise<End> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      ended();
      const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null);
      void saidOut(pipes).then(() => {
        child.stdin?.destroy();
        resolve(code === null ? { exitCode: undefined, cause: `it was ended by ${signal}` } : { exitCode: code });
      });
    });
  });
}

/**
 * Resolves when all content of these pipes is read: at once if nobody else holds them, else after the grace, in which child
 * processes may still write. Rounds of the event loop ensure that output which arrived while this process was busy is read
 * too.
 */
async function saidOut(pipes: readonly Readable[]): Promise<void> {
  let read = 0;
  for (const pipe of pipes)
    pipe.on("data", (chunk: Buffer) => {
      read += chunk.length;
      if (read > heldBytes) pipe.destroy();
    });
  const drained = async (): Promise<void> => {
    for (let before = -1; before !== read; ) {
      before = read;
      for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await drained();
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, pipeGrace);
  });
  await Promise.race([Promise.all(pipes.map(closed)), grace]);
  clearTimeout(timer);
  await drained();
  // Other processes may keep writing to them, and this process may end.
  for (const pipe of pipes) if (!pipe.closed) (pipe as Partial<Socket>).unref?.();
}

interface Watchdog {
  stop(): void;
  /** Resolves when the wait for the program is given up, though it has not ended. */
  readonly givenUp: Promise<End>;
  killed(): boolean;
  timedOut(): boolean;
}

/** Ends the program on time-out and abort; `stays` is called when it need no longer end with this process. */
function watchdog(child: Child, options: ProgramOptions, stays: () => void): Watchdog {
  let killed = false;
  let timedOut = false;
  let last: NodeJS.Timeout | undefined;
  let giveUp: (ended: End) => void = () => undefined;
  const givenUp = new Promise<End>((resolve) => {
    giveUp = resolve;
  });
  const end = (): void => {
    if (killed) return;
    killed = true;
    killTree(child);
    last = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      giveUp({ exitCode: undefined });
    }, endGrace);
  };
  const late = (): void => {
    timedOut = true;
    end();
  };
  const timer = options.timeout === undefined ? undefined : setTimeout(late, options.timeout);
  options.signal?.addEventListener("abort", end, { once: true });
  return {
    stop: () => {
      clearTimeout(timer);
      clearTimeout(last);
      options.signal?.removeEventListener("abort", end);
      stays();
    },
    givenUp,
    killed: () => killed,
    timedOut: () => timedOut,
  };
}

/** Time for which a background program may hold this process to read its input, in milliseconds; then the rest is cut off. */
const inputGrace = 3_000;

/**
 * Starts a background program. Its output is dropped, and a time-out ends it and all that it started. It keeps this process
 * alive only while it reads its input. If this process ends first, the program goes on. Resolves to the reason why it could
 * not be started, or undefined. Never rejects.
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

/** Writes the input, and waits until it is read, or for the grace at most. */
function handOver(stdin: Writable | null | undefined, input: string): Promise<void> {
  if (!stdin) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(grace);
      // A pending write would keep this process alive.
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
