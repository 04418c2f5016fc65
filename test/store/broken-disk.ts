import { fdatasync, fdatasyncSync, writeSync } from "node:fs";
import type { Disk } from "../../store/chain-file.ts";

/** A disk that can be told to fail, with the codes that real ones fail with. */
export interface BrokenDisk extends Disk {
  /** How often it was asked to sync. */
  readonly syncs: number;
  /** Syncs in the background that have not ended. */
  readonly underWay: number;
  /** From now on each write puts down this many bytes and then fails. */
  fails(code: string, bytes: number): void;
  /** From now on each sync fails. */
  syncFails(code: string): void;
  /** From now on all goes well. */
  works(): void;
}

/** A disk that works until it is told otherwise. */
export function brokenDisk(): BrokenDisk {
  let fault: { readonly code: string; readonly bytes: number } | undefined;
  let syncFault: string | undefined;
  let syncs = 0;
  let underWay = 0;
  return {
    get syncs() {
      return syncs;
    },
    get underWay() {
      return underWay;
    },
    fails: (code, bytes) => {
      fault = { code, bytes };
    },
    syncFails: (code) => {
      syncFault = code;
    },
    works: () => {
      fault = undefined;
      syncFault = undefined;
    },
    write: (file, bytes, offset) => {
      if (!fault) return writeSync(file, bytes, offset);
      // A full disk takes what it has room for and says so; only the next write fails.
      const room = fault.bytes - offset;
      if (room > 0) return writeSync(file, bytes, offset, Math.min(room, bytes.length - offset));
      throw failure(fault.code);
    },
    sync: (file) => {
      syncs += 1;
      if (syncFault !== undefined) throw failure(syncFault);
      fdatasyncSync(file);
    },
    syncLater: (file, done) => {
      syncs += 1;
      if (syncFault !== undefined) return done(failure(syncFault));
      underWay += 1;
      fdatasync(file, (error) => {
        underWay -= 1;
        done(error);
      });
    },
  };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: the disk fails`), { code });
}
