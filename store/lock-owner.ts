import { closeSync, fstatSync, openSync, readdirSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folders.ts";

/** Identity of a lock's owner file on the disk: another file at its path has another time, even if its inode number is reused. */
export interface OwnLock {
  readonly ino: number;
  readonly mtimeMs: number;
}

/** A file with the name of this process, which becomes a lock by getting a second name. */
export interface OwnerFile extends OwnLock {
  readonly path: string;
}

/** State of the locks of one folder, as this process knows it. */
interface Folder {
  /** Locks that were taken since there is no owner file. */
  taken: number;
  file: OwnerFile | undefined;
  /** No file of this folder can have a second name. */
  barred: boolean;
}

/** Locks of a folder after which a process makes an owner file there: a process that answers one hook never gets that far. */
const rarely = 8;

const folders = new Map<string, Folder>();

/**
 * Returns this process's owner file for locks in a folder, in `<folder>/owners`; undefined while the process has taken few
 * locks there, and if the file cannot be made. Making and removing a file is the larger part of a lock's cost, on some file
 * systems ten times that of a hard link. A lock that is a hard link also names its owner from the moment it exists. `name` is
 * what the file says, `isLeft` tells a file whose process is gone: those are removed.
 */
export function ownerFile(
  folder: string,
  name: () => string,
  isLeft: (path: string) => boolean,
): OwnerFile | undefined {
  const known = folders.get(folder) ?? { taken: 0, file: undefined, barred: process.platform === "win32" };
  folders.set(folder, known);
  if (known.file || known.barred) return known.file;
  known.taken += 1;
  if (known.taken <= rarely) return undefined;
  known.file = make(join(folder, "owners"), name(), isLeft);
  known.barred = known.file === undefined;
  return known.file;
}

/** Handles an owner file that could not become a lock: it no longer exists, or the file system has no hard links. */
export function dropOwnerFile(folder: string, fault: unknown): void {
  const gone = (fault as NodeJS.ErrnoException).code === "ENOENT";
  folders.set(folder, { taken: 0, file: undefined, barred: !gone });
}

/** Owner files that this process made, each with its folder. */
const made = new Map<string, string>();

function make(owners: string, name: string, isLeft: (path: string) => boolean): OwnerFile | undefined {
  try {
    makeFolder(owners, 0o700);
    for (const one of readdirSync(owners)) if (isLeft(join(owners, one))) unlinkIfThere(join(owners, one));
    // The name is never used again, so only this file can be there.
    const path = join(owners, `${process.pid}-${process.hrtime.bigint()}`);
    const file = openSync(path, "wx", 0o600);
    try {
      writeSync(file, name);
      const { ino, mtimeMs } = fstatSync(file);
      if (made.size === 0) process.once("exit", removeOwnerFiles);
      made.set(path, owners);
      return { path, ino, mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch {
    // Locks are then made one by one.
    return undefined;
  }
}

function removeOwnerFiles(): void {
  for (const [path, owners] of made) {
    try {
      unlinkIfThere(path);
      rmdirSync(owners);
    } catch {
      // Others have theirs there.
    }
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
