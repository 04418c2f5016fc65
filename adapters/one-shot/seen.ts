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
 * Results that an earlier hook of the session verified and that hold while the files are unchanged: the file of the pinned
 * plan, and the plan of the policies on disk. Stored under a seal. A file counts as unchanged by its size, inode and times,
 * since every write changes one of these.
 */
export interface Seen {
  /** Identity of the file of the pinned plan, whose seal held. */
  readonly pin: string;
  /** The places, engine version and tables for which the other fields hold. */
  readonly by: string;
  readonly witness: readonly (readonly [path: string, is: string])[];
  /** Digest of the policies on disk, and of their plan if it was compiled. */
  readonly policies: string;
  readonly digest?: string;
}

/** Plan memory of one hook: uses the results of the session's earlier hooks and stores what this hook verified. */
export class SeenPlans implements PlanMemory {
  readonly #seen: Seen | undefined;
  /** Identity of the pinned plan's file, if its seal held and it did not change while it was read. */
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
    // Taking the witness before reading reveals any change during the read.
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

/** Makes the result for unchanged policies; their plan is read only when it is requested. */
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

/** Reads the results stored for a session; undefined if there are none that can be used. Never throws. */
function seenOf(state: string, session: string): Seen | undefined {
  try {
    const found = readSealed(fileOf(state, session), kind, installKey(state));
    const value = "value" in found ? (found.value as { session?: unknown; seen?: Seen }) : undefined;
    return value?.session === session ? value.seen : undefined;
  } catch {
    return undefined;
  }
}

/** Stores what was verified if no file has changed since `before`. Never throws: at worst the next hook verifies again. */
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
    // Nothing depends on it.
  }
}

function fileOf(state: string, session: string): string {
  return pinFile(state, session).replace(/\.plan\.json$/, ".seen");
}
