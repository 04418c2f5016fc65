import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats, statSync } from "node:fs";
import type { Checkpoint } from "../engine/audit/checkpoint.ts";
import { Frontier, leafHash } from "../engine/audit/merkle.ts";
import { scanLine } from "../engine/audit/scan-line.ts";
import { sha256 } from "../engine/canonical.ts";
import { type ChainReport, ChainVerifier, checkLine, domain, firstPrev } from "../engine/chain.ts";
import type { AuditRecord } from "../schema/generated.ts";
import { eachAuditLine } from "./audit-lines.ts";
import { type RecoveredLine, recoveredLine } from "./torn-lines.ts";

/** Status of an audit file or folder; `unchecked` when it could not be read. */
export type AuditStatus = ChainReport["status"] | "unchecked";

/** Result of checking one file: how many records hold, the last of them, and the first problem with its place. */
export interface FileReport {
  readonly file: string;
  readonly status: AuditStatus;
  readonly records: number;
  readonly head?: string;
  /** Line of the problem, from 1. */
  readonly line?: number;
  /** Number that the record of the problem has, or claims. */
  readonly seq?: number;
  readonly why?: string;
}

/** A segment as it is to be checked. */
export interface Segment {
  readonly path: string;
  /** How the file is called in the report. */
  readonly file: string;
  /** Name of the session's folder; undefined for a file that is no session's. */
  readonly session: string | undefined;
  /** Number that its header must have; undefined when it has no header. */
  readonly number: number | undefined;
  /** The last record of the previous segment; undefined accepts the claim of the first record. */
  readonly after: { readonly seq: number; readonly hash: string } | undefined;
  readonly checkpoints: readonly Checkpoint[];
}

/** A checked segment, and the point at which the next one must continue. */
export interface CheckedSegment {
  readonly report: FileReport;
  readonly end: { readonly seq: number; readonly hash: string };
  /** Records after the last checkpoint. */
  readonly uncovered: number;
  /** Unfinished lines that its records mention. */
  readonly recovered: readonly RecoveredLine[];
}

/** The report of a chain, as the report of a file. */
export function fileReport(file: string, { status, records, head, problem }: ChainReport): FileReport {
  return {
    file,
    status,
    records,
    ...(records > 0 && { head }),
    ...(problem && { line: problem.line, why: problem.why }),
    ...(problem?.seq !== undefined && { seq: problem.seq }),
  };
}

/**
 * Checks one segment in one pass: its chain, that it is of its session, its header, and at the size of each checkpoint the root
 * of the tree over its lines. Memory is bounded by the longest line. Never rejects: an unreadable segment is reported.
 */
export async function checkSegment(segment: Segment): Promise<CheckedSegment> {
  const reading = new SegmentReading(segment);
  const fault = placeFault(segment.path);
  if (fault !== undefined) return reading.replaced(fault);
  try {
    await eachAuditLine(segment.path, ({ bytes, complete }) => {
      if (bytes) reading.push(bytes, complete);
      else reading.pushOversized();
    });
  } catch (error) {
    return reading.failed(error);
  }
  return reading.result();
}

/**
 * Returns the fault of an entry at the path of a trail's file, because only regular files are written there. Undefined for a
 * regular file, also through a link, and if there is no entry.
 */
export function placeFault(path: string): string | undefined {
  if (statsOf(path, lstatSync) === undefined) return undefined;
  const found = statsOf(path, statSync);
  if (found === undefined) return "it is a link that leads nowhere";
  return found.isFile() ? undefined : "it is not a regular file";
}

