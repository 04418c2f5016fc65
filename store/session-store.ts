import type { Plan } from "../engine/plan.ts";
import type { SessionData } from "../engine/session/session.ts";
import { type SessionState, sessionRules } from "../engine/session-state.ts";
import type { AuditBody, AuditSeal, DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import type { AuditStore, Clock } from "../schema/ports.ts";
import { type AuditFile, type Durability, openAuditFile } from "./audit-file.ts";
import { locked } from "./lock.ts";
import { ownFolder, writeOwn } from "./session-file.ts";
import {
  bindingOf,
  filesOf,
  foldInherited,
  loadSession,
  type SessionFiles,
  type SessionFolder,
} from "./session-load.ts";
import { inheritRecord, joinRecord } from "./session-note.ts";
import { encodeSnapshot, type SnapshotEnd } from "./session-snapshot.ts";

/** How the state of sessions is kept between processes. */
export interface SessionStoreOptions {
  /** The plan that judges: its windows are folded, and snapshots are of use for it alone. */
  readonly plan: Plan;
  /** Key of the installation: snapshots carry a MAC with a key derived from it. */
  readonly key: string | Uint8Array;
  /** Session that this one was forked or resumed from, or that started it as a sub-agent. Only adapters say so. */
  readonly parent?: string;
  /** Milliseconds that one lock is waited for; 2,000 when not given. */
  readonly patience?: number;
  /** As of an audit trail; `group` when not given. */
  readonly durability?: Durability;
  /** Clock of the seals. */
  readonly clock?: Clock;
}

/** A session that nobody else can change now: `createEngine(plan, { state, store })`. */
export interface HeldSession {
  readonly state: SessionState;
  readonly store: AuditStore;
}

/** What `work` gave; or why the state cannot be used (HW515), which is answered closed (`closedEngine`). */
export type SessionResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: DecisionError };

/** How long a one-shot process waits for the others of its session, in milliseconds. */
const usualPatience = 2_000;

/**
 * Judges with the state of a session that several processes share (semantics section 5, "One-shot"): takes its lock, reads
 * its state, does the work, whose records are appended to the session's own trail, brings them to the disk, replaces the
 * snapshot, and gives the lock back. A process that ends anywhere in between loses no record that it acknowledged: the next
 * one folds the records after the snapshot. A snapshot that does not verify is thrown away and the state rebuilt from the
 * records; where that cannot be done, or the lock is not free in time, the result is the error HW515.
 * In the folder (0700) are `<digest of id>.jsonl`, `.state.json` and `.lock` (0600). Throws only what `work` throws.
 */
export function withSession<T>(
  folder: string,
  session: string,
  work: (held: HeldSession) => T,
  options: SessionStoreOptions,
): SessionResult<T> {
  const place: Place = {
    folder,
    key: options.key,
    rules: sessionRules(options.plan),
    policyDigest: options.plan.digest,
    options,
  };
  try {
    ownFolder(folder);
  } catch (fault) {
    return unusable(fault);
  }
  return hold(place, session, options.parent, [], work);
}

/** A folder of sessions with what one call was given. */
interface Place extends SessionFolder {
  readonly options: SessionStoreOptions;
}

function unusable(fault: unknown): { readonly ok: false; readonly error: DecisionError } {
  const why = fault instanceof Error ? fault.message : String(fault);
  return { ok: false, error: { code: "HW515", message: `session state cannot be used: ${why}` } };
}

/** `held` are the sessions whose locks this call has already: the descendants of this one. */
function hold<T>(
  place: Place,
  session: string,
  parent: string | undefined,
  held: readonly string[],
  work: (held: HeldSession) => T,
): SessionResult<T> {
  const files = filesOf(place.folder, session);
  let thrown: { readonly fault: unknown } | undefined;
  try {
    return locked(
      files.lock,
      () => {
        const open = new OpenSession(place, session, files, parent, held);
        try {
          const value = work(open);
          if (open.fault !== undefined) return unusable(open.fault);
          return { ok: true, value };
        } catch (fault) {
          thrown = { fault };
          throw fault;
        } finally {
          open.close();
        }
      },
      place.options.patience ?? usualPatience,
    );
  } catch (fault) {
    if (thrown) throw thrown.fault;
    return unusable(fault);
  }
}

