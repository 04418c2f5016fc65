import type { Frame } from "./frames.ts";
import { JudgeProcess, type JudgeProgram } from "./judge-process.ts";

/** One request for a judge. */
export interface Ask {
  readonly bytes: Buffer;
  /** The session whose state it needs, if known; otherwise empty. */
  readonly session: string;
  /** Time by which the hook must be answered, by `performance.now()`. */
  readonly deadline: number;
}

/** Result of a request: the hook's reply, or why there is none. */
export type Answered = { readonly answer: Buffer } | { readonly refused: string };

/** A request that was accepted. */
export interface Asked {
  readonly done: Promise<Answered>;
  /** Drops the request, since nobody waits for the answer: it is not judged unless a judge already has it. */
  drop(): void;
}

/** Time after which an unresponsive judge counts as busy, in milliseconds. */
const busyAfter = 200;

/** Default maximum of judges at once: so many sessions may keep a judge busy before others wait. */
const usualMost = 4;

/** Milliseconds beyond the deadline: the judge's own timer comes first if it still can. */
const margin = 50;

/** Minimum time of a judge for a call before it is ended for it, in milliseconds. */
const leastTime = 1_000;

/** Idle time after which a judge other than the first is released, in milliseconds. */
const idleAfter = 30_000;

/** Reason of the refusal of a call that took too long. */
const late = "no decision was made in time";

/** Time limit for a judge's start, in milliseconds. */
const beginsWithin = 10_000;

/** Pauses before the next judge starts if the last ones ended before they were ready, in milliseconds. */
const pauses = [0, 100, 500, 2_000];

/** Maximum number of sessions whose last judge is remembered. */
const remembered = 4_096;

/** A request until it is answered. */
class Call implements Ask {
  readonly id: number;
  readonly bytes: Buffer;
  readonly session: string;
  readonly deadline: number;
  readonly done: Promise<Answered>;
  /** The judge that was asked last. */
  judge: Judge | undefined;
  /** Time when it was asked. */
  asked = 0;
  /** True once that judge may have recorded the call. */
  begun = false;
  /** Number of judges that were asked and ended before they began. */
  tries = 0;
  /** True once the hook has its answer. */
  isSettled = false;
  #settled: (answered: Answered) => void = () => {};
  readonly #timer: NodeJS.Timeout;

  constructor(id: number, { bytes, session, deadline }: Ask, late: (call: Call) => void) {
    this.id = id;
    this.bytes = bytes;
    this.session = session;
    this.deadline = deadline;
    this.done = new Promise((settled) => {
      this.#settled = settled;
    });
    this.#timer = setTimeout(() => late(this), Math.max(0, deadline + margin - performance.now()));
  }

  settle(answered: Answered): void {
    this.isSettled = true;
    clearTimeout(this.#timer);
    this.#settled(answered);
  }
}

interface Judge {
  readonly process: JudgeProcess;
  readonly calls: Map<number, Call>;
  loaded: boolean;
  /** Its last call, until the judge listens again; and the time since then. */
  deafWith: Call | undefined;
  deafSince: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * The judges of a daemon. A judge gets one call at a time, and the next once it listens again; if it never does, only that
 * call is lost. Calls of a session go to the judge that has its state; while that judge is busy, other sessions go to
 * another one. A judge that misses the deadline is ended. The calls it had begun are refused, as they may be recorded
 * already; the others go to another judge.
 */
export class Judges {
  readonly #program: JudgeProgram;
  readonly #most: number;
  readonly #judges: Judge[] = [];
  readonly #waiting = new Set<Call>();
  readonly #last = new Map<string, Judge>();
  readonly #gone = new Set<Promise<void>>();
  #ids = 0;
  #stillborn = 0;
  #begins: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #over = false;

  constructor(program: JudgeProgram, most: number = usualMost) {
    this.#program = program;
    this.#most = most;
    this.#start();
  }