function statsOf(path: string, stat: typeof statSync): Stats | undefined {
  try {
    return stat(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
    throw error;
  }
}

/** Why a file could not be read, in words for the report. */
export function readFault(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return error instanceof Error ? error.message : String(error);
}

/** A valid record that follows the previous one; `why` gives any other fault. */
interface Placed {
  readonly seal: { readonly seq: number; readonly hash: string };
  readonly session: string;
  readonly why: string | undefined;
}

class SegmentReading {
  readonly #segment: Segment;
  readonly #frontier = new Frontier();
  readonly #recovered: RecoveredLine[] = [];
  #chain: ChainVerifier | undefined;
  #start: { readonly seq: number; readonly hash: string } = { seq: -1, hash: firstPrev };
  #next = 0;
  #line = 0;
  #session: string | undefined;
  #lastText = new Uint8Array(0);
  #lastSession = "";
  #problem: { readonly line: number; readonly seq: number | undefined; readonly why: string } | undefined;

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  push(bytes: Uint8Array, complete: boolean): void {
    this.#line += 1;
    if (this.#problem) return;
    this.#chain ??= this.#begin(bytes);
    const placed = this.#place(this.#chain, bytes, complete);
    if (!placed) return;
    const { seal, session } = placed;
    const recovered = recoveredLine(bytes);
    if (recovered) this.#recovered.push(recovered);
    // The root is needed only for checkpoints, and costs a second hash of every line.
    if (this.#segment.checkpoints.length > 0) this.#frontier.add(leafHash(bytes));
    const why = placed.why ?? this.#foreign(session) ?? this.#covered(seal);
    if (why !== undefined) this.#problem = { line: this.#line, seq: seal.seq, why };
  }

  /** Takes the short way where the line is provably as it was written; otherwise the long one, which reports the fault. */
  #place(chain: ChainVerifier, bytes: Uint8Array, complete: boolean): Placed | undefined {
    const scanned = complete && this.#line > 1 && isUtf8(bytes) ? scanLine(bytes, domain) : undefined;
    if (scanned) {
      if (!chain.follow(scanned)) return undefined;
      return { seal: scanned, session: this.#sessionIn(bytes, scanned.session), why: undefined };
    }
    const record = chain.push(bytes, complete);
    if (!record) return undefined;
    const why = this.#line === 1 ? this.#header(record) : undefined;
    return { seal: record.seal, session: record.body.session, why };
  }

  /** The session that a line names; almost always that of the line before it. */
  #sessionIn(bytes: Uint8Array, [start, end]: readonly [number, number]): string {
    if (isSame(this.#lastText, bytes, start, end)) return this.#lastSession;
    this.#lastText = bytes.slice(start, end);
    const value: unknown = end > start ? JSON.parse(Buffer.from(this.#lastText).toString("utf8")) : "";
    this.#lastSession = typeof value === "string" ? value : "";
    return this.#lastSession;
  }

  pushOversized(): void {
    this.#line += 1;
    this.#chain ??= new ChainVerifier();
    this.#chain.pushOversized();
  }

  /** Returns the result for a segment with another entry in its place. */
  replaced(why: string): CheckedSegment {
    const { report, end } = this.result(false);
    return { report: { ...report, status: "altered", why }, end, uncovered: 0, recovered: [] };
  }

  failed(error: unknown): CheckedSegment {
    const packed = /^Z_/.test((error as NodeJS.ErrnoException).code ?? "");
    const why = packed ? "it cannot be unpacked" : readFault(error);
    const { report, end } = this.result(false);
    return {
      report: { ...report, status: packed ? "altered" : "unchecked", why: report.why ?? why },
      end,
      uncovered: 0,
      recovered: this.#recovered,
    };
  }

  /** `whole` is false when the file could not be read to its end. */
  result(whole = true): CheckedSegment {
    this.#chain ??= new ChainVerifier(this.#segment.after);
    const found = this.#chain.report();
    const problem = this.#problem ?? (found.status === "altered" || !whole ? undefined : this.#cutOff(found.records));
    const records = found.records - (this.#problem ? 1 : 0);
    const report = problem ? ({ ...found, records, status: "altered", problem } as const) : found;
    const end = records > 0 ? { seq: this.#start.seq + found.records, hash: found.head } : this.#start;
    const covered = this.#segment.checkpoints.at(-1)?.size ?? 0;
    const uncovered = Math.max(0, records - covered);
    return { report: fileReport(this.#segment.file, report), end, uncovered, recovered: this.#recovered };
  }

  #begin(first: Uint8Array): ChainVerifier {
    const after = this.#segment.after ?? claimedStart(first);
    if (after) this.#start = after;
    return new ChainVerifier(after);
  }

  /** The next checkpoints of exactly this many lines. */
  #covered(seal: Placed["seal"]): string | undefined {
    const { checkpoints } = this.#segment;
    for (let due = checkpoints[this.#next]; due && due.size <= this.#line; due = checkpoints[++this.#next]) {
      if (due.size < this.#line) continue;
      const agrees =
        due.head === seal.hash && due.seq === seal.seq && Buffer.from(this.#frontier.root()).equals(due.root);
      if (!agrees) return `the segment up to here is not what the checkpoint of ${due.time} covers`;
    }
    return undefined;
  }

  #header({ body }: AuditRecord): string | undefined {
    const { number } = this.#segment;
    if (number === undefined) return undefined;
    const header = body.event === "segment" ? body.observations["segment"] : undefined;
    const claimed = typeof header === "object" && header !== null ? (header as { number?: unknown }).number : undefined;
    return claimed === number ? undefined : `it does not begin segment ${number}`;
  }

  /** Returns a fault for a record of another session: the folder is named after the session's digest. */
  #foreign(named: string): string | undefined {
    const { session } = this.#segment;
    if (session === undefined || named === "" || named === this.#session) return undefined;
    if (`sha256:${session}` !== sha256(named)) return "it is a record of another session";
    this.#session = named;
    return undefined;
  }

  /** Returns the fault of records that a checkpoint covers but that are missing, even if the last line is unfinished. */
  #cutOff(records: number): { readonly line: number; readonly seq: undefined; readonly why: string } | undefined {
    const last = this.#segment.checkpoints.at(-1);
    if (!last || last.size <= records) return undefined;
    const why = `it ends after ${records} of the ${last.size} records that the checkpoint of ${last.time} covers`;
    return { line: records + 1, seq: undefined, why };
  }
}

function claimedStart(first: Uint8Array): { readonly seq: number; readonly hash: string } | undefined {
  const check = checkLine(first);
  return check.ok ? { seq: check.record.seal.seq - 1, hash: check.record.seal.prev } : undefined;
}

function isSame(text: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== bytes[start + i]) return false;
  return true;
}
