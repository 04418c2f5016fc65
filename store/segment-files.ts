import { closeSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sha256 } from "../engine/canonical.ts";
import { limits } from "../schema/limits.ts";
import { LineSplitter } from "./lines.ts";
import { openOwn, readOwn } from "./session-file.ts";

/** The files of one session. An id comes from a host, so that only its digest is a name. */
export interface SessionFiles {
  /** Beside the folder, so that it is there when the folder is retired. */
  readonly lock: string;
  /** Folder of the session: its segments, and what follows. */
  readonly segments: string;
  readonly snapshot: string;
  /** How many records could not be written since the last one that was. */
  readonly lost: string;
}

/** One segment of a session's trail on the disk. */
export interface SegmentFile {
  /** From 1, in the order of the records. */
  readonly number: number;
  readonly path: string;
  /** True when it is closed and was compressed (`.jsonl.gz`). */
  readonly compressed: boolean;
}

/** One line of a session's trail. `number` counts from 1 in its segment, `start` is its offset there, uncompressed. */
export interface SegmentLine {
  readonly segment: SegmentFile;
  readonly number: number;
  readonly start: number;
  /** Undefined when the line is longer than any record. */
  readonly bytes: Uint8Array | undefined;
  /** False for a last line without its line break: it was never acknowledged. */
  readonly complete: boolean;
}

/** Bytes of the longest line that is read: no record is longer than a few times its event. */
export const longestLine = limits.eventBytes * 4;

/** Most bytes of a segment to compress; larger ones are not compressed. */
export const largestCompressed = 268_435_456;

/** Name of a session's folder: the hex digits of the SHA-256 of its id. */
export function sessionDigest(session: string): string {
  return sha256(session).slice("sha256:".length);
}

/** Names of a session's files in a folder of sessions. */
export function sessionFiles(folder: string, session: string): SessionFiles {
  const segments = join(folder, sessionDigest(session));
  return {
    lock: `${segments}.lock`,
    segments,
    snapshot: join(segments, "state.json"),
    lost: join(segments, "lost"),
  };
}

/** Path of a segment that is not compressed. */
export function segmentPath(sessionFolder: string, number: number): string {
  return join(sessionFolder, `${String(number).padStart(6, "0")}.jsonl`);
}

/** Names of the folders of sessions (`sessionDigest`) in a folder, sorted. Empty when there is no such folder. */
export function sessionsIn(folder: string): readonly string[] {
  return namesIn(folder).filter((name) => /^[0-9a-f]{64}$/.test(name));
}

/** Lists the segments in the folder of one session, in order. If a segment exists twice, the uncompressed one counts. */
export function segmentsIn(sessionFolder: string): readonly SegmentFile[] {
  const found = new Map<number, SegmentFile>();
  for (const name of namesIn(sessionFolder)) {
    const match = /^(\d{6,12})\.jsonl(\.gz)?$/.exec(name);
    if (!match) continue;
    const number = Number(match[1]);
    const compressed = match[2] !== undefined;
    // One number has one name, or two files would be the same segment.
    if (match[1] !== String(number).padStart(6, "0")) continue;
    if (number > 0 && (!compressed || !found.has(number)))
      found.set(number, { number, path: join(sessionFolder, name), compressed });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}

/** Segments of a session, in order; none when nothing was recorded of it. */
export function segmentsOf(folder: string, session: string): readonly SegmentFile[] {
  return segmentsIn(join(folder, sessionDigest(session)));
}

/** Lines of all segments of a session in order, in memory that does not grow with them. Throws what the file system throws. */
export function* linesOfSession(folder: string, session: string): Generator<SegmentLine> {
  for (const segment of segmentsOf(folder, session)) yield* linesOfSegment(segment);
}

/**
 * Yields the lines of one segment from an offset on. A compressed segment is held in memory as a whole. Throws for anything
 * that is not a regular file, and for errors of the file system; yields nothing if the segment ends before the offset.
 */
export function* linesOfSegment(segment: SegmentFile, from = 0): Generator<SegmentLine> {
  const splitter = new LineSplitter(longestLine);
  let start = from;
  let number = 0;
  for (const chunk of segment.compressed ? compressedBytes(segment.path, from) : bytesOf(segment.path, from)) {
    for (const { bytes } of splitter.push(chunk)) {
      number += 1;
      yield { segment, number, start, bytes, complete: true };
      start += (bytes?.length ?? 0) + 1;
    }
  }
  for (const { bytes } of splitter.end()) yield { segment, number: number + 1, start, bytes, complete: false };
}

function* bytesOf(path: string, from: number): Generator<Uint8Array> {
  const opened = openOwn(path);
  if (!opened) return;
  try {
    for (let at = from; ; ) {
      const chunk = new Uint8Array(65_536);
      const count = readSync(opened.file, chunk, 0, chunk.length, at);
      if (count === 0) return;
      at += count;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(opened.file);
  }
}

function* compressedBytes(path: string, from: number): Generator<Uint8Array> {
  const packed = readOwn(path, largestCompressed);
  if (!packed) throw new Error(`\`${path}\` is missing or too large`);
  const bytes = gunzipSync(packed, { maxOutputLength: largestCompressed });
  for (let at = from; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
