import { closeSync, fstatSync, ftruncateSync, lstatSync } from "node:fs";
import { basename } from "node:path";
import type { AuditBody, AuditSeal } from "../schema/generated.ts";
import type { Clock } from "../schema/ports.ts";
import { type ChainEnd, type Disk, machineDisk, moveTornLine, openForAppend, writeWhole } from "./chain-file.ts";
import type { Checkpointer } from "./checkpoints.ts";
import { type Durability, Syncing } from "./durability.ts";
import { LossCounter } from "./losses.ts";
import { type Moment, Sealer } from "./sealing.ts";
import { compressedStanding, followsDamage, nothing, openStanding, type Standing } from "./segment-end.ts";
import {
  linesOfSegment,
  type SegmentFile,
  type SessionFiles,
  segmentPath,
  segmentsIn,
  sessionDigest,
  sessionFiles,
} from "./segment-files.ts";
import { SegmentTree } from "./segment-tree.ts";
import { ownFolder } from "./session-file.ts";
import { clockJumpNote, corruptionNote, gapNote, recoveredNote, segmentNote } from "./trail-notes.ts";

/** How the trail of a session is written. */
export interface TrailOptions {
  /** `group` when not given. */
  readonly durability?: Durability;
  /** Wall clock of the seals; the machine's when not given. */
  readonly clock?: Clock;
  /** Monotonic clock of the seals, milliseconds; this process's when not given. */
  readonly monotonic?: Clock;
  /** Bytes after which a segment is followed by another; 64 MiB when not given. */
  readonly segmentBytes?: number;
  /** The machine's when not given; tests give one that fails. */
  readonly disk?: Disk;
  /** True for a host process that runs for long: its first record begins a segment. */
  readonly longLived?: boolean;
  /** Writes checkpoints; none are written when not given. */
  readonly checkpointer?: Checkpointer;
}

/** Place of a record in the trail of its session. */
export interface TrailEnd {
  readonly segment: number;
  readonly seq: number;
  readonly hash: string;
  /** Offset of its line in the segment. */
  readonly start: number;
}

const usualSegmentBytes = 67_108_864;

/**
 * Writes the trail of one session into its newest segment (`openSegments` describes the layout). Callers of its methods must
 * hold the session's lock, except for `behind`. Nothing is made on the disk before the first record.
 */
export class SegmentTrail {
  readonly #session: string;
  readonly #files: SessionFiles;
  readonly #options: TrailOptions;
  readonly #sealer: Sealer;
  readonly #losses: LossCounter;
  #standing: Standing | undefined;
  #file: number | undefined;
  #ino = 0;
  /** Size of the file in bytes when last read, including an unfinished line. */
  #seen = 0;
  #syncing: Syncing | undefined;
  #lost = false;
  #begun: boolean;
  #tree: SegmentTree | undefined;
  /** Records since the tree is not known, and since when. */
  #untold = { records: 0, since: 0 };

  constructor(folder: string, session: string, options: TrailOptions) {
    this.#session = session;
    this.#files = sessionFiles(folder, session);
    this.#options = options;
    this.#sealer = new Sealer(options.clock, options.monotonic);
    this.#losses = new LossCounter(this.#files.lost);
    this.#begun = options.longLived !== true;
  }

  /** The last record; undefined if there is none, or the trail is not attached. */
  get end(): TrailEnd | undefined {
    const { number, end } = this.#standing ?? nothing;
    return end.seq === 0 ? undefined : { segment: number, seq: end.seq - 1, hash: end.prev, start: end.start };
  }

  /** The tree over the newest segment's lines, if it is known. */
  get tree(): SegmentTree | undefined {
    return this.#tree;
  }

