import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { syncFolder } from "./durability.ts";
import { locked } from "./lock.ts";
import type { LeftAlone } from "./retention.ts";
import { largestCompressed, type SegmentFile, segmentsIn, sessionsIn } from "./segment-files.ts";

/** A segment that was compressed, with its bytes before and after. */
export interface CompressedSegment {
  readonly path: string;
  readonly before: number;
  readonly after: number;
}

/** Result of compressing segments. */
export interface CompressReport {
  readonly compressed: readonly CompressedSegment[];
  readonly left: readonly LeftAlone[];
}

/**
 * Compresses the segments that are written to no more, in all sessions of an audit folder: `<n>.jsonl` becomes
 * `<n>.jsonl.gz`. The newest segment of each session stays as it is. A segment is removed only when its compressed form is
 * on the disk and has been read back; one that ends with an unfinished line, or is larger than 256 MiB, is left alone.
 */
export function compressSegments(
  folder: string,
  options: { readonly dryRun?: boolean; readonly patience?: number } = {},
): CompressReport {
  const compressed: CompressedSegment[] = [];
  const left: LeftAlone[] = [];
  for (const session of sessionsIn(folder)) {
    const closed = () => segmentsIn(join(folder, session)).slice(0, -1);
    if (!closed().some((segment) => !segment.compressed)) continue;
    try {
      locked(
        join(folder, `${session}.lock`),
        () => {
          for (const segment of closed().filter((one) => !one.compressed))
            compressed.push(compress(segment, options.dryRun === true));
        },
        options.patience ?? 2_000,
      );
    } catch (fault) {
      left.push({ name: session, why: fault instanceof Error ? fault.message : String(fault) });
    }
  }
  return { compressed, left };
}

function compress({ path }: SegmentFile, dryRun: boolean): CompressedSegment {
  const stat = lstatSync(path);
  if (!stat.isFile()) throw new Error(`\`${path}\` is not a regular file`);
  if (stat.size > largestCompressed) throw new Error(`\`${path}\` is too large to be compressed`);
  const bytes = readFileSync(path);
  if (bytes.at(-1) !== 10) throw new Error(`\`${path}\` ends with an unfinished line`);
  const packed = gzipSync(bytes);
  const done = { path, before: bytes.length, after: packed.length };
  if (dryRun) return done;
  const temporary = join(dirname(path), `.${randomBytes(9).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, packed);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!gunzipSync(readFileSync(temporary)).equals(bytes)) throw new Error(`\`${path}\` could not be compressed`);
    renameSync(temporary, `${path}.gz`);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  unlinkSync(path);
  return done;
}
