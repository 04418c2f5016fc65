import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";

/** How long a writer waits for others before it gives up, in milliseconds. One append takes well under one. */
const usualPatience = 5_000;

/**
 * Runs `work` while no other process does so under the same lock file. A lock whose process on this machine is gone is
 * taken over; the take-over itself is guarded by a second file, so that two waiting processes cannot both do it.
 * Throws when the lock is not free within `patience` milliseconds, or cannot be made.
 */
export function locked<T>(path: string, work: () => T, patience: number = usualPatience): T {
  acquire(path, patience);
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

function acquire(path: string, patience: number): void {
  const mine = `${process.pid} ${hostname()}\n`;
  const giveUp = performance.now() + patience;
  for (let wait = 1; !create(path, mine); wait = Math.min(wait * 2, 50)) {
    if (performance.now() > giveUp) throw new Error(`\`${path}\` is held by another process (${ownerOf(path)})`);
    if (abandoned(path)) breakLock(path);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
  }
}

/** True when the file did not exist and now holds `content`. */
function create(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, content);
  } finally {
    closeSync(file);
  }
  return true;
}

/** Removes an abandoned lock; looks again under a lock of its own, since another process may have been faster. */
function breakLock(path: string): void {
  const breaker = `${path}.break`;
  if (!create(breaker, `${process.pid}\n`)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return;
  }
  try {
    if (abandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

/** A lock without an owner's name for this long, in milliseconds, was left by a process that ended while it made it. */
const unnamedTooLong = 2_000;

/** True when the owner was on this machine and runs no more. A lock of another machine is never taken over. */
function abandoned(path: string): boolean {
  const owner = ownerOf(path);
  if (owner === "") return age(path) > unnamedTooLong;
  const match = /^(\d{1,10}) (\S+)\n$/.exec(owner);
  if (!match || match[2] !== hostname()) return false;
  try {
    process.kill(Number(match[1]), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function age(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : 0;
}

function ownerOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
