import { checkLine, firstPrev } from "../engine/chain.ts";
import type { AuditRecord } from "../schema/generated.ts";
import { linesOfSegment, type SegmentLine, segmentsOf } from "./segment-files.ts";

/** A record with the place of its line. */
export interface PlacedRecord {
  readonly record: AuditRecord;
  /** Number of its segment. */
  readonly segment: number;
  /** Offset of its line in the segment. */
  readonly start: number;
  /** Its line, without the line break. */
  readonly line: Uint8Array;
}

/** Records of a session are altered, missing or moved. `session` says whose. */
export class DamagedRecords extends Error {
  readonly session: string;

  constructor(session: string, why: string) {
    super(why);
    this.session = session;
  }
}

/**
 * Yields the records of one session in order over all its segments, from the one whose line begins at `from`. Each is checked
 * alone and against the previous one. An unfinished last line was never acknowledged and is left out. Throws `DamagedRecords` and
 * the errors of the file system; yields nothing if there are none.
 */
export function* recordsOfSession(
  folder: string,
  session: string,
  from: { readonly segment: number; readonly start: number } = { segment: 1, start: 0 },
): Generator<PlacedRecord> {
  const damaged = (why: string) => new DamagedRecords(session, why);
  let before: { readonly seq: number; readonly hash: string } | undefined;
  if (from.segment === 1 && from.start === 0) before = { seq: -1, hash: firstPrev };
  let due = from.segment;
  for (const segment of segmentsOf(folder, session)) {
    if (segment.number < from.segment) continue;
    if (segment.number !== due) throw damaged(`segment ${due} is missing`);
    due += 1;
    for (const line of linesOfSegment(segment, segment.number === from.segment ? from.start : 0)) {
      if (!line.complete) break;
      const placed = placedRecord(line, damaged);
      const { seal } = placed.record;
      if (before && (seal.seq !== before.seq + 1 || seal.prev !== before.hash))
        throw damaged(`record ${seal.seq} does not follow the one before it`);
      before = seal;
      yield placed;
    }
  }
}

function placedRecord({ segment, start, bytes }: SegmentLine, damaged: (why: string) => Error): PlacedRecord {
  if (!bytes) throw damaged("a line is longer than any record");
  const check = checkLine(bytes);
  if (!check.ok) throw damaged(`a record is altered: ${check.why}`);
  return { record: check.record, segment: segment.number, start, line: bytes };
}
