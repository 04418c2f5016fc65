import { type ChildProcess, spawn } from "node:child_process";
import { type FromJudge, lines, type ToJudge } from "./messages.ts";
import type { JudgeCommand } from "./program.ts";

/** Milliseconds within which a judge process must answer, besides the time that programs of rules take. */
export const usualBudget = 10_000;

/** Milliseconds from which a late timer means that the machine slept or that the host was busy itself. */
const lateTimer = 1_000;

/** Milliseconds within which a released process must have ended. */
const endGrace = 2_000;

/** Maximum UTF-16 units kept of a process's standard error. */
const mostSaid = 2_000;

/** Running processes, each with a check for open questions. */
const running = new Map<ChildProcess, () => boolean>();

/** Kills busy processes at exit. An idle process ends by itself when its pipe closes; a stuck one would not notice that. */
process.on("exit", () => {
  for (const [child, isAsked] of running) if (isAsked()) child.kill("SIGKILL");
});

/** Ends the process of a guard that its host dropped, as hosts do when they make a new guard. */
const dropped = new FinalizationRegistry<ChildProcess>((child) => void child.stdin?.end());

type Answer = Exclude<FromJudge, { waits: number }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** Deadline of the answer, on the clock of `performance.now()`. */
  until: number;
}

/** Options of a `JudgeProcess`. */
export interface JudgeProcessOptions {
  readonly command: JudgeCommand;
  /** Milliseconds within which each answer must come; `usualBudget` by default. */
  readonly budget?: number;
  /** Sends a new process the messages that it needs before any other. */
  begun(say: (message: ToJudge) => void): void;
}

/**
 * A process that judges, asked over a pipe. If something blocks it (a loop, a native call, a file system), the host is not
 * blocked. When an answer does not come in time, the process is killed by SIGKILL, all open questions reject, and the next
 * question starts a new process. Nothing of the old one is reused, so only files on disk can be left half done.
 */
export class JudgeProcess {
  readonly #options: JudgeProcessOptions;
  readonly #budget: number;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  /** Resolves when the last released process has ended. */
  #left: Promise<void> = Promise.resolve();
  #said = "";
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  /** Number of the current process: state that an earlier one kept only in memory is gone. */
  generation = 0;

  constructor(options: JudgeProcessOptions) {
    this.#options = options;
    this.#budget = options.budget ?? usualBudget;
  }

  /** Starts the process, if there is none. Never throws. */
  start(): void {
    if (this.#child) return;
    this.generation++;
    this.#said = "";
    const { command, cwd, variables } = this.#options.command;
    const [file, ...args] = command;
    try {
      const child = spawn(file, args, {
        cwd,
        env: { ...variables },
        stdio: ["pipe", "pipe", "pipe"],
        windowsHide: true,
      });
      this.#child = child;
      this.#listen(child);
      this.#options.begun((message) => this.say(message));
    } catch (error) {
      this.#gone(error instanceof Error ? error.message : String(error));
    }
  }

  /** Sends a message that needs no answer. */
  say(message: ToJudge): void {
    this.start();
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a question and resolves with its answer; rejects with the reason if none comes in time. */
  ask(message: (id: number) => ToJudge): Promise<Answer> {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      try {
        const until = performance.now() + this.#budget;
        this.start();
        this.#waiting.set(id, { resolve, reject, until });
        this.say(message(id));
        if (!this.#child) this.#gone(this.#said || "it could not be started");
        else this.#arm(until);
      } catch (error) {
        // The process must not go on after a message that was sent only in part.
        this.#waiting.delete(id);
        this.end("a message could not be sent");
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Kills the process and rejects all open questions. */
  end(why: string): void {
    this.#child?.kill("SIGKILL");
    this.#gone(why);
  }

  /** True while a question is open. */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Lets the process end after the messages it got, unless a question is open. Resolves when it has ended; it is killed if that
   * takes too long. A later question starts another.
   */
  release(): Promise<void> {
    const child = this.#child;
    if (!child || this.isAsked) return this.#left;
    this.#gone("the guard let it end");
    child.stdin?.end();
    this.#left = new Promise((resolve) => {
      const late = setTimeout(() => void child.kill("SIGKILL"), endGrace);
      child.once("close", () => {
        clearTimeout(late);
        resolve();
      });
    });
    return this.#left;
  }

  /** Adds listeners that hold this object only weakly, so that the process of a dropped guard can be ended. */
  #listen(child: ChildProcess): void {
    const own = new WeakRef(this);
    const told = (tell: (to: JudgeProcess) => void): void => {
      const to = own.deref();
      if (to) tell(to);
    };
    running.set(child, () => own.deref()?.isAsked === true);
    dropped.register(this, child, child);
    child.stdout?.setEncoding("utf8");
    child.stdout?.on(
      "data",
      lines((line) => told((to) => to.#heard(child, line))),
    );
    child.stderr?.setEncoding("utf8");
    child.stderr?.on("data", (text: string) => told((to) => to.#complained(child, text)));
    // The `close` event reports a process that is gone.
    child.stdin?.on("error", () => undefined);
    child.on("error", (error) => told((to) => to.#ended(child, error.message)));
    child.on("close", (code, signal) => {
      running.delete(child);
      dropped.unregister(child);
      told((to) => to.#ended(child, `it ended (${signal ?? code})`));
    });
    // The process must not keep an idle host alive; an open question does so by its timer.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr])
      (stream as { unref?: () => void } | null)?.unref?.();
  }

  #heard(child: ChildProcess, line: string): void {
    if (this.#child !== child) return;
    let message: FromJudge;
    try {
      message = JSON.parse(line) as FromJudge;
    } catch {
      return this.end("it said what cannot be read");
    }
    if ("waits" in message) return this.#extend(message.waits);
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#disarm();
    waiting?.resolve(message);
  }

  #complained(child: ChildProcess, text: string): void {
    if (this.#child === child) this.#said = (this.#said + text).slice(0, mostSaid);
  }

  #ended(child: ChildProcess, why: string): void {
    if (this.#child !== child) return;
    const said = this.#said.trim().split("\n").at(-1) ?? "";
    this.#gone(said === "" ? why : `${why}: ${said.slice(0, 200)}`);
  }

  #gone(why: string): void {
    this.#child = undefined;
    this.#disarm();
    const open = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of open) reject(new Error(`the judge process gave no answer: ${why}`));
  }

  /** Extends the deadlines of all open questions while a program of a rule runs. */
  #extend(milliseconds: number): void {
    const until = performance.now() + milliseconds + this.#budget;
    for (const waiting of this.#waiting.values()) waiting.until = Math.max(waiting.until, until);
  }

  /** Sets one timer for the question that is due first; most are answered long before. */
  #arm(due: number): void {
    if (this.#timer !== undefined) return;
    this.#due = due;
    this.#timer = setTimeout(() => this.#late(), Math.max(0, due - performance.now()));
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #late(): void {
    const late = performance.now() - this.#due;
    // Read answers that have already arrived first, since this process may have been busy itself.
    setImmediate(() => {
      this.#timer = undefined;
      if (this.#waiting.size === 0) return;
      const now = performance.now();
      if (late > lateTimer) for (const waiting of this.#waiting.values()) waiting.until = now + this.#budget;
      const first = Math.min(...[...this.#waiting.values()].map(({ until }) => until));
      if (first > now) this.#arm(first);
      else this.end(`no decision was made within ${this.#budget} ms, so it was ended`);
    });
  }
}
