import { join } from "node:path";
import { sha256 } from "../engine/canonical.ts";
import type { SessionData, SessionRules } from "../engine/session/session.ts";
import { SessionState } from "../engine/session-state.ts";
import type { AuditBody } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { readOwn } from "./session-file.ts";
import { recordsOf } from "./session-records.ts";
import { decodeSnapshot, type SnapshotBinding, type SnapshotEnd } from "./session-snapshot.ts";

/** Where the state of sessions is, and what reads it. */
export interface SessionFolder {
  readonly folder: string;
  readonly key: string | Uint8Array;
  readonly rules: SessionRules;
  readonly policyDigest: string;
}

/** The files of one session. An id comes from a host, so that only its digest is a name. */
export interface SessionFiles {
  readonly lock: string;
  readonly records: string;
  readonly snapshot: string;
}

/** Names of a session's files. */
export function filesOf(folder: string, session: string): SessionFiles {
  const base = join(folder, sha256(session).slice("sha256:".length));
  return { lock: `${base}.lock`, records: `${base}.jsonl`, snapshot: `${base}.state.json` };
}

/** A session as it stands on the disk; `end` is undefined when nothing was recorded of it. */
export interface LoadedSession {
  readonly state: SessionState;
  readonly end: SnapshotEnd | undefined;
}

/**
 * The state of a session: its snapshot, and the records after it; without a snapshot that verifies, all of its records.
 * Needs no lock: a snapshot is replaced whole, and of records only complete lines are read. Throws when the records
 * cannot give the state: altered, removed, or none where there is a snapshot.
 */
export function loadSession(place: SessionFolder, session: string, until?: SnapshotEnd, depth = 0): LoadedSession {
  if (depth > limits.sessionDepth) throw new Error(`the session has more than ${limits.sessionDepth} ancestors`);
  const files = filesOf(place.folder, session);
  const state = new SessionState(place.rules);
  const bytes = until ? undefined : readOwn(files.snapshot, limits.snapshotBytes);
  const snapshot = bytes && decodeSnapshot(bytes, bindingOf(place, session));
  if (snapshot) state.restore(session, snapshot.data);
  let end = snapshot?.end;
  let first = snapshot !== undefined;
  for (const { record, start } of recordsOf(files.records, end?.start)) {
    const { body, seal } = record;
    if (first && (seal.hash !== end?.hash || seal.seq !== end.seq)) throw new Error(movedAway);
    if (!first) foldStored(place, session, state, body, depth);
    first = false;
    end = { seq: seal.seq, hash: seal.hash, start };
    if (until && seal.seq >= until.seq) break;
  }
  if (first || (bytes && !end)) throw new Error(movedAway);
  if (until && (end?.seq !== until.seq || end.hash !== until.hash)) throw new Error(movedAway);
  return { state, end };
}

const movedAway = "records that the state rests on are missing";

/** What a snapshot of this session is bound to. */
export function bindingOf({ key, policyDigest }: SessionFolder, session: string): SnapshotBinding {
  return { key, session, policyDigest };
}

/** What the record of a session's beginning from another is called. */
export const inheritEvent = "session_inherit";

/** Folds a record that was read; one that says where the session comes from has the state of that place looked up. */
function foldStored(place: SessionFolder, session: string, state: SessionState, body: AuditBody, depth: number): void {
  if (!body.state) return;
  if (body.session !== session) throw new Error("a record of another session stands among its records");
  const { parent } = body.state;
  if (body.kind !== "note" || body.event !== inheritEvent || parent === undefined) {
    state.fold(body);
    return;
  }
  const at = observedEnd(body.observations["parent"]);
  const data = at && loadSession(place, parent, at, depth + 1).state.data(parent);
  foldInherited(state, body, data);
}

/** Folds the record of a beginning, with the state of the session that it begins with. */
export function foldInherited(state: SessionState, body: AuditBody, from: SessionData | undefined): void {
  const parent = body.state?.parent;
  if (parent !== undefined && from) state.restore(parent, from);
  state.fold(body);
  if (parent !== undefined) state.forget(parent);
}

/** The place in the parent's records that a beginning names; undefined when it had none. */
function observedEnd(value: unknown): SnapshotEnd | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { seq, hash } = value as { seq?: unknown; hash?: unknown };
  return typeof seq === "number" && typeof hash === "string" ? { seq, hash, start: 0 } : undefined;
}
