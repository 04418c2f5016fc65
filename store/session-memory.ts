/** A session that a process leaves open between two events. */
export interface KeptSession {
  /** Gives its files back, with what was written on the disk as the trail says. Never throws. */
  release(): void;
}

/** Sessions that are remembered. */
const remembered = 64;

/** Records after which a remembered session's snapshot is replaced: so many another process has to read, at most. */
export const snapshotAfter = 32;

/**
 * Sessions of a process that opens them again and again, for each event of a host. Each is left open, as a host that lives
 * long leaves its own: what others have recorded since is read all the same before it is gone on with.
 */
export class SessionMemory {
  readonly #sessions = new Map<string, KeptSession>();

  /** Takes a session out, so that what fails with it is not remembered. */
  take(key: string): KeptSession | undefined {
    const known = this.#sessions.get(key);
    this.#sessions.delete(key);
    return known;
  }

  keep(key: string, session: KeptSession): void {
    this.take(key)?.release();
    this.#sessions.set(key, session);
    if (this.#sessions.size <= remembered) return;
    this.take(this.#sessions.keys().next().value as string)?.release();
  }

  /** Releases all of them: the process ends. */
  release(): void {
    for (const session of this.#sessions.values()) session.release();
    this.#sessions.clear();
  }
}
