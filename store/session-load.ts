import type { SessionData, SessionRules } from "../engine/session/session.ts";
import { SessionState } from "../engine/session-state.ts";
import type { AuditBody } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { sessionFiles } from "./segment-files.ts";
import { SegmentTree } from "./segment-tree.ts";
import { readOwn } from "./session-file.ts";
import { DamagedRecords, recordsOfSession } from "./session-records.ts";
import { decodeSnapshot, type SnapshotBinding, type SnapshotEnd } from "./session-snapshot.ts";

/** Folder of the state of sessions, with the key and plan to read it. */
export interface SessionFolder {
  readonly folder: string;
  readonly key: string | Uint8Array;
  readonly rules: SessionRules;
  readonly policyDigest: string;
}

/** End of a session's records on the disk. */
export interface LoadedEnd {
  /** Its last record; undefined when nothing was recorded of it. */
  readonly end: SnapshotEnd | undefined;
  /** Tree over the lines of its newest segment; undefined when not all of them were read. */
  readonly tree: SegmentTree | undefined;
  /** Records that were read to come there. */
  readonly folded: number;
}

/** A session as read from the disk. */
export interface LoadedSession extends LoadedEnd {
  readonly state: SessionState;
  /** Size of the snapshot it was read from, in bytes; 0 if it was read from records alone. */
  readonly snapshotBytes: number;
}

/** Thrown when the records of a session do not hold; `known` is the last record that a snapshot covers. */
export class DamagedSession extends DamagedRecords {
  readonly known: SnapshotEnd | undefined;

  constructor(session: string, why: string, known: SnapshotEnd | undefined) {
    super(session, why);
    this.known = known;
  }
}

/** How far a session is read, and into what. */
export interface LoadRequest {
  /** The record to stop at; default the last one. With it, no snapshot is used. */
  readonly until?: Pick<SnapshotEnd, "seq" | "hash">;
  /** Ancestors whose state is being read for it. */
  readonly depth?: number;
  /** A new state when not given. */
  readonly into?: SessionState;
}

/**
 * Loads the state of a session: its snapshot and the records after it, or all records without a valid snapshot. Needs no lock: a
 * snapshot is replaced atomically, and only complete lines are read. Throws if the records cannot give the state: altered,
 * removed, or none beside a snapshot (`DamagedRecords`).
 */
export function loadSession(place: SessionFolder, session: string, request: LoadRequest = {}): LoadedSession {
  const { until, depth = 0, into: state = new SessionState(place.rules) } = request;
  if (depth > limits.sessionDepth) throw new Error(`the session has more than ${limits.sessionDepth} ancestors`);
  const bytes = until ? undefined : readOwn(sessionFiles(place.folder, session).snapshot, limits.snapshotBytes);
  const snapshot = bytes && decodeSnapshot(bytes, bindingOf(place, session));
  if (snapshot) state.restore(session, snapshot.data);
  try {
    const from = { end: snapshot?.end, tree: snapshot?.tree };
    const { end, tree, folded } = foldFrom(place, session, state, from, depth, until);
    if (bytes && !end) throw new DamagedRecords(session, movedAway);
    if (until && (end?.seq !== until.seq || end.hash !== until.hash)) throw new DamagedRecords(session, movedAway);
    return { state, end, tree, folded, snapshotBytes: snapshot ? (bytes?.length ?? 0) : 0 };
  } catch (fault) {
    const own = fault instanceof DamagedRecords && fault.session === session && !until;
    throw own ? new DamagedSession(session, fault.message, snapshot?.end) : fault;
  }
}

/**
 * Folds the records after the one at `end` into a state that holds that one, or all of them; gives where it ends then.
 * Throws as `loadSession`.
 */
export function foldFrom(
  place: SessionFolder,
  session: string,
  state: SessionState,
  from: Pick<LoadedEnd, "end" | "tree">,
  depth = 0,
  until?: Pick<SnapshotEnd, "seq" | "hash">,
): LoadedEnd {
  let { end, tree } = from;
  let first = end !== undefined;
  let folded = 0;
  for (const { record, segment, start, line } of recordsOfSession(place.folder, session, from.end)) {
    const { body, seal } = record;
    if (first && (seal.hash !== end?.hash || seal.seq !== end.seq)) throw new DamagedRecords(session, movedAway);
    if (!first) {
      foldStored(place, session, state, body, depth);
      folded += 1;
      if (segment !== (end?.segment ?? 0)) tree = new SegmentTree(segment, Date.parse(seal.written) || 0);
      tree?.add(line);
    }
    first = false;
    end = { segment, seq: seal.seq, hash: seal.hash, start };
    if (until && seal.seq >= until.seq) break;
  }
  if (first) throw new DamagedRecords(session, movedAway);
  return { end, tree, folded };
}

const movedAway = "records that the state rests on are missing";

/** Returns the binding of this session's snapshots. */
export function bindingOf({ key, policyDigest }: SessionFolder, session: string): SnapshotBinding {
  return { key, session, policyDigest };
}

/** Name of the record that says from which session another one began. */
export const inheritEvent = "session_inherit";

/** Folds a record. For a record that names the session's origin, the state at that position is loaded. */
function foldStored(place: SessionFolder, session: string, state: SessionState, body: AuditBody, depth: number): void {
  if (!body.state) return;
  if (body.session !== session)
    throw new DamagedRecords(session, "a record of another session stands among its records");
  const { parent } = body.state;
  if (body.kind !== "note" || body.event !== inheritEvent || parent === undefined) {
    state.fold(body);
    return;
  }
  const at = observedEnd(body.observations["parent"]);
  const data = at && loadSession(place, parent, { until: at, depth: depth + 1 }).state.data(parent);
  foldInherited(state, body, data);
}

/** Folds the first record of a session that inherits state, with the state of its parent. */
export function foldInherited(state: SessionState, body: AuditBody, from: SessionData | undefined): void {
  const parent = body.state?.parent;
  if (parent !== undefined && from) state.restore(parent, from);
  state.fold(body);
  if (parent !== undefined) state.forget(parent);
}

/** Returns the position in the parent's records that a first record names; undefined if it names none. */
function observedEnd(value: unknown): Pick<SnapshotEnd, "seq" | "hash"> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { seq, hash } = value as { seq?: unknown; hash?: unknown };
  return typeof seq === "number" && typeof hash === "string" ? { seq, hash } : undefined;
}