  /** Passes a request to a judge. The promise never rejects, and settles at the deadline plus the margin at the latest. */
  ask(ask: Ask): Asked {
    this.#ids = (this.#ids % 0xffff_ffff) + 1;
    const call = new Call(this.#ids, ask, (one) => this.#late(one));
    this.#waiting.add(call);
    this.#hand();
    return {
      done: call.done,
      drop: () => void (this.#waiting.delete(call) && call.settle({ refused: "it was given up" })),
    };
  }

  /** Lets all judges end. Calls that they have begun should be answered before. */
  async leave(): Promise<void> {
    this.#over = true;
    for (const timer of [this.#begins, this.#look]) clearTimeout(timer);
    for (const call of this.#waiting) call.settle({ refused: "the daemon is ending" });
    for (const { idle } of this.#judges) clearTimeout(idle);
    await Promise.all([...this.#judges.map(({ process }) => process.leave()), ...this.#gone]);
  }

  /** Handles a call whose time is up. A judge that got it only a moment ago, because it had to wait, may still answer others. */
  #late(call: Call): void {
    const { judge } = call;
    this.#waiting.delete(call);
    call.settle({ refused: judge ? late : `${late}: no judge was free` });
    if (!judge) return;
    const end = (): void => {
      if (judge.calls.has(call.id)) judge.process.end(late);
    };
    const left = call.asked + leastTime - performance.now();
    if (left <= 0) end();
    else setTimeout(end, left);
  }

  #start(): void {
    const judge: Judge = {
      process: new JudgeProcess(
        { ...this.#program, warm: this.#program.warm && this.#judges.length === 0 },
        { said: (frame) => this.#heard(judge, frame), ended: (how) => this.#ended(judge, how) },
      ),
      calls: new Map(),
      loaded: false,
      deafWith: undefined,
      deafSince: performance.now(),
      idle: setTimeout(() => judge.process.end("it did not begin"), beginsWithin),
    };
    this.#judges.push(judge);
    const { gone } = judge.process;
    this.#gone.add(gone);
    void gone.then(() => this.#gone.delete(gone));
  }

  #heard(judge: Judge, { kind, call: id, body }: Frame): void {
    const call = judge.calls.get(id);
    if (kind === "begun" && call) call.begun = true;
    if (kind === "begun") return;
    if (kind === "loaded") {
      judge.loaded = true;
      this.#stillborn = 0;
    }
    if (kind === "answer" && call) {
      judge.calls.delete(id);
      call.settle({ answer: body });
    }
    if (kind === "loaded" || judge.deafWith?.id === id) judge.deafWith = undefined;
    this.#rest(judge);
    this.#hand();
  }

  /** Releases a judge other than the first when it is idle for long. */
  #rest(judge: Judge): void {
    clearTimeout(judge.idle);
    judge.idle = undefined;
    if (judge.calls.size > 0 || judge === this.#judges[0]) return;
    judge.idle = setTimeout(() => {
      if (judge === this.#judges[0]) return;
      this.#forget(judge);
      void judge.process.leave();
    }, idleAfter);
    judge.idle.unref();
  }

  #forget(judge: Judge): void {
    const at = this.#judges.indexOf(judge);
    if (at >= 0) this.#judges.splice(at, 1);
    for (const [session, last] of this.#last) if (last === judge) this.#last.delete(session);
  }

  #ended(judge: Judge, how: string): void {
    clearTimeout(judge.idle);
    this.#forget(judge);
    if (!judge.loaded) this.#stillborn += 1;
    const again: Call[] = [];
    for (const call of judge.calls.values()) {
      call.judge = undefined;
      call.tries += 1;
      if (call.begun || call.tries > 1 || call.isSettled || this.#over) call.settle({ refused: toldOf(how) });
      else again.push(call);
    }
    // They came before those that wait.
    const others = [...this.#waiting];
    this.#waiting.clear();
    for (const call of [...again, ...others]) this.#waiting.add(call);
    if (!this.#over) this.#hand();
  }

  /** Hands waiting calls to judges, and starts a judge for the rest if needed. */
  #hand(): void {
    if (this.#over) return;
    let homeless = false;
    for (const call of this.#waiting) {
      const own = this.#judgeOf(call);
      const judge = own ?? this.#judges.find(listens);
      if (judge && listens(judge)) {
        this.#waiting.delete(call);
        this.#send(judge, call);
      } else homeless ||= own === undefined;
    }
    clearTimeout(this.#look);
    if (this.#judges.length === 0) this.#startLater();
    if (this.#waiting.size === 0) return;
    const now = performance.now();
    const wait = this.#judges.map(({ deafSince }) => deafSince + busyAfter - now).filter((ms) => ms > 0);
    if (wait.length > 0) this.#look = setTimeout(() => this.#hand(), Math.min(...wait) + 1);
    // All judges are busy, and none is starting.
    else if (homeless && this.#judges.length < this.#most && this.#judges.every(({ loaded }) => loaded)) this.#start();
  }

  #startLater(): void {
    if (this.#begins !== undefined) return;
    const pause = pauses[Math.min(this.#stillborn, pauses.length - 1)] ?? 0;
    if (pause === 0) return this.#start();
    this.#begins = setTimeout(() => {
      this.#begins = undefined;
      if (!this.#over && this.#judges.length === 0) this.#start();
    }, pause);
  }

  /** Returns the judge that a call must wait for while it is unresponsive; undefined if any judge will do. */
  #judgeOf({ session }: Call): Judge | undefined {
    if (session === "") return undefined;
    // Another judge would only wait for the session's lock.
    const busy = this.#judges.find(({ calls }) => [...calls.values()].some((call) => call.session === session));
    if (busy) return busy;
    const last = this.#last.get(session);
    return last && (listens(last) || performance.now() - last.deafSince <= busyAfter) ? last : undefined;
  }

  #send(judge: Judge, call: Call): void {
    clearTimeout(judge.idle);
    judge.calls.set(call.id, call);
    judge.deafWith = call;
    judge.deafSince = performance.now();
    call.judge = judge;
    call.asked = judge.deafSince;
    call.begun = false;
    if (call.session !== "") {
      this.#last.delete(call.session);
      this.#last.set(call.session, judge);
      if (this.#last.size > remembered) this.#last.delete(this.#last.keys().next().value as string);
    }
    judge.process.ask(call.id, call.bytes);
  }
}

function listens({ loaded, deafWith }: Judge): boolean {
  return loaded && deafWith === undefined;
}

function toldOf(how: string): string {
  return how === late ? `another call kept the judge until its time was up` : `the judge ended: ${how}`;
}
