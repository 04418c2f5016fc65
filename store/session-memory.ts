/** A session that a process leaves open between two events. */
export interface KeptSession {
  /** Closes its files, after syncing as the trail's durability says. Never throws. */
  release(): void;
}

/** Sessions that are remembered, each with a file open: far below what a process may open, and more than one user runs. */
const usualMost = 512;

/** Records after which a remembered session's snapshot is replaced: so many another process has to read, at most. */
export const snapshotAfter = 32;

/** Bytes of a snapshot that take as long to write as two records to read, about. */
const bytesOfRecords = 4_096;

/**
 * Records after which processes of one event replace a snapshot of so many bytes. Where each is written at once, all of a
 * long session is written at every event; where none is, each event reads what came since. Both together take least where
 * the records grow as the root of the bytes does.
 */
export function worthSaving(snapshotBytes: number): number {
  return Math.max(1, Math.min(snapshotAfter, Math.floor(Math.sqrt(snapshotBytes / bytesOfRecords))));
}

/**
 * Sessions of a process that opens them again for each event of a host. Each is left open, as a long-lived host leaves its own;
 * records of other processes are still read before it is used again.
 */
export class SessionMemory {
  readonly #sessions = new Map<string, KeptSession>();
  readonly #most: number;

  constructor(most: number = usualMost) {
    this.#most = most;
  }

  /** Removes and returns a session, so that one that fails is not kept. */
  take(key: string): KeptSession | undefined {
    const known = this.#sessions.get(key);
    this.#sessions.delete(key);
    return known;
  }

  keep(key: string, session: KeptSession): void {
    this.take(key)?.release();
    this.#sessions.set(key, session);
    if (this.#sessions.size <= this.#most) return;
    this.take(this.#sessions.keys().next().value as string)?.release();
  }

  /** Releases all of them: the process ends. */
  release(): void {
    for (const session of this.#sessions.values()) session.release();
    this.#sessions.clear();
  }
}
