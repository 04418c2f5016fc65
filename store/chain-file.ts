import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { checkLine, firstPrev } from "../engine/chain.ts";

/** Operations that bring bytes to the disk; tests of failing disks replace it. All throw errors of the file system. */
export interface Disk {
  /** Writes at the end of a file; gives the number of bytes written, which may be fewer. */
  write(file: number, bytes: Uint8Array, offset: number): number;
  /** Brings what was written to the disk. */
  sync(file: number): void;
  /** The same in the background; throws nothing. */
  syncLater(file: number, done: (error: unknown) => void): void;
}

/** The disk of this machine. */
export const machineDisk: Disk = {
  write: (file, bytes, offset) => writeSync(file, bytes, offset),
  sync: fdatasyncSync,
  syncLater: fdatasync,
};

/** End of a chain, where its next record goes. */
export interface ChainEnd {
  /** Bytes of the complete lines of the file. */
  readonly size: number;
  /** Offset of the last line; 0 if there is none. */
  readonly start: number;
  /** Number of the next record. */
  readonly seq: number;
  /** Hash of the last record. */
  readonly prev: string;
  /** Wall clock of the last record, milliseconds; undefined if there is none. */
  readonly written: number | undefined;
}

/** End of a chain without records. */
export const emptyEnd: ChainEnd = { size: 0, start: 0, seq: 0, prev: firstPrev, written: undefined };

/** An unfinished line that was moved out of a file. */
export interface TornLine {
  /** Path of the file that has it now. */
  readonly path: string;
  /** SHA-256 of its bytes, `sha256:<hex>`. */
  readonly digest: string;
  /** Number of its bytes. */
  readonly size: number;
}

/** The last complete line of a file is no sound record. */
export class DamagedEnd extends Error {}

/**
 * Opens a regular file for appending, made with mode 0600 when `create`. Throws for a symbolic link, for anything that is not a
 * regular file, and for errors of the file system.
 */
export function openForAppend(path: string, create = true): number {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`\`${path}\` is a symbolic link`);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const flags = O_RDWR | O_APPEND | (create ? O_CREAT : 0) | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
  const file = openSync(path, flags, 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`\`${path}\` is not a regular file`);
}

/** The end of the complete lines of a file; `emptyEnd` when it has none. Throws `DamagedEnd`. */
export function chainEnd(file: number): ChainEnd {
  const size = lineStart(file, fstatSync(file).size);
  if (size === 0) return emptyEnd;
  const start = lineStart(file, size - 1);
  return endAfter(readRange(file, start, size - 1), start, size);
}

/** The end of a chain whose last line begins at `start` and ends, with its line break, at `size`. Throws `DamagedEnd`. */
export function endAfter(line: Uint8Array, start: number, size: number): ChainEnd {
  const check = checkLine(line);
  if (!check.ok) throw new DamagedEnd(`the last audit record cannot be continued: ${check.why}`);
  const { seq, hash, written } = check.record.seal;
  const time = Date.parse(written);
  return { size, start, seq: seq + 1, prev: hash, written: Number.isNaN(time) ? undefined : time };
}

/** Keeps what follows the last line break in a file of its own, on the disk, and cuts it off; undefined when nothing follows. */
export function moveTornLine(file: number, path: string): TornLine | undefined {
  const { size } = fstatSync(file);
  const start = lineStart(file, size);
  if (start === size) return undefined;
  const bytes = readRange(file, start, size);
  const { name, torn } = createTornFile(path);
  try {
    writeWhole(torn, bytes, 0);
    fsyncSync(torn);
  } finally {
    closeSync(torn);
  }
  ftruncateSync(file, start);
  return { path: name, digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}`, size: bytes.length };
}

/** Writes all bytes at the end, or none: a partial write on a full disk is cut off again. */
export function writeWhole(file: number, bytes: Uint8Array, sizeBefore: number, disk: Disk = machineDisk): void {
  let done = 0;
  try {
    while (done < bytes.length) done += disk.write(file, bytes, done);
  } catch (error) {
    if (done > 0) ftruncateSync(file, sizeBefore);
    throw error;
  }
}

function createTornFile(path: string): { name: string; torn: number } {
  for (let n = 1; ; n++) {
    const name = `${path}.torn-${n}`;
    try {
      return { name, torn: openSync(name, "wx", 0o600) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || n >= 10_000) throw error;
    }
  }
}

/** Returns the offset after the last line break before `end`. */
function lineStart(file: number, end: number): number {
  // Most lines are shorter than the first step.
  for (let stop = end, step = 4_096; stop > 0; stop -= step, step = 65_536) {
    const from = Math.max(0, stop - step);
    const at = readRange(file, from, stop).lastIndexOf(10);
    if (at >= 0) return from + at + 1;
    if (from === 0) break;
  }
  return 0;
}

function readRange(file: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start);
  let done = 0;
  while (done < bytes.length) {
    const count = readSync(file, bytes, done, bytes.length - done, start + done);
    if (count === 0) throw new Error("the file became shorter while it was read");
    done += count;
  }
  return bytes;
}
