import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { type Frame, FrameReader, frameBytes } from "./frames.ts";

/** What a judge is started as. */
export interface JudgeProgram {
  /** The program's file: `hookwarden-daemon-judge.cjs` beside the command line, unless a test says otherwise. */
  readonly file: string;
  /** Home folder of the user whose daemon it is, for hooks whose command line names none. */
  readonly home: string;
  /** True for one that makes its code fast before somebody asks (`warmUp`). */
  readonly warm: boolean;
  /** Megabytes of V8's heap, above which the process ends. */
  readonly heap?: number;
}

/** What a judge says to the front. */
export interface JudgeEars {
  /** A message came. */
  said(frame: Frame): void;
  /** The process has ended, or said what nobody understands. Comes once. */
  ended(how: string): void;
}

/** Far more than judging takes; a judge that wants more is ended by its own heap before the machine is short of memory. */
const usualHeap = 1_024;

/** A third less memory in all than with what V8 takes by itself, and no slower by what could be measured. */
const youngHeap = "--max-semi-space-size=2";

/** Milliseconds in which a judge that is let go gives its files back. */
const parting = 2_000;

/**
 * One judge, as the front has it: a process of its own, since nothing else can be ended while it does not listen. It gets
 * an environment of its own, no stream but the one to the front, and no folder that it could keep busy.
 */
export class JudgeProcess {
  readonly #child: ChildProcess;
  readonly #line: Duplex;
  readonly #ears: JudgeEars;
  #over = false;
  /** Settles when the process is gone. */
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
    // What is wrong with the line, the end of the process says.
    this.#line.on("error", () => {});
  }

  /** Asks for one call. */
  ask(call: number, request: Uint8Array): void {
    for (const part of frameBytes("ask", call, request)) this.#line.write(part);
  }

  /** Ends the process now, whatever it does. */
  end(why: string): void {
    this.#child.kill("SIGKILL");
    this.#ended(why);
  }

  /** Lets the process end by itself, or ends it where it does not. */
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
