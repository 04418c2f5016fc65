import type { SessionState } from "../engine/session-state.ts";
import type { LoadedEnd } from "./session-load.ts";

/** A session as a process left it: what its records come to, up to which of them, and how many the snapshot lacks. */
export interface RememberedSession extends LoadedEnd {
  readonly state: SessionState;
  readonly unsaved: number;
}

/** Sessions that are remembered. */
const remembered = 64;

/** Records after which a remembered session's snapshot is replaced: so many another process has to read, at most. */
export const snapshotAfter = 32;

/**
 * Sessions of a process that opens them again and again, for each event of a host. Stands in for reading their snapshots:
 * the records after the one that is remembered are read all the same, and that one must still be there.
 */
export class SessionMemory {
  readonly #sessions = new Map<string, RememberedSession>();

  /** Takes a session out, so that what fails with it is not remembered. */
  take(key: string): RememberedSession | undefined {
    const known = this.#sessions.get(key);
    this.#sessions.delete(key);
    return known;
  }

  keep(key: string, session: RememberedSession): void {
    this.#sessions.set(key, session);
    if (this.#sessions.size > remembered) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }
}
