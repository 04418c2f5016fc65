import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { Frontier, leafHash } from "../engine/audit/merkle.ts";
import { ChainVerifier, checkLine } from "../engine/chain.ts";
import type { AuditRecord } from "../schema/generated.ts";
import { openAuditFile } from "./audit-file.ts";
import type { Checkpointer } from "./checkpoints.ts";
import { linesOfFile } from "./lines.ts";
import { locked } from "./lock.ts";
import { retiredLog, retiredTrail } from "./retired-log.ts";
import {
  linesOfSegment,
  longestLine,
  type SegmentFile,
  segmentsIn,
  sessionDigest,
  sessionsIn,
} from "./segment-files.ts";
import { inheritEvent } from "./session-load.ts";
import { note } from "./trail-notes.ts";

/** Days that sessions are kept unless told otherwise; laws that ask for logs ask for at least six months of them. */
export const usualRetention = 400;

/** Least number of days without `forceShort`. */
export const shortestRetention = 180;

/** Which sessions are retired. */
export interface RetireOptions {
  /** Now, milliseconds. */
  readonly now: number;
  /** A session goes when its last record is older; 400 when not given. */
  readonly olderThanDays?: number;
  /** Takes fewer than 180 days. */
  readonly forceShort?: boolean;
  /** Reports what would be removed, and changes nothing. */
  readonly dryRun?: boolean;
  /** Checkpoints the trail of retired sessions. */
  readonly checkpointer?: Checkpointer;
  /** Longest wait for one session's lock, in milliseconds; default 2,000. */
  readonly patience?: number;
}

/** Record of a session whose files were removed. */
export interface Retirement {
  /** Name of its folder, the digest of its id. */
  readonly session: string;
  readonly records: number;
  /** Hash of its last record. */
  readonly head: string;
  /** Time of its last record, RFC 3339. */
  readonly last: string;
  /** Each segment with its number of lines and the root of its Merkle tree, base64. */
  readonly segments: readonly { readonly number: number; readonly size: number; readonly root: string }[];
}

/** A session or file that was left as it is, and why. */
export interface LeftAlone {
  readonly name: string;
  readonly why: string;
}

/** Result of retiring sessions. */
export interface RetireReport {
  readonly retired: readonly Retirement[];
  /** Number of sessions that are recent, or from which a recent session began. */
  readonly kept: number;
  /** Old sessions that could not be retired: their records do not hold, or they are in use. */
  readonly left: readonly LeftAlone[];
}

/**
 * Retires whole sessions whose last record is old. Head, number of records and Merkle roots are written to the trail
 * `retired.jsonl` and the disk; then the files are removed. A session with invalid records is kept for auditors. So is one from
 * which a kept session began, because its state may have to be rebuilt. Throws for fewer than 180 days without `forceShort`, and
 * if the trail of retired sessions cannot be written; nothing is then removed.
 */
export function retireSessions(folder: string, options: RetireOptions): RetireReport {
  const { now, olderThanDays = usualRetention, forceShort = false, dryRun = false } = options;
  if (!(olderThanDays >= 0) || (olderThanDays < shortestRetention && !forceShort))
    throw new Error(`sessions are kept for at least ${shortestRetention} days unless that is forced`);
  const names = sessionsIn(folder);
  const before = now - olderThanDays * 86_400_000;
  const kept = keptSessions(folder, names, before);
  const retired: Retirement[] = [];
  const left: LeftAlone[] = [];
  for (const name of names.filter((one) => !kept.has(one))) {
    try {
      const one = locked(
        join(folder, `${name}.lock`),
        () => retire(folder, name, before, options),
        options.patience ?? 2_000,
      );
      if (one) retired.push(one);
    } catch (fault) {
      if (fault instanceof Unwritable) throw fault.fault;
      left.push({ name, why: fault instanceof Error ? fault.message : String(fault) });
    }
  }
  if (!dryRun) sweep(folder);
  return { retired, kept: names.length - retired.length - left.length, left };
}

/** The trail of retired sessions cannot be written: then no session may go. */
class Unwritable extends Error {
  readonly fault: unknown;

  constructor(fault: unknown) {
    super("the trail of retired sessions cannot be written");
    this.fault = fault;
  }
}

/** Returns the sessions with a recent record, and all their ancestors. */
function keptSessions(folder: string, names: readonly string[], before: number): ReadonlySet<string> {
  const parents = new Map<string, string | undefined>();
  const kept = new Set<string>();
  for (const name of names) {
    const segments = segmentsIn(join(folder, name));
    parents.set(name, parentOf(segments[0]));
    const newest = segments.at(-1);
    if (newest && !(lastTime(newest) < before)) kept.add(name);
  }
  for (const name of [...kept])
    for (let up = parents.get(name); up !== undefined && !kept.has(up); up = parents.get(up)) kept.add(up);
  return kept;
}

