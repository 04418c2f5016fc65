import { fstatSync } from "node:fs";
import { checkLine, firstPrev } from "../engine/chain.ts";
import { type ChainEnd, chainEnd, DamagedEnd, emptyEnd, endAfter } from "./chain-file.ts";
import { linesOfSegment, type SegmentFile } from "./segment-files.ts";
import { type Corruption, trailEvents } from "./trail-notes.ts";

/** State of a session's trail on the disk. */
export interface Standing {
  /** Its newest segment; 0 when it has none. */
  readonly number: number;
  /** End of the chain; `size` and `start` are those of the newest segment. */
  readonly end: ChainEnd;
  /** False when the next record begins a segment. */
  readonly open: boolean;
  /** True when the newest segment ends with an unfinished line. */
  readonly torn: boolean;
  /** Why the newest segment is not continued. */
  readonly corruption: Corruption | undefined;
}

/** The standing of a trail without segments. */
export const nothing: Standing = { number: 0, end: emptyEnd, open: false, torn: false, corruption: undefined };

/** Returns the state of a trail whose newest segment is compressed, and therefore closed. */
export function compressedStanding(newest: SegmentFile): Standing {
  const { number } = newest;
  try {
    return { ...nothing, number, end: endOf(newest) };
  } catch (error) {
    if (!(error instanceof DamagedEnd)) throw error;
    return damagedStanding(newest);
  }
}

/** Returns the state of a trail whose newest segment is this open file. `before` is the segment before it. */
export function openStanding(newest: SegmentFile, file: number, before: SegmentFile | undefined): Standing {
  const { number } = newest;
  try {
    const end = chainEnd(file);
    const torn = fstatSync(file).size > end.size;
    if (end.size > 0 || number === 1) return { number, end, open: true, torn, corruption: undefined };
    if (!before || before.number !== number - 1) throw new DamagedEnd(`segment ${number - 1} is missing`);
    return { number, end: { ...endOf(before), size: 0, start: 0 }, open: true, torn, corruption: undefined };
  } catch (error) {
    if (!(error instanceof DamagedEnd)) throw error;
    return damagedStanding(newest);
  }
}

/** True if a segment begins with the note of damage before it. */
export function followsDamage(segment: SegmentFile): boolean {
  for (const { number, bytes } of linesOfSegment(segment)) {
    const check = bytes && checkLine(bytes);
    if (check?.ok && check.record.body.event === trailEvents.corruption) return true;
    if (number >= 2) break;
  }
  return false;
}

function endOf(segment: SegmentFile): ChainEnd {
  let last: { readonly bytes: Uint8Array; readonly start: number } | undefined;
  for (const { bytes, start, complete } of linesOfSegment(segment)) {
    if (complete) last = { bytes: bytes ?? new Uint8Array(0), start };
  }
  return last ? endAfter(last.bytes, last.start, last.start + last.bytes.length + 1) : emptyEnd;
}

/** Returns the part of a damaged segment that still holds: its records up to the first line that does not. Each line keeps its number. */
function damagedStanding(segment: SegmentFile): Standing {
  let before: { readonly seq: number; readonly hash: string } | undefined;
  let bad: Pick<Corruption, "line" | "why"> | undefined;
  let lines = 0;
  for (const { number, bytes, complete } of linesOfSegment(segment)) {
    if (!complete) break;
    lines = number;
    if (bad) continue;
    const check = bytes && checkLine(bytes);
    const seal = check?.ok ? check.record.seal : undefined;
    const follows = seal && (!before || (seal.seq === before.seq + 1 && seal.prev === before.hash));
    if (follows) before = seal;
    else bad = { line: number, why: check && !check.ok ? check.why : "it does not follow the record before it" };
  }
  const good = bad?.line === undefined ? lines : bad.line - 1;
  const seq = before ? before.seq + 1 + lines - good : lines;
  const end = { ...emptyEnd, seq, prev: before?.hash ?? firstPrev };
  const corruption = { segment: segment.number, ...(bad ?? { why: "the segment before it is missing" }) };
  return { number: segment.number, end, open: false, torn: false, corruption };
}
