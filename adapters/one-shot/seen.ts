import { tableVersions } from "../../runtime.ts";
import { engineVersion } from "../../schema/version.ts";
import { installKey } from "../../store/install-key.ts";
import { type Pinned, pinFile, pinnedPlan } from "../../store/pinned-plan.ts";
import { fileIdentity, readSealed, writeSealed } from "../../store/sealed-file.ts";
import type { Fault } from "../pi/denial.ts";
import { holds, type Witness, witnessOf } from "../plan-witness.ts";
import type { OnDisk, PlanMemory, PlanPlaces, ReadPlan } from "./plans.ts";

const kind = "seen";

/**
 * What an earlier hook of a session has verified and may be taken as it is while nothing of it has changed: the file in
 * which its plan is pinned, and the plan that the policies on disk give. Sealed; a file is known again by its size, inode
 * and times, which no write leaves as they were.
 */
export interface Seen {
  /** Identity of the file of the pinned plan, whose seal held. */
  readonly pin: string;
  /** What the rest was seen for: places, engine and tables. */
  readonly by: string;
  readonly witness: readonly (readonly [path: string, is: string])[];
  /** Digest of the policies on disk, and of their plan where it was compiled. */
  readonly policies: string;
  readonly digest?: string;
}

/** Looks at plans for one hook of a session, by what was seen of it before, and keeps what this hook has verified. */
export class SeenPlans implements PlanMemory {
  readonly #seen: Seen | undefined;
  /** The pinned plan's file, if its seal held while it was this one. */
  #pin: string | undefined;

  constructor(state: string, session: string) {
    this.#seen = seenOf(state, session);
  }

  pinned(state: string, session: string): Pinned {
    const file = pinFile(state, session);
    const before = fileIdentity(file);
    const pinned = pinnedPlan(state, session, this.#seen?.pin);
    if (pinned.kind === "plan" && before !== undefined && fileIdentity(file) === before) this.#pin = before;
    return pinned;
  }

  async onDisk(places: PlanPlaces, session: string, now: number, read: ReadPlan): Promise<OnDisk | Fault> {
    const seen = this.#seen;
    const by = JSON.stringify([engineVersion, tableVersions, places]);
    if (seen?.by === by && seen.pin === this.#pin && holds(new Map(seen.witness))) return seenOnDisk(seen, read);
    // What is looked at before it is read cannot have changed in between unseen.
    const before = witnessOf(places, [], now);
    const found = await read();
    const pin = this.#pin;
    if (before && pin !== undefined && !("code" in found) && !found.none)
      keep(places, session, { pin, by, ...stateOf(found) }, before, found, now);
    return found;
  }
}

type State = Pick<Seen, "policies" | "digest">;

function stateOf({ policies, digest }: State): State {
  return { policies, ...(digest !== undefined && { digest }) };
}

/** What was seen, with a plan that is read when it is asked for. */
function seenOnDisk(seen: Seen, read: ReadPlan): OnDisk {
  let from: OnDisk | undefined;
  return {
    ...stateOf(seen),
    imports: [],
    plan: async () => {
      const found = await read();
      if ("code" in found) return found;
      from = found;
      return found.plan();
    },
    made: () => from?.made() ?? { policies: seen.policies, imports: [] },
  };
}

/** What was seen of a session; undefined where there is nothing to go by. Never throws. */
function seenOf(state: string, session: string): Seen | undefined {
  try {
    const found = readSealed(fileOf(state, session), kind, installKey(state));
    const value = "value" in found ? (found.value as { session?: unknown; seen?: Seen }) : undefined;
    return value?.session === session ? value.seen : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what was verified, if nothing of it has changed since `before`. Never throws: the next hook verifies again. */
function keep(
  places: PlanPlaces,
  session: string,
  known: Omit<Seen, "witness">,
  before: Witness,
  { imports }: OnDisk,
  now: number,
): void {
  try {
    const witness = witnessOf(
      places,
      imports.map(({ path }) => path),
      now,
    );
    if (!witness || ![...before].every(([path, is]) => witness.get(path) === is)) return;
    const seen: Seen = { ...known, witness: [...witness] };
    writeSealed(fileOf(places.state, session), kind, { session, seen }, installKey(places.state));
  } catch {
    // Nothing rests on it.
  }
}

function fileOf(state: string, session: string): string {
  return pinFile(state, session).replace(/\.plan\.json$/, ".seen");
}
