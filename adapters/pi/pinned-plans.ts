import type { Engine } from "../../runtime.ts";
import type { Fault } from "./denial.ts";
import type { Judge } from "./judge.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Source of plans, which is checked again while sessions run. */
export interface PlanSource {
  /** Returns a text that differs when the bytes that a plan is made from may have changed. Cheap. */
  fingerprint(): string;
  /** Compiles the current policies. Never rejects. */
  load(): Promise<{ readonly plan: Plan } | Fault>;
  /** True if a human requested any reload at or after a time in milliseconds since the epoch. */
  anyReloadRequested(since: number): boolean;
  /** True if a human requested that sessions continue with this plan, at or after a time in milliseconds since the epoch. */
  reloadRequested(plan: string, since: number): boolean;
  /** Makes an engine for a plan, which takes over the sessions of `before`. */
  engine(plan: Plan, before: Judge): Judge;
}

/** State of a change on disk for one session; told and recorded once. */
export interface PlanChange {
  readonly kind: "reload_pending" | "reloaded";
  /** Digest of the plan that the session had. */
  readonly pinned: string;
  /** Digest of the plan on disk; absent if it does not load or was not compiled. */
  readonly found?: string;
  /** Digest of the policies on disk, if they were not compiled yet: a running session compiles nothing. */
  readonly policies?: string;
  /** Why it does not load. */
  readonly why?: string;
}

interface Pin {
  readonly judge: Judge;
  /** Fingerprint of the policies that its plan was made from. */
  readonly made: string | undefined;
  readonly since: number;
  /** The change that was told last. */
  told?: string;
}

/** Maximum number of remembered sessions. The one pinned longest ago is forgotten, and pinned again to the plan of that time. */
const maxPins = 1_000;

/**
 * Pins each session to the plan of its first event (semantics section 4). A change on disk applies to new sessions, and to a
 * running one only after a human's `hookwarden reload`.
 */
export class PinnedPlans {
  readonly #source: PlanSource | undefined;
  readonly #now: () => number;
  readonly #pins = new Map<string, Pin>();
  #newest: Judge;
  /** Fingerprint at the last load, and that of the newest plan's policies. */
  #seen: string | undefined;
  #made: string | undefined;
  #fault: Fault | undefined;

  constructor(first: Judge, source: PlanSource | undefined, now: () => number) {
    this.#newest = first;
    this.#source = source;
    this.#now = now;
    this.#seen = source?.fingerprint();
    this.#made = this.#seen;
  }

  /** Returns the engine of a session; the first call pins the session. */
  judgeOf(session: string): Judge {
    return this.#pin(session).judge;
  }

  /**
   * Checks for a change on disk, and adopts it if a human requested the reload. A change is compiled only for a new session or
   * after a human's request, so that a running session is not delayed by files that its agent writes into the project.
   */
  async refresh(session: string): Promise<PlanChange | undefined> {
    const source = this.#source;
    if (!source) return undefined;
    const now = source.fingerprint();
    const pin = this.#pins.get(session);
    if (!pin) {
      await this.#load(source, now);
      this.#pin(session);
      return undefined;
    }
    if (now === pin.made) return undefined;
    const pinned = pin.judge.plan?.digest ?? "";
    if (source.anyReloadRequested(pin.since)) await this.#load(source, now);
    if (now !== this.#seen) return tell(pin, { kind: "reload_pending", pinned, policies: now });
    if (this.#fault) {
      const why = `${this.#fault.code}: ${this.#fault.message}`;
      return tell(pin, { kind: "reload_pending", pinned, why });
    }
    const found = this.#newest.plan?.digest ?? "";
    if (found === pinned) return undefined;
    if (!source.reloadRequested(found, pin.since)) return tell(pin, { kind: "reload_pending", pinned, found });
    const plan = this.#newest.plan;
    const judge = plan ? source.engine(plan, pin.judge) : this.#newest;
    this.#pins.set(session, { judge, made: now, since: this.#now() });
    return { kind: "reloaded", pinned, found };
  }

  async #load(source: PlanSource, fingerprint: string): Promise<void> {
    if (fingerprint === this.#seen) return;
    const loaded = await source.load();
    this.#seen = fingerprint;
    this.#fault = "code" in loaded ? loaded : undefined;
    if (!("plan" in loaded)) return;
    this.#made = fingerprint;
    if (loaded.plan.digest !== this.#newest.plan?.digest) this.#newest = source.engine(loaded.plan, this.#newest);
  }

  #pin(session: string): Pin {
    const known = this.#pins.get(session);
    if (known) return known;
    const pin: Pin = { judge: this.#newest, made: this.#made, since: this.#now() };
    this.#pins.set(session, pin);
    if (this.#pins.size > maxPins) this.#pins.delete(this.#pins.keys().next().value as string);
    return pin;
  }
}

/** Returns the change, or undefined if it was already told. */
function tell(pin: Pin, change: PlanChange): PlanChange | undefined {
  const told = change.found ?? change.policies ?? change.why;
  if (pin.told === told) return undefined;
  if (told !== undefined) pin.told = told;
  return change;
}
