import { closeSync, fsyncSync, openSync } from "node:fs";
import { type Disk, machineDisk } from "./chain-file.ts";

/**
 * Guarantee for a record once `append` has returned, and therefore before the host is answered. In all three modes it was written
 * to the system, so it survives the end of this process by any signal.
 * - `strict`: it is on the disk (`fdatasync`, and the folder if the file is new). It survives a power cut if the disk keeps its
 *   promises.
 * - `group`: it reaches the disk within some milliseconds, together with others, and at the latest when the trail is closed. A
 *   one-shot process closes it before its end; a process that answers many hooks leaves it open. A power cut may lose the last
 *   milliseconds.
 * - `relaxed`: the system decides when it reaches the disk, usually within half a minute. A power cut may lose that time.
 * A power cut that loses records loses the newest, keeps the earlier ones, and may leave one unfinished line. A session whose
 * snapshot is then ahead of its records stays closed (HW515).
 */
export type Durability = "strict" | "group" | "relaxed";

/** Milliseconds within which `group` brings a record to the disk. */
const groupDelay = 5;

/** Brings the data written to one file to the disk, as its durability says. */
export class Syncing {
  readonly #file: number;
  readonly #durability: Durability;
  readonly #disk: Disk;
  #folder: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waits = false;
  /** A sync in the background is under way. */
  #busy = false;
  #ended = false;
  #failed: unknown;

  /** `folder` is that of a file that was just made, whose name must reach the disk too. */
  constructor(file: number, durability: Durability, disk: Disk = machineDisk, folder?: string) {
    this.#file = file;
    this.#durability = durability;
    this.#disk = disk;
    this.#folder = folder;
  }

  /**
   * Throws once the error of an earlier sync in the background. Systems say such an error one time only, and what was written
   * before it may be lost, so that it must not pass unseen.
   */
  check(): void {
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed !== undefined) throw failed;
  }

  /** Called after each write. In `strict` mode it throws if the data does not reach the disk. */
  written(): void {
    this.#waits = true;
    if (this.#durability === "strict") this.flush();
    else if (this.#durability === "group" && this.#timer === undefined) this.#schedule();
  }

  /** Writes everything to the disk now, in any durability mode. Throws if that fails. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // A sync under way may still fail, and its error comes too late for a caller that wants the data on the disk now.
    if (!this.#waits && !this.#busy) return;
    this.#disk.sync(this.#file);
    this.#waits = false;
    if (this.#folder !== undefined) syncFolder(this.#folder);
    this.#folder = undefined;
  }

  /** Called before the file is closed; `relaxed` leaves the sync to the system. Throws like `flush`. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ended = true;
    if (this.#durability !== "relaxed") this.flush();
  }

  /** As `flush`, but its error is thrown by the next `check`. True when all is on the disk. */
  tryFlush(): boolean {
    try {
      this.flush();
      return true;
    } catch (error) {
      this.#failed = error;
      return false;
    }
  }

  #schedule(): void {
    this.#timer = setTimeout(() => this.#syncLater(), groupDelay);
    this.#timer.unref();
  }

  /**
   * Syncs without waiting for the disk: a sync takes milliseconds, and the process has a host to answer. While one is under way
   * the next waits for it, since a slow disk would otherwise block the process again and again.
   */
  #syncLater(): void {
    this.#timer = undefined;
    if (this.#folder !== undefined) {
      this.tryFlush();
      return;
    }
    if (this.#busy) return;
    this.#waits = false;
    this.#busy = true;
    this.#disk.syncLater(this.#file, (error) => {
      this.#busy = false;
      // The end already synced the file and closed it.
      if (this.#ended) return;
      if (error) this.#failed = error;
      // Syncs what was written meanwhile, since its time is up.
      if (this.#waits && this.#timer === undefined) this.#syncLater();
    });
  }
}

/** Brings the names in a folder to the disk; where folders cannot be opened the system sees to it itself. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