class OpenSession implements HeldSession {
  readonly state: SessionState;
  readonly store: AuditStore = { append: (body, latencyUs) => this.#append(body, latencyUs) };
  /** Why labels could not join a parent: what was judged must not be used. */
  fault: unknown;
  readonly #place: Place;
  readonly #session: string;
  readonly #files: SessionFiles;
  readonly #held: readonly string[];
  readonly #audit: AuditFile;
  #end: SnapshotEnd | undefined;
  #changed = false;
  #lost = false;
  /** How the session begins, until it is recorded. */
  #beginning: AuditBody | undefined;

  constructor(place: Place, session: string, files: SessionFiles, parent: string | undefined, held: readonly string[]) {
    const { durability = "group", clock } = place.options;
    this.#place = place;
    this.#session = session;
    this.#files = files;
    this.#held = [...held, session];
    this.#audit = openAuditFile(files.records, { durability, ...(clock && { clock }) });
    try {
      const { state, end } = loadSession(place, session);
      this.state = state;
      this.#end = end;
      if (parent !== undefined && parent !== session && !state.data(session)?.begun) this.#begin(parent);
    } catch (error) {
      this.#audit.close();
      throw error;
    }
  }

  /** Records reach the disk before the snapshot that rests on them. */
  close(): void {
    this.#audit.close();
    const data = this.state.data(this.#session);
    if (!this.#changed || this.#lost || !this.#end || !data) return;
    const text = encodeSnapshot({ end: this.#end, data }, bindingOf(this.#place, this.#session));
    try {
      writeOwn(this.#files.snapshot, text, this.#place.options.durability === "strict");
    } catch {
      // The records hold the state; a snapshot only saves the work of reading them.
    }
  }

  #begin(parent: string): void {
    const { state, end } = loadSession(this.#place, parent);
    const data: SessionData | undefined = state.data(parent);
    this.#beginning = inheritRecord(this.#session, parent, data?.time ?? 0, end, this.#place.policyDigest);
    foldInherited(this.state, this.#beginning, data);
  }

  #append(body: AuditBody, latencyUs: number): AuditSeal {
    if (body.state && body.session !== this.#session)
      throw new Error("the record is of a session whose lock is not held");
    try {
      this.#join(body);
    } catch (fault) {
      this.fault = fault;
      throw fault;
    }
    if (this.#beginning) this.#write(this.#beginning, 0);
    this.#beginning = undefined;
    return this.#write(body, latencyUs);
  }

  #write(body: AuditBody, latencyUs: number): AuditSeal {
    const start = this.#audit.size;
    try {
      const seal = this.#audit.append(body, latencyUs);
      this.#end = { seq: seal.seq, hash: seal.hash, start };
      this.#changed = true;
      return seal;
    } catch (fault) {
      this.#lost = true;
      throw fault;
    }
  }

  /**
   * Labels reach the parent before the record is written: a process that ends in between leaves a label too many there,
   * never one too few.
   */
  #join({ state }: AuditBody): void {
    const data = this.state.data(this.#session);
    const parent = data?.parent ?? state?.parent;
    if (parent === undefined || this.#held.includes(parent)) return;
    // What sub-agents gave this session before it began has not reached its parent yet.
    const labels = [...(this.#beginning ? (data?.labels ?? []) : []), ...(state?.labels ?? [])];
    const shadow = [...(this.#beginning ? (data?.shadowLabels ?? []) : []), ...(state?.shadow ?? [])];
    if (labels.length + shadow.length === 0) return;
    if (this.#held.length >= limits.sessionDepth) throw new Error(`more than ${limits.sessionDepth} ancestors`);
    const joined = hold(this.#place, parent, undefined, this.#held, (held) =>
      addLabels(held, parent, this.#session, labels, shadow, this.#place.policyDigest),
    );
    if (!joined.ok) throw new Error(joined.error.message);
  }
}

/** Records labels that a session gets from its sub-agent or fork, if it does not have them. */
function addLabels(
  { state, store }: HeldSession,
  session: string,
  from: string,
  labels: readonly string[],
  shadow: readonly string[],
  policyDigest: string,
): void {
  const data = state.data(session);
  const added = labels.filter((label) => !data?.labels.includes(label));
  const addedShadow = shadow.filter((label) => !data?.shadowLabels.includes(label));
  if (added.length + addedShadow.length === 0) return;
  const body = joinRecord(session, from, data?.time ?? 0, { labels: added, shadow: addedShadow }, policyDigest);
  store.append(body, 0);
  state.fold(body);
}
