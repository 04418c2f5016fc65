import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { checkLine, firstPrev, recordLine, sealRecord } from "../engine/chain.ts";
import type { AuditBody, AuditSeal } from "../schema/generated.ts";
import type { AuditStore, Clock } from "../schema/ports.ts";
import { locked } from "./lock.ts";

export { ChainVerifier } from "../engine/chain.ts";

/** When a record must have reached the disk: before `append` returns, within 10 ms of it, or whenever the system likes. */
export type Durability = "strict" | "group" | "relaxed";

/** How an audit trail is written. */
export interface AuditFileOptions {
  /** Clock of the seals; the machine's when not given. */
  readonly clock?: Clock;
  /** `group` when not given. In all three a record survives the end of this process once `append` returned. */
  readonly durability?: Durability;
}

/** An audit trail in one file. */
export interface AuditFile extends AuditStore {
  /** Where the unfinished last line of an earlier process was moved to, if there was one. */
  readonly torn: string | undefined;
  /** Bytes of the records so far; while nobody else appends, where the next one begins. */
  readonly size: number;
  /** Syncs and closes. */
  close(): void;
}

/** Milliseconds within which `group` brings a record to the disk. */
const groupDelay = 10;

/**
 * Opens (or creates) an audit trail for appending. The chain goes on from the last complete record, which is checked; a
 * line that an earlier process did not finish is moved to `<path>.torn-<n>`. Folders are made with mode 0700, the file
 * with 0600. Several processes may append to one file: each append takes `<path>.lock` for its moment.
 * Throws when the path is a symbolic link or no regular file, when it cannot be written, or its last record is altered.
 * Source: threats page section 3.2.
 */
export function openAuditFile(path: string, options: AuditFileOptions = {}): AuditFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openForAppend(path);
  try {
    const torn = locked(`${path}.lock`, () => moveTornLine(file, path));
    return new OpenAuditFile(path, file, torn, options);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

class OpenAuditFile implements AuditFile {
  readonly torn: string | undefined;
  readonly #path: string;
  readonly #file: number;
  readonly #clock: Clock;
  readonly #durability: Durability;
  #end: ChainEnd;
  #timer: NodeJS.Timeout | undefined;
  #open = true;

  constructor(path: string, file: number, torn: string | undefined, options: AuditFileOptions) {
    this.#path = path;
    this.#file = file;
    this.torn = torn;
    this.#clock = options.clock ?? { now: () => Date.now() };
    this.#durability = options.durability ?? "group";
    this.#end = chainEnd(file);
  }

  get size(): number {
    return this.#end.size;
  }

  append(body: AuditBody, latencyUs: number): AuditSeal {
    if (!this.#open) throw new Error(`\`${this.#path}\` is closed`);
    const seal = locked(`${this.#path}.lock`, () => this.#write(body, latencyUs));
    this.#sync();
    return seal;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    try {
      if (this.#durability !== "relaxed") fdatasyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }

  #write(body: AuditBody, latencyUs: number): AuditSeal {
    if (fstatSync(this.#file).size !== this.#end.size) {
      moveTornLine(this.#file, this.#path);
      this.#end = chainEnd(this.#file);
    }
    const { seal, line } = this.#sealed(body, latencyUs);
    writeWhole(this.#file, line, this.#end.size);
    this.#end = { size: this.#end.size + line.length, seq: seal.seq + 1, prev: seal.hash };
    return seal;
  }

  #sealed(body: AuditBody, latencyUs: number): { seal: AuditSeal; line: Uint8Array } {
    const { seq, prev } = this.#end;
    const written = new Date(this.#clock.now()).toISOString();
    const record = sealRecord(body, {
      seq,
      prev,
      written,
      pid: process.pid,
      latency_us: Math.max(0, Math.round(latencyUs)),
    });
    return { seal: record.seal, line: Buffer.from(`${recordLine(record)}\n`, "utf8") };
  }

  #sync(): void {
    if (this.#durability === "strict") fdatasyncSync(this.#file);
    if (this.#durability !== "group" || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      syncQuietly(this.#file);
    }, groupDelay).unref();
  }
}

/** Where the next record goes. */
interface ChainEnd {
  readonly size: number;
  readonly seq: number;
  readonly prev: string;
}

function openForAppend(path: string): number {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`\`${path}\` is a symbolic link`);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`\`${path}\` is not a regular file`);
}

/** Reads the end of a file that consists of complete lines. Throws when the last of them is not a sound record. */
function chainEnd(file: number): ChainEnd {
  const { size } = fstatSync(file);
  if (size === 0) return { size, seq: 0, prev: firstPrev };
  const start = lineStart(file, size - 1);
  const check = checkLine(readRange(file, start, size - 1));
  if (!check.ok) throw new Error(`the last audit record cannot be continued: ${check.why}`);
  return { size, seq: check.record.seal.seq + 1, prev: check.record.seal.hash };
}

/** Keeps what follows the last line break in a file of its own and cuts it off; undefined when nothing follows. */
function moveTornLine(file: number, path: string): string | undefined {
  const { size } = fstatSync(file);
  const start = lineStart(file, size);
  if (start === size) return undefined;
  const { name, torn } = createTornFile(path);
  try {
    writeWhole(torn, readRange(file, start, size), 0);
    fsyncSync(torn);
  } finally {
    closeSync(torn);
  }
  ftruncateSync(file, start);
  return name;
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

/** Offset behind the last line break before `end`. */
function lineStart(file: number, end: number): number {
  const step = 65_536;
  for (let stop = end; stop > 0; stop -= step) {
    const from = Math.max(0, stop - step);
    const at = readRange(file, from, stop).lastIndexOf(10);
    if (at >= 0) return from + at + 1;
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

/** Writes all bytes at the end, or none: what a full disk let through is cut off again. */
function writeWhole(file: number, bytes: Uint8Array, sizeBefore: number): void {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(file, bytes, done);
  } catch (error) {
    if (done > 0) ftruncateSync(file, sizeBefore);
    throw error;
  }
}

function syncQuietly(file: number): void {
  try {
    fdatasyncSync(file);
  } catch {
    // The file was closed, or the disk reports an error that the next append meets as well.
  }
}
