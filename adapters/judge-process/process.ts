import { type ChildProcess, spawn } from "node:child_process";
import { type FromJudge, lines, type ToJudge } from "./messages.ts";
import type { JudgeCommand } from "./program.ts";

/** Milliseconds in which a judge process must answer, beside the time that programs of rules take. */
export const usualBudget = 10_000;

/** Milliseconds by which a timer of a machine that slept, or of a host that was busy itself, is late at least. */
const lateTimer = 1_000;

/** Milliseconds in which a process that is let go must have ended. */
const endGrace = 2_000;

/** UTF-16 units kept of what a process says on standard error. */
const mostSaid = 2_000;

/** Processes that run, with whether anything is asked of each. */
const running = new Map<ChildProcess, () => boolean>();

/** A host that goes leaves its end of the pipes, at which a process ends by itself; one that is stuck does not see that. */
process.on("exit", () => {
  for (const [child, isAsked] of running) if (isAsked()) child.kill("SIGKILL");
});

/** Ends the process of a guard that its host has dropped, which hosts do when they make a new one. */
const dropped = new FinalizationRegistry<ChildProcess>((child) => void child.stdin?.end());

type Answer = Exclude<FromJudge, { waits: number }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** When the answer must be there, in milliseconds of the process. */
  until: number;
}

/** What a guard gives for its judge process. */
export interface JudgeProcessOptions {
  readonly command: JudgeCommand;
  /** Milliseconds in which each answer must be there; `usualBudget` by default. */
  readonly budget?: number;
  /** Says to a process that has just begun what it needs before anything else. */
  begun(say: (message: ToJudge) => void): void;
}

/**
 * A process that judges, asked over a pipe. What blocks it (a loop, a native call, a file system) does not block the host:
 * when an answer is not there in time, the process is ended by SIGKILL, all that is asked rejects, and the next question
 * begins a new one. Nothing of the old one is used again, because a process that is ended anywhere leaves nothing half done
 * but what stands on the disk.
 */
export class JudgeProcess {
  readonly #options: JudgeProcessOptions;
  readonly #budget: number;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  /** Resolves when the process that was let go last has ended. */
  #left: Promise<void> = Promise.resolve();
  #said = "";
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #due = 0;
  /** Counts the processes: what one of them kept in memory alone is gone with it. */
  generation = 0;

  constructor(options: JudgeProcessOptions) {
    this.#options = options;
    this.#budget = options.budget ?? usualBudget;
  }

  /** Begins the process, if there is none. Never throws. */
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

  /** Says what needs no answer. */
  say(message: ToJudge): void {
    this.start();
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Asks; rejects with the reason where there is no answer in time, or none at all. */
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
        // What was said only in part must not be gone on with.
        this.#waiting.delete(id);
        this.end("a message could not be sent");
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** Ends the process, and with it what is asked. */
  end(why: string): void {
    this.#child?.kill("SIGKILL");
    this.#gone(why);
  }

  /** True while something is asked of the process. */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Lets the process end when it has done what it was told, and resolves when it has, or when it had time enough; a later
   * question begins another.
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

  /** Nothing of what a process calls holds the guard, so that the process of a guard that was dropped can be ended. */
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
    // A process that is gone is noticed by its end.
    child.stdin?.on("error", () => undefined);
    child.on("error", (error) => told((to) => to.#ended(child, error.message)));
    child.on("close", (code, signal) => {
      running.delete(child);
      dropped.unregister(child);
      told((to) => to.#ended(child, `it ended (${signal ?? code})`));
    });
    // A host ends when it has nothing more to do; a question that is open keeps it by its timer.
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

  /** While a program of a rule runs, who waits for it or behind it waits longer. */
  #extend(milliseconds: number): void {
    const until = performance.now() + milliseconds + this.#budget;
    for (const waiting of this.#waiting.values()) waiting.until = Math.max(waiting.until, until);
  }

  /** One timer for the question that is due first; most are answered long before. */
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
    // What has come by now is read first: this process may have been busy itself.
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
