import { randomBytes } from "node:crypto";
import { createRegexEngine, type Engine, type LinkedPlan } from "../../runtime.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { type Pinned, pinFile, pinnedPlan } from "../../store/pinned-plan.ts";
import { fileIdentity } from "../../store/sealed-file.ts";
import { SessionMemory } from "../../store/session-memory.ts";
import type { Fault } from "../pi/denial.ts";
import { holds, type Witness, witnessOf } from "../plan-witness.ts";
import type { OnDisk, PlanMemory, PlanPlaces, ReadPlan } from "./plans.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Maximum number of remembered pinned sessions, and of remembered places. */
const remembered = 1_024;

const idBytes = 8;

interface RememberedPin {
  /** Size, inode and times of change of the file that it was read from. */
  readonly is: string;
  readonly pinned: Pinned;
}

/**
 * Cache of a process that answers many hooks, so that plans need not be read and linked each time. An entry is used only
 * while the files it was made from are unchanged. No decision depends on it.
 */
export class HookMemory implements PlanMemory {
  /** Linked plans. */
  readonly links = new WeakMap<Plan, LinkedPlan>();
  readonly sessions = new SessionMemory();
  readonly #pins = new Map<string, RememberedPin>();
  readonly #plans = new Map<string, { readonly witness: Witness; readonly found: OnDisk }>();
  /** Plans in use, by digest. */
  readonly #inUse = new Map<string, WeakRef<Plan>>();
  /** Random bytes for the ids of coming events: requesting a few takes as long as many. */
  #random: Buffer = Buffer.alloc(0);
  #regex: RegexEngine | undefined;

  get regex(): RegexEngine {
    this.#regex ??= createRegexEngine();
    return this.#regex;
  }

  /** Returns an event id of eight random bytes, as a one-event process would draw it. */
  eventId(): string {
    if (this.#random.length === 0) this.#random = randomBytes(256 * idBytes);
    const id = this.#random.toString("hex", 0, idBytes);
    this.#random = this.#random.subarray(idBytes);
    return id;
  }

  /** Like `pinnedPlan`, but reads the file again only if it has changed. */
  pinned(state: string, session: string): Pinned {
    const file = pinFile(state, session);
    const is = fileIdentity(file);
    const known = this.#pins.get(file);
    if (known && is !== undefined && known.is === is) return known.pinned;
    const pinned = this.#lean(pinnedPlan(state, session));
    if (pinned.kind === "plan" && is !== undefined) keep(this.#pins, file, { is, pinned });
    else this.#pins.delete(file);
    return pinned;
  }

  /** Replaces the pinned plan by one of the same digest that other sessions use, so that it is kept and linked once. */
  #lean(pinned: Pinned): Pinned {
    if (pinned.kind !== "plan") return pinned;
    // `needs` serves processes that judge one event; this one derives it with its own tables.
    const { needs: _, plan, ...rest } = pinned;
    return { ...rest, plan: this.#shared(plan) };
  }

  /** Returns the plan in use with the same digest, or this one if there is none. */
  #shared(plan: Plan): Plan {
    const known = this.#inUse.get(plan.digest)?.deref();
    if (known) return known;
    for (const [digest, one] of this.#inUse) if (!one.deref()) this.#inUse.delete(digest);
    this.#inUse.set(plan.digest, new WeakRef(plan));
    return plan;
  }

  /** Shares the plan of the policies on disk, and releases the files it was read from as soon as the plan is in use. */
  #onDiskShared(found: OnDisk): OnDisk {
    const { policies, digest, none, imports } = found;
    let plan = digest === undefined ? undefined : this.#inUse.get(digest)?.deref();
    let from = found.made();
    let read: OnDisk | undefined = plan ? undefined : found;
    return {
      policies,
      ...(digest !== undefined && { digest }),
      ...(none && { none }),
      imports,
      plan: async () => {
        if (!read) return plan as Plan;
        const got = await read.plan();
        if ("code" in got) return got;
        plan = this.#shared(got);
        from = read?.made() ?? from;
        read = undefined;
        return plan;
      },
      made: () => from,
    };
  }

  /** Returns the plan of some places, and reads it again only if a file that affects it has changed. Faults are not remembered. */
  async onDisk(places: PlanPlaces, _session: string, now: number, read: ReadPlan): Promise<OnDisk | Fault> {
    const key = JSON.stringify(places);
    const known = this.#plans.get(key);
    if (known && holds(known.witness)) return known.found;
    // Taking the witness before reading reveals any change during the read.
    const before = witnessOf(places, [], now);
    const made = await read();
    const found = "code" in made ? made : this.#onDiskShared(made);
    const isPlan = !("code" in found) && !found.none;
    const imports = "code" in found ? [] : found.imports.map(({ path }) => path);
    const witness = isPlan ? witnessOf(places, imports, now) : undefined;
    const settled = before && witness && [...before].every(([path, is]) => witness.get(path) === is);
    if (settled && !("code" in found)) keep(this.#plans, key, { witness, found });
    else this.#plans.delete(key);
    return found;
  }
}

function keep<T>(all: Map<string, T>, key: string, value: T): void {
  all.delete(key);
  all.set(key, value);
  if (all.size > remembered) all.delete(all.keys().next().value as string);
}
