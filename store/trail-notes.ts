import { digest } from "../engine/canonical.ts";
import type { AuditBody } from "../schema/generated.ts";
import { engineVersion } from "../schema/version.ts";
import type { TornLine } from "./chain-file.ts";
import type { Losses } from "./losses.ts";
import type { ClockJump } from "./sealing.ts";

/** Events of records that a trail writes about itself. Such a record has no state, and decides nothing. */
export const trailEvents = {
  /** The first record of each segment. */
  segment: "segment",
  /** An unfinished line was moved aside. */
  recovered: "recovered",
  /** Records before this one are damaged; their segment is no longer written to. */
  corruption: "corruption",
  /** Records could not be written. */
  gap: "gap",
  /** The wall clock jumped. */
  clockJump: "clock_jump",
} as const;

/** Point that a segment continues from. */
export interface Predecessor {
  readonly segment: number;
  readonly head: string;
}

/** Fault of a segment that is no longer written to. */
export interface Corruption {
  readonly segment: number;
  /** First line that does not hold, from 1; left out when it is not known. */
  readonly line?: number;
  readonly why: string;
}

/** The header of a segment: it names the segment before it and the process that began it. */
export function segmentNote(
  session: string,
  wall: number,
  number: number,
  previous: Predecessor | undefined,
): AuditBody {
  const segment = {
    number,
    previous: previous ?? null,
    pid: process.pid,
    node: process.versions.node,
    hookwarden: engineVersion,
    platform: `${process.platform}-${process.arch}`,
    started: new Date(Math.round(performance.timeOrigin)).toISOString(),
  };
  return note(session, wall, trailEvents.segment, { segment }, `segment ${number} begins`);
}

/** The note of a line that was moved aside. */
export function recoveredNote(session: string, wall: number, file: string, torn: TornLine): AuditBody {
  const recovered = { file, digest: torn.digest, size: torn.size };
  return note(session, wall, trailEvents.recovered, { recovered }, "an unfinished line was moved to a file of its own");
}

/** The note of damage, written into the segment after it. */
export function corruptionNote(session: string, wall: number, corruption: Corruption): AuditBody {
  const text = `segment ${corruption.segment} is damaged and is not continued: ${corruption.why}`;
  return note(session, wall, trailEvents.corruption, { corruption }, text);
}

/** The note of records that could not be written. */
export function gapNote(session: string, wall: number, gap: Losses): AuditBody {
  return note(session, wall, trailEvents.gap, { gap }, `${gap.lost} records could not be written: ${gap.why}`);
}

/** The note of a jump of the wall clock. */
export function clockJumpNote(session: string, wall: number, jump: ClockJump): AuditBody {
  return note(session, wall, trailEvents.clockJump, { clock_jump: jump }, "the wall clock jumped");
}

/** A record that says something of the trail itself. `wall` is when, milliseconds. */
export function note(
  session: string,
  wall: number,
  event: string,
  observations: AuditBody["observations"],
  text: string,
): AuditBody {
  return {
    v: 1,
    kind: "note",
    event,
    id: "",
    time: new Date(wall).toISOString(),
    host: "",
    session,
    agent: "",
    event_digest: digest({ event, observations }),
    outcome: "allow",
    answered: "none",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    note: text,
    observations,
    policy_digest: "",
    engine: engineVersion,
    tables: {},
  };
}
