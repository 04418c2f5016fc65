import { sessionRules } from "../engine/session-state.ts";
import { type HeldSession, hold, type SessionResult, type SessionStoreOptions, unusable } from "./open-session.ts";
import { ownFolder } from "./session-file.ts";

export type { HeldSession, SessionResult, SessionStoreOptions } from "./open-session.ts";

/**
 * Judges with the state of a session that several processes share (semantics section 5, "One-shot"): takes its lock, reads
 * its state, does the work, whose records are appended to the session's own trail, brings them to the disk, replaces the
 * snapshot, and gives the lock back. A process that ends anywhere in between loses no record that it acknowledged: the next
 * one folds the records after the snapshot. A snapshot that does not verify is thrown away and the state rebuilt from the
 * records; where that cannot be done, or the lock is not free in time, the result is the error HW515.
 * In the folder (0700) are the session's trail (`openSegments`), its snapshot `<digest of id>/state.json`, and its lock
 * `<digest>.lock` (0600). Throws only what `work` throws.
 */
export function withSession<T>(
  folder: string,
  session: string,
  work: (held: HeldSession) => T,
  options: SessionStoreOptions,
): SessionResult<T> {
  const { plan, key, parent } = options;
  try {
    ownFolder(folder);
  } catch (fault) {
    return unusable(fault);
  }
  return hold(
    { folder, key, rules: sessionRules(plan), policyDigest: plan.digest, options },
    session,
    parent,
    [],
    work,
  );
}
