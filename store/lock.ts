import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { elapsed } from "./elapsed.ts";
import { dropOwnerFile, type OwnLock, ownerFile } from "./lock-owner.ts";
import { ownFolder } from "./session-file.ts";

/** How long a writer waits for others before it gives up, in milliseconds. One append takes well under one. */
const usualPatience = 5_000;

/**
 * Runs `work` while no other process does so under the same lock file. A lock whose process on this machine is gone is
 * taken over; the take-over is guarded by a lock of its own, so that two waiting processes cannot both do it.
 * Throws when the lock is not free within `patience` milliseconds, or cannot be made.
 */
export function locked<T>(path: string, work: () => T, patience: number = usualPatience): T {
  const mine = acquire(path, elapsed() + patience, 0);
  try {
    return work();
  } finally {
    release(path, mine);
  }
}

/** Takes the lock of a file for as long as this process wants it, and returns the function that releases it. Throws as `locked`. */
export function holdLock(path: string, patience: number = usualPatience): () => void {
  const mine = acquire(path, elapsed() + patience, 0);
  return () => release(path, mine);
}

/** As `holdLock`, for a lock that only saves work: if it cannot be had in time, or at all, the work is done without it. Never throws. */
export function claim(path: string, patience: number): () => void {
  try {
    ownFolder(dirname(path));
    const release = holdLock(path, patience);
    return () => {
      try {
        release();
      } catch {
        // The next one takes it over once this process is gone.
      }
    };
  } catch {
    return () => {};
  }
}

/** Take-overs of take-overs of a lock: a process must end within microseconds at each level to need the next. */
const levels = 3;

function acquire(path: string, giveUp: number, level: number): OwnLock {
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    const mine = take(path);
    if (mine) return mine;
    if (isNoLock(path))
      throw new Error(
        `\`${path}\` is no lock that hookwarden wrote, so nobody gives it back: a human can remove this one file, no trail is in it`,
      );
    if (elapsed() > giveUp) throw new Error(heldText(path));
    if (level < levels && isAbandoned(path)) breakLock(path, giveUp, level);
    else pause(Math.min(wait, Math.max(1, giveUp - elapsed())));
  }
}

/** Describes who has a lock, and what a human can safely do about it. */
function heldText(path: string): string {
  const owner = lookAt(path)?.owner.trim() ?? "";
  const match = nameForm.exec(`${owner}\n`);
  const held = `\`${path}\` is held by another process (${owner})`;
  if (!match) return held;
  const [, pid, host, , space = "-"] = match;
  const elsewhere = host !== hostname() || (space !== "-" && space !== processSpace());
  const where = host === hostname() ? (elsewhere ? "in its container" : "on this machine") : `on \`${host}\``;
  return `${held}; if process ${pid} runs no more ${where}, a human can remove this one file, no trail is in it`;
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Takes the lock if it is free; undefined otherwise. A process that takes many hard-links a file of its own, which is cheaper. */
function take(path: string): OwnLock | undefined {
  const folder = dirname(path);
  const own = ownerFile(folder, ownName, isAbandoned);
  if (!own) return create(path, ownName());
  try {
    linkSync(own.path, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      dropOwnerFile(folder, error);
      return create(path, ownName());
    }
    // Over a network a link can be made and its answer lost: it is asked for again, and is then there.
    if (linked.has(path) || !isAt(path, own)) return undefined;
  }
  linked.add(path);
  return own;
}

/** Locks of this process that are second names of its file. */
const linked = new Set<string>();

/** Creates the lock file with `content`; undefined if it already existed. */
function create(path: string, content: string): OwnLock | undefined {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
  try {
    writeSync(file, content);
    // A process that was stopped for long in between has lost the lock, and must not think that it has it.
    const mine = fstatSync(file);
    return isAt(path, mine) ? mine : undefined;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Releases the lock, unless it was removed and another process has it now. */
function release(path: string, mine: OwnLock): void {
  linked.delete(path);
  if (!isAt(path, mine)) return;
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function isAt(path: string, { ino, mtimeMs }: OwnLock): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.ino === ino && found.mtimeMs === mtimeMs;
}

/** Removes an abandoned lock; looks again under a lock of its own, since another process may have been faster. */
function breakLock(path: string, giveUp: number, level: number): void {
  const breaker = `${path}.break`;
  const mine = acquire(breaker, giveUp, level + 1);
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    release(breaker, mine);
  }
}

/** A lock without an owner's name for this long, in milliseconds, was left by a process that ended while it made it. */
const unnamedTooLong = 1_000;

/** Form of the text that `ownName` writes. */
const nameForm = /^(\d{1,10}) (\S+)(?: (\S+) (\S+))?\n$/;

/** True for an entry at the path that is never released, since hookwarden did not write it: waiting does not help. */
function isNoLock(path: string): boolean {
  const found = lookAt(path);
  return (
    found !== undefined &&
    found.owner !== "" &&
    !nameForm.test(found.owner) &&
    Date.now() - found.written > unnamedTooLong
  );
}

/** True when the owner was on this machine and runs no more. A lock of another machine is never taken over. */
export function isAbandoned(path: string): boolean {
  const found = lookAt(path);
  if (!found) return false;
  const { owner, written } = found;
  if (owner === "") return Date.now() - written > unnamedTooLong;
  const match = nameForm.exec(owner);
  if (!match || match[2] !== hostname()) return false;
  const [, pid = "", , started = "-", space = "-"] = match;
  if (space !== "-" && space !== processSpace()) return false;
  return !runs(Number(pid)) || (started !== "-" && startOf(pid) !== "-" && startOf(pid) !== started);
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Returns the number of this process and the name of the machine. If the system provides them, also the start of the process,
 * because numbers are reused, and its namespace, because containers have separate numbers.
 */
export function ownName(): string {
  ownIdentity ??= `${process.pid} ${hostname()} ${startOf(String(process.pid))} ${processSpace()}\n`;
  return ownIdentity;
}

let ownIdentity: string | undefined;

/** Returns the start of a process, in ticks since the machine started; `-` where it cannot be known. */
function startOf(pid: string): string {
  const stat = systemText(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The program's name is in brackets and may contain anything; the start is the 20th field after it.
  return stat === undefined ? "-" : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "-");
}

function processSpace(): string {
  return systemText(() => readlinkSync("/proc/self/ns/pid")) ?? "-";
}

function systemText(read: () => string): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A lock file as it was at one moment. */
interface Look {
  /** Owner named in the file; a file that hookwarden did not write names none that could be taken over. */
  readonly owner: string;
  /** Time of the last write, in milliseconds since the epoch. */
  readonly written: number;
}

/**
 * Reads a lock file; undefined if there is none. Name and time come from one open file, because another lock may replace it a
 * moment later. A hard link to an old file looks like an old lock.
 */
function lookAt(path: string): Look | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const file = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return foreign;
      const bytes = new Uint8Array(512);
      const owner = Buffer.from(bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))).toString("utf8");
      return { owner, written: stat.mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link (`ELOOP`) stays a link; other reasons why a file cannot be read may pass.
    return code === "ENOENT" ? undefined : code === "ELOOP" ? foreign : { ...foreign, written: Date.now() };
  }
}

const foreign: Look = { owner: "unknown", written: 0 };