/** Returns the time of a segment's last record in milliseconds; the file's time if no record tells. */
function lastTime(segment: SegmentFile): number {
  let last: Uint8Array | undefined;
  for (const { bytes, complete } of linesOfSegment(segment)) if (complete) last = bytes;
  const record = last && recordIn(last);
  const time = record ? Date.parse(record.seal.written) : Number.NaN;
  return Number.isNaN(time) ? lstatSync(segment.path).mtimeMs : time;
}

function parentOf(first: SegmentFile | undefined): string | undefined {
  if (!first) return undefined;
  for (const { bytes, number } of linesOfSegment(first)) {
    const body = bytes && recordIn(bytes)?.body;
    const parent = body?.event === inheritEvent ? body.state?.parent : undefined;
    if (parent !== undefined) return sessionDigest(parent);
    // The record of a beginning follows the header, and what the trail had to say.
    if (number >= 8) break;
  }
  return undefined;
}

function recordIn(line: Uint8Array): AuditRecord | undefined {
  const check = checkLine(line);
  return check.ok ? check.record : undefined;
}

/** Retires one session whose lock is held. Undefined when it has become young meanwhile. */
function retire(folder: string, name: string, before: number, options: RetireOptions): Retirement | undefined {
  const { now, dryRun = false, checkpointer } = options;
  const summary = summaryOf(join(folder, name), name);
  if (!(Date.parse(summary.last) < before)) return undefined;
  if (dryRun) return summary;
  try {
    const trail = openAuditFile(join(folder, retiredLog), { clock: { now: () => now }, durability: "strict" });
    try {
      trail.append(note("", now, "retired", { retired: summary }, "a session was retired"), 0);
    } finally {
      trail.close();
    }
    // Before the files go: a session that is gone and not vouched for counts as removed.
    if (checkpointer) checkpointRetired(folder, checkpointer, now);
  } catch (fault) {
    throw new Unwritable(fault);
  }
  // From here on it is gone, even if this process ends: the next run removes what is left.
  const leaving = join(folder, `${retiring}${name}`);
  renameSync(join(folder, name), leaving);
  removeSession(leaving);
  return summary;
}

const retiring = "retiring-";

/** Summarises a session for the record that remains of it. Throws when its records do not hold. */
function summaryOf(sessionFolder: string, name: string): Retirement {
  const verifier = new ChainVerifier();
  const segments: { number: number; size: number; root: string }[] = [];
  let last = "";
  for (const segment of segmentsIn(sessionFolder)) {
    if (segment.number !== segments.length + 1) throw new Error(`segment ${segments.length + 1} is missing`);
    const tree = new Frontier();
    let line: Uint8Array | undefined;
    for (const { bytes, complete } of linesOfSegment(segment)) {
      if (!bytes) throw new Error("a line is longer than any record");
      verifier.push(bytes, complete);
      if (complete) tree.add(leafHash(bytes));
      if (complete) line = bytes;
    }
    last = (line && recordIn(line)?.seal.written) ?? last;
    segments.push({ number: segment.number, size: tree.size, root: Buffer.from(tree.root()).toString("base64") });
  }
  const { records, head, problem } = verifier.report();
  if (problem) throw new Error(`its records do not hold: line ${problem.line}: ${problem.why}`);
  if (records === 0) throw new Error("it has no records");
  return { session: name, records, head, last, segments };
}

/** Removes sessions whose removal an earlier run began. */
function sweep(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name.startsWith(retiring) && /^[0-9a-f]{64}$/.test(name.slice(retiring.length)))
      removeSession(join(folder, name));
  }
}

/** Removes the files of a session by their names, and its folder when nothing else is in it. */
function removeSession(sessionFolder: string): void {
  for (const name of readdirSync(sessionFolder)) {
    if (ownName.test(name)) unlinkSync(join(sessionFolder, name));
  }
  if (readdirSync(sessionFolder).length === 0) rmdirSync(sessionFolder);
}

const ownName = /^(\d{6,12}\.jsonl(\.gz|\.torn-\d+)?|state\.json|lost|\.[0-9a-z.]+\.tmp)$/;

function checkpointRetired(folder: string, checkpointer: Checkpointer, now: number): void {
  const frontier = new Frontier();
  let last: AuditRecord | undefined;
  for (const { bytes, complete } of linesOfFile(join(folder, retiredLog), longestLine)) {
    if (!bytes || !complete) return;
    frontier.add(leafHash(bytes));
    last = recordIn(bytes);
  }
  if (!last) return;
  const { seq, hash } = last.seal;
  const why = checkpointer.write({ session: retiredTrail, number: 1, frontier, seq, head: hash }, now);
  if (why !== undefined) throw new Error(why);
}
