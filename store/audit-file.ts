import { closeSync, fstatSync, ftruncateSync, lstatSync } from "node:fs";
import { dirname } from "node:path";
import type { AuditBody, AuditSeal } from "../schema/generated.ts";
import type { AuditStore, Clock } from "../schema/ports.ts";
import {
  type ChainEnd,
  chainEnd,
  type Disk,
  machineDisk,
  moveTornLine,
  openForAppend,
  type TornLine,
  writeWhole,
} from "./chain-file.ts";
import { type Durability, Syncing } from "./durability.ts";
import { makeFolder } from "./folders.ts";
import { locked } from "./lock.ts";
import { LossCounter } from "./losses.ts";
import { Sealer } from "./sealing.ts";
import { clockJumpNote, gapNote } from "./trail-notes.ts";

export { ChainVerifier } from "../engine/chain.ts";
export type { Disk } from "./chain-file.ts";
export type { Durability } from "./durability.ts";

/** How an audit trail is written. */
export interface AuditFileOptions {
  /** Clock of the seals; the machine's when not given. */
  readonly clock?: Clock;
  /** Monotonic clock of the seals, milliseconds; this process's when not given. */
  readonly monotonic?: Clock;
  /** `group` when not given. In all three a record survives the end of this process once `append` returned. */
  readonly durability?: Durability;
  /** The machine's when not given; tests give one that fails. */
  readonly disk?: Disk;
}

/** An audit trail in one file. */
export interface AuditFile extends AuditStore {
  /** Path of the file that received an earlier process's unfinished last line, if there was one. */
  readonly torn: string | undefined;
  /** The same, with its digest and size. */
  readonly tornLine: TornLine | undefined;
  /** Bytes of the records so far: the offset of the next one, unless another process appends. */
  readonly size: number;
  /** Syncs and closes. Throws when the sync fails. */
  close(): void;
}

/**
 * Opens (or creates) an audit trail in one plain file, for the records of any sessions. The chain continues after the last
 * complete record, which is checked; an unfinished line of an earlier process is moved to `<path>.torn-<n>`. Lost records and
 * jumps of the wall clock are noted before the next record. Folders get mode 0700, the file 0600. Several processes may append to
 * one file: each append holds `<path>.lock` briefly. Throws if the path is a symbolic link or no regular file, if it cannot be
 * written, or if its last record is altered. Source: threats page section 3.2.
 */
export function openAuditFile(path: string, options: AuditFileOptions = {}): AuditFile {
  makeFolder(dirname(path), 0o700);
  const made = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  const file = openForAppend(path);
  try {
    const torn = locked(`${path}.lock`, () => moveTornLine(file, path));
    return new OpenAuditFile(path, file, made, torn, options);
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

class OpenAuditFile implements AuditFile {
  readonly tornLine: TornLine | undefined;
  readonly #path: string;
  readonly #file: number;
  readonly #disk: Disk;
  readonly #sealer: Sealer;
  readonly #syncing: Syncing;
  readonly #losses = new LossCounter();
  #end: ChainEnd;
  #open = true;

  constructor(path: string, file: number, made: boolean, torn: TornLine | undefined, options: AuditFileOptions) {
    const { clock, monotonic, durability = "group", disk = machineDisk } = options;
    this.#path = path;
    this.#file = file;
    this.tornLine = torn;
    this.#disk = disk;
    this.#sealer = new Sealer(clock, monotonic);
    this.#syncing = new Syncing(file, durability, disk, made ? dirname(path) : undefined);
    this.#end = chainEnd(file);
  }

  get torn(): string | undefined {
    return this.tornLine?.path;
  }

  get size(): number {
    return this.#end.size;
  }

  append(body: AuditBody, latencyUs: number): AuditSeal {
    if (!this.#open) throw new Error(`\`${this.#path}\` is closed`);
    try {
      this.#syncing.check();
      // Taken within the lock, so that times follow the order of the records.
      return locked(`${this.#path}.lock`, () => this.#append(body, latencyUs, this.#sealer.now()));
    } catch (fault) {
      this.#losses.count(this.#sealer.now().wall, fault);
      throw fault;
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#syncing.end();
    } finally {
      closeSync(this.#file);
    }
  }

  #append(body: AuditBody, latencyUs: number, now: ReturnType<Sealer["now"]>): AuditSeal {
    if (fstatSync(this.#file).size !== this.#end.size) {
      moveTornLine(this.#file, this.#path);
      this.#end = chainEnd(this.#file);
    }
    const lost = this.#losses.pending();
    if (lost) this.#write(gapNote("", now.wall, lost), 0, now);
    if (lost) this.#losses.recorded();
    const jump = this.#sealer.jump(now, this.#end.written);
    if (jump) this.#write(clockJumpNote("", now.wall, jump), 0, now);
    return this.#write(body, latencyUs, now);
  }

  #write(body: AuditBody, latencyUs: number, now: ReturnType<Sealer["now"]>): AuditSeal {
    const { size, seq, prev } = this.#end;
    const { seal, bytes } = this.#sealer.seal(body, seq, prev, now, latencyUs);
    writeWhole(this.#file, bytes, size, this.#disk);
    try {
      this.#syncing.written();
    } catch (error) {
      // A record that is answered as if it were not there must not be there later.
      ftruncateSync(this.#file, size);
      throw error;
    }
    this.#end = { size: size + bytes.length, start: size, seq: seq + 1, prev: seal.hash, written: now.wall };
    return seal;
  }
}