  /** True if the disk no longer looks as this trail left it, as when others have appended. Looks at two files. */
  get behind(): boolean {
    const { number, open } = this.#standing ?? nothing;
    if (!this.#standing) return true;
    if (lstatSync(segmentPath(this.#files.segments, number + 1), absent) !== undefined) return true;
    if (!open) return false;
    const stat = lstatSync(segmentPath(this.#files.segments, number), absent);
    return stat === undefined || stat.ino !== this.#ino || stat.size !== this.#seen;
  }

  /** Looks up the end of the trail. `tree` is that of its newest segment, if the caller has read it. Throws what the file system throws. */
  attach(tree?: SegmentTree): void {
    const segments = segmentsIn(this.#files.segments);
    const newest = segments.at(-1);
    if (!this.#holds(newest)) this.detach();
    if (!newest) this.#standing = nothing;
    else if (newest.compressed) this.#standing = compressedStanding(newest);
    else this.#open(newest, segments.at(-2));
    this.#lost = this.#losses.pending() !== undefined;
    this.#tree = tree?.segment === this.#standing?.number ? tree : undefined;
  }

  /** Releases the file; the next write looks up the end of the trail again. */
  detach(): void {
    const [file, syncing] = [this.#file, this.#syncing];
    this.#file = undefined;
    this.#syncing = undefined;
    this.#standing = undefined;
    if (file === undefined) return;
    try {
      syncing?.end();
    } finally {
      closeSync(file);
    }
  }

  /**
   * Seals and writes a record, after the trail's own notes, with the durability of the options. Throws if it cannot: the file is
   * then unchanged, and the loss is counted. `mayBeBehind` is true if the caller has not checked for records of other processes.
   */
  append(body: AuditBody, latencyUs: number, mayBeBehind = false): AuditSeal {
    const now = this.#sealer.now();
    try {
      this.#syncing?.check();
      if (!this.#standing || (mayBeBehind && this.behind)) this.attach();
      const seal = this.#write([...this.#notes(now), body], now, latencyUs);
      this.#checkpoint(now.wall, false);
      return seal;
    } catch (fault) {
      this.#losses.count(now.wall, fault);
      this.#lost = true;
      this.#abandon();
      throw fault;
    }
  }

  /**
   * Puts damage on record in a new segment, once; the damaged one is never written to again. `known` is the last record
   * that is known from elsewhere. Throws as `append`.
   */
  freeze(why: string, known?: TrailEnd): void {
    this.attach();
    const standing = this.#standing ?? nothing;
    const { number, end } = standing;
    if (known && (number < known.segment || end.seq <= known.seq)) {
      const segment = Math.max(number, known.segment);
      this.#standing = {
        ...standing,
        number: segment,
        end: { ...end, seq: known.seq + 1, prev: known.hash },
        open: false,
        corruption: { segment, why },
      };
    } else if (!standing.corruption) {
      const newest = segmentsIn(this.#files.segments).at(-1);
      if (newest && followsDamage(newest)) return;
      this.#standing = { ...standing, open: false, corruption: { segment: number, why } };
    }
    const now = this.#sealer.now();
    this.#write(this.#notes(now), now, 0);
  }

  /**
   * Closes the file as its durability says; `checkpoint` when the written records are to be checkpointed. Throws when written
   * data does not reach the disk, which counts as a loss.
   */
  close(checkpoint: boolean): void {
    try {
      if (checkpoint && this.#standing?.open) this.#checkpoint(this.#sealer.now().wall, true);
      this.#syncing?.check();
    } catch (fault) {
      this.#losses.count(this.#sealer.now().wall, fault);
      this.#abandon();
      throw fault;
    }
    try {
      this.detach();
    } catch (fault) {
      this.#losses.count(this.#sealer.now().wall, fault);
      throw fault;
    }
  }

  /** True if the newest segment is the file that is open. */
  #holds(newest: SegmentFile | undefined): boolean {
    return (
      this.#file !== undefined &&
      newest?.number === this.#standing?.number &&
      newest?.compressed === false &&
      lstatSync(newest.path, absent)?.ino === this.#ino
    );
  }

  #open(newest: SegmentFile, before: SegmentFile | undefined): void {
    if (this.#file === undefined) this.#use(openForAppend(newest.path, false), false);
    const file = this.#file ?? -1;
    this.#seen = fstatSync(file).size;
    this.#standing = openStanding(newest, file, before);
  }

  #use(file: number, made: boolean): void {
    const { durability = "group", disk } = this.#options;
    const { ino, size } = fstatSync(file);
    this.#ino = ino;
    this.#seen = size;
    this.#syncing = new Syncing(file, durability, disk, made ? this.#files.segments : undefined);
    this.#file = file;
  }

  /** Returns the notes to write before the next record, in that record's segment; begins a new segment if one is due. */
  #notes(now: Moment): AuditBody[] {
    const notes: AuditBody[] = [];
    const recovered = this.#recover(now);
    const { end, open, corruption } = this.#standing ?? nothing;
    const full = end.size >= (this.#options.segmentBytes ?? usualSegmentBytes);
    if (!open || full || !this.#begun) this.#begin(now);
    const standing = this.#standing ?? nothing;
    if (standing.end.size === 0) notes.push(this.#header(now, standing));
    if (corruption) notes.push(corruptionNote(this.#session, now.wall, corruption));
    if (recovered) notes.push(recovered);
    const lost = this.#lost ? this.#losses.pending() : undefined;
    if (lost) notes.push(gapNote(this.#session, now.wall, lost));
    const jump = this.#sealer.jump(now, standing.end.written);
    if (jump) notes.push(clockJumpNote(this.#session, now.wall, jump));
    return notes;
  }

  #header(now: Moment, { number, end }: Standing): AuditBody {
    return segmentNote(
      this.#session,
      now.wall,
      number,
      number > 1 ? { segment: number - 1, head: end.prev } : undefined,
    );
  }

  /** Moves an unfinished last line aside. A damaged segment is left as it is. */
  #recover(now: Moment): AuditBody | undefined {
    const standing = this.#standing ?? nothing;
    if (!standing.torn || this.#file === undefined) return undefined;
    const torn = moveTornLine(this.#file, segmentPath(this.#files.segments, standing.number));
    this.#standing = { ...standing, torn: false };
    return torn && recoveredNote(this.#session, now.wall, basename(torn.path), torn);
  }

  /** Begins the next segment. */
  #begin(now: Moment): void {
    const { number, end } = this.#standing ?? nothing;
    if (this.#standing?.open && this.#tree) this.#checkpoint(now.wall, true);
    this.detach();
    ownFolder(this.#files.segments);
    if (number === 0) this.#losses.prepare();
    this.#use(openForAppend(segmentPath(this.#files.segments, number + 1)), true);
    if (this.#seen > 0) throw new Error(`segment ${number + 1} was begun by another process`);
    this.#standing = { ...nothing, number: number + 1, end: { ...end, size: 0, start: 0 }, open: true };
    this.#tree = new SegmentTree(number + 1, now.wall);
    this.#begun = true;
  }

  #write(bodies: readonly AuditBody[], now: Moment, latencyUs: number): AuditSeal {
    const standing = this.#standing ?? nothing;
    const { end } = standing;
    const lines: Uint8Array[] = [];
    let { seq, prev } = end;
    let seal: AuditSeal | undefined;
    for (const body of bodies) {
      const sealed = this.#sealer.seal(body, seq, prev, now, body === bodies.at(-1) ? latencyUs : 0);
      seal = sealed.seal;
      seq += 1;
      prev = seal.hash;
      lines.push(sealed.bytes);
    }
    if (!seal || this.#file === undefined) throw new Error("there is nothing to write");
    const bytes = lines.length === 1 ? (lines[0] as Uint8Array) : Buffer.concat(lines);
    writeWhole(this.#file, bytes, end.size, this.#options.disk ?? machineDisk);
    try {
      this.#syncing?.written();
    } catch (error) {
      // A record that is answered as if it were not there must not be there later.
      ftruncateSync(this.#file, end.size);
      throw error;
    }
    const start = end.size + bytes.length - (lines.at(-1)?.length ?? 0);
    this.#wrote({ size: end.size + bytes.length, start, seq, prev, written: now.wall }, lines);
    return seal;
  }

  #wrote(end: ChainEnd, lines: readonly Uint8Array[]): void {
    this.#standing = { ...(this.#standing ?? nothing), end };
    this.#seen = end.size;
    for (const line of lines) this.#tree?.add(line.subarray(0, line.length - 1));
    if (!this.#tree) this.#untold.records += lines.length;
    if (this.#lost) this.#losses.recorded();
    this.#lost = false;
  }

  /**
   * Writes a checkpoint if it is due or, with `always`, if there are new records. The records that it covers are synced to the
   * disk first.
   */
  #checkpoint(wall: number, always: boolean): void {
    const { checkpointer } = this.#options;
    const { number, end } = this.#standing ?? nothing;
    if (!checkpointer || !this.#syncing) return;
    if (!this.#tree) {
      this.#untold.since ||= wall;
      if (!always && !checkpointer.due(this.#untold.records, wall - this.#untold.since)) return;
      this.#tree = this.#rebuilt(number, wall);
    }
    const tree = this.#tree;
    if (!tree) return;
    const news = tree.frontier.size - tree.covered;
    if (news === 0 || !(always || checkpointer.due(news, wall - tree.at)) || !this.#syncing.tryFlush()) return;
    const session = sessionDigest(this.#session);
    checkpointer.write({ session, number, frontier: tree.frontier, seq: end.seq - 1, head: end.prev }, wall);
    // Without a key, or when it failed, the next one is due as if this one had been written: it costs nothing until then.
    tree.covered = tree.frontier.size;
    tree.at = wall;
  }

  /** Rebuilds the tree from the segment's lines; undefined if they cannot be read. */
  #rebuilt(number: number, wall: number): SegmentTree | undefined {
    this.#untold = { records: 0, since: wall };
    const tree = new SegmentTree(number, 0);
    const path = segmentPath(this.#files.segments, number);
    try {
      for (const { bytes, complete } of linesOfSegment({ number, path, compressed: false }))
        if (complete && bytes) tree.add(bytes);
      return tree;
    } catch {
      return undefined;
    }
  }

  /** Drops all cached state after a fault. */
  #abandon(): void {
    try {
      this.detach();
    } catch {
      // The fault that led here says it.
    }
  }
}

const absent = { throwIfNoEntry: false } as const;
