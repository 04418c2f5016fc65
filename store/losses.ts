import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** Records that could not be written since the last one that was. */
export interface Losses {
  readonly lost: number;
  /** When the first of them was lost, RFC 3339. */
  readonly since: string;
  /** The file system's error for the last one. */
  readonly why: string;
}

/** Bytes of the file: its place on the disk is taken when it is made, so that it can be changed on a full one. */
const fileBytes = 256;

/**
 * Counts the lost records of a trail, for the gap note before the next written record. One-shot processes leave the count in a
 * file that was made with the trail and is changed in place. If that is impossible too (a read-only disk), the count ends with
 * the process.
 */
export class LossCounter {
  readonly #path: string | undefined;
  #own: Losses | undefined;

  /** `path` of the file; without one the count is this process's alone. */
  constructor(path?: string) {
    this.#path = path;
  }

  /** Makes the file, if it does not exist. Never throws. */
  prepare(): void {
    this.#change("wx", undefined);
  }

  /** Returns the losses so far; undefined when nothing is lost. Never throws. */
  pending(): Losses | undefined {
    const stored = this.#read();
    return stored && this.#own && stored.lost < this.#own.lost ? this.#own : (stored ?? this.#own);
  }

  /** Counts one more lost record, at `wall` milliseconds. Never throws. */
  count(wall: number, fault: unknown): void {
    const before = this.pending();
    const why = fault instanceof Error ? ((fault as NodeJS.ErrnoException).code ?? fault.message) : String(fault);
    const since = before?.since ?? new Date(Number.isFinite(wall) ? wall : 0).toISOString();
    // A reason that does not fit the file would make it unreadable.
    this.#own = { lost: (before?.lost ?? 0) + 1, since, why: why.slice(0, 100).replace(/[^ -~]|["\\]/g, "?") };
    if (!this.#change(constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0), this.#own)) this.#change("wx", this.#own);
  }

  /** Forgets the losses, since the trail has them on record. Never throws. */
  recorded(): void {
    this.#own = undefined;
    this.#change(constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0), undefined);
  }

  #change(flags: string | number, losses: Losses | undefined): boolean {
    if (this.#path === undefined) return false;
    let file: number | undefined;
    try {
      file = openSync(this.#path, flags, 0o600);
      const text = losses ? JSON.stringify(losses) : "";
      writeSync(file, Buffer.from(text.padEnd(fileBytes - 1).concat("\n"), "latin1"), 0, fileBytes, 0);
      return true;
    } catch {
      return false;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  #read(): Losses | undefined {
    if (this.#path === undefined) return undefined;
    let file: number | undefined;
    try {
      file = openSync(this.#path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
      if (!fstatSync(file).isFile()) return undefined;
      const bytes = Buffer.alloc(fileBytes);
      const text = bytes.toString("latin1", 0, readSync(file, bytes, 0, fileBytes, 0)).trim();
      return text === "" ? undefined : lossesOf(JSON.parse(text));
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}

function lossesOf(value: unknown): Losses | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { lost, since, why } = value as { lost?: unknown; since?: unknown; why?: unknown };
  const fits = Number.isSafeInteger(lost) && typeof since === "string" && typeof why === "string";
  return fits ? { lost: lost as number, since, why } : undefined;
}
