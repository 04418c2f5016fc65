import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { type Frame, FrameReader, frameBytes } from "./frames.ts";

/** Options of a judge's process. */
export interface JudgeProgram {
  /** The program's file: `hookwarden-daemon-judge.cjs` beside the command line, unless a test says otherwise. */
  readonly file: string;
  /** Home folder of the daemon's user, for hooks whose command line names none. */
  readonly home: string;
  /** True if it warms up its code before the first request (`warmUp`). */
  readonly warm: boolean;
  /** Megabytes of V8's heap, above which the process ends. */
  readonly heap?: number;
}

/** Callbacks for a judge's messages to the front. */
export interface JudgeEars {
  /** A message came. */
  said(frame: Frame): void;
  /** The process has ended, or sent an unknown message. Called once. */
  ended(how: string): void;
}

/** Heap limit in megabytes, far more than judging takes. A judge that wants more dies of it before the machine is short of memory. */
const usualHeap = 1_024;

/** Node option that takes a third less memory in all than V8's default, with no measurable slowdown. */
const youngHeap = "--max-semi-space-size=2";

/** Time for a released judge to close its files, in milliseconds. */
const parting = 2_000;

/**
 * One judge, as the front sees it: a separate process, since nothing else can be ended while it is unresponsive. It gets a
 * clean environment, no stream but the one to the front, and no folder that it could keep busy.
 */
export class JudgeProcess {
  readonly #child: ChildProcess;
  readonly #line: Duplex;
  readonly #ears: JudgeEars;
  #over = false;
  /** Settles when the process has ended. */
  readonly gone: Promise<void>;

  constructor({ file, home, warm, heap = usualHeap }: JudgeProgram, ears: JudgeEars) {
    this.#ears = ears;
    const { TMPDIR } = process.env;
    const words = [`--max-old-space-size=${heap}`, youngHeap, file, home, warm ? "warm" : "cold"];
    this.#child = spawn(process.execPath, words, {
      cwd: "/",
      env: TMPDIR === undefined ? {} : { TMPDIR },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    this.#line = this.#child.stdio[3] as Duplex;
    this.gone = new Promise((done) => {
      this.#child.once("exit", (code, signal) => {
        this.#ended(signal ?? `code ${code}`);
        done();
      });
      this.#child.once("error", (fault) => {
        this.#ended(fault.message);
        if (this.#child.pid === undefined) done();
      });
    });
    const frames = new FrameReader();
    this.#line.on("data", (bytes: Buffer) => {
      try {
        for (const frame of frames.take(bytes)) if (!this.#over) ears.said(frame);
      } catch {
        this.end("it said what nobody understands");
      }
    });
    // An error of the stream shows as the end of the process.
    this.#line.on("error", () => {});
  }

  /** Sends one call to the judge. */
  ask(call: number, request: Uint8Array): void {
    for (const part of frameBytes("ask", call, request)) this.#line.write(part);
  }

  /** Kills the process at once. */
  end(why: string): void {
    this.#child.kill("SIGKILL");
    this.#ended(why);
  }

  /** Lets the process end by itself, or kills it if it does not. */
  async leave(): Promise<void> {
    this.#over = true;
    this.#line.end();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), parting);
    await this.gone;
    clearTimeout(late);
  }

  #ended(how: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#line.destroy();
    this.#ears.ended(how);
  }
}
