import { dirname } from "node:path";
import type { Plan } from "../engine/plan.ts";
import type { SessionData } from "../engine/session/session.ts";
import type { SessionState } from "../engine/session-state.ts";
import type { AuditBody, AuditSeal, DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import type { AuditStore, Clock } from "../schema/ports.ts";
import type { Disk } from "./chain-file.ts";
import { Checkpointer } from "./checkpoints.ts";
import type { Durability } from "./durability.ts";
import { locked } from "./lock.ts";
import { sessionFiles } from "./segment-files.ts";
import { SegmentTrail, type TrailEnd } from "./segment-trail.ts";
import { writeOwn } from "./session-file.ts";
import {
  bindingOf,
  DamagedSession,
  foldFrom,
  foldInherited,
  type LoadedEnd,
  loadSession,
  type SessionFolder,
} from "./session-load.ts";
import { type KeptSession, type SessionMemory, snapshotAfter, worthSaving } from "./session-memory.ts";
import { inheritRecord, joinRecord } from "./session-note.ts";
import { DamagedRecords } from "./session-records.ts";
import { encodeSnapshot } from "./session-snapshot.ts";

/** How the state of sessions is kept between processes. */
export interface SessionStoreOptions {
  /** The plan that judges: its windows are folded, and snapshots are of use for it alone. */
  readonly plan: Plan;
  /** Key of the installation: snapshots carry a MAC with a key derived from it. */
  readonly key: string | Uint8Array;
  /** Session from which this one was forked or resumed, or that started it as a sub-agent. Only adapters set it. */
  readonly parent?: string;
  /** Longest wait for one lock, in milliseconds; default 2,000. */
  readonly patience?: number;
  /** Durability of records, as for an audit trail; `group` when not given. */
  readonly durability?: Durability;
  /** Clock of the seals. */
  readonly clock?: Clock;
  /** The user's state folder, with the keys of checkpoints; the folder above that of the sessions when not given. */
  readonly state?: string;
  /** Bytes after which a segment is followed by another; 64 MiB when not given. */
  readonly segmentBytes?: number;
  /** The machine's when not given; tests give one that fails. */
  readonly disk?: Disk;
  /** Memory in which a process that opens sessions for each event keeps them in between. */
  readonly memory?: SessionMemory;
}

/** A session that no other process can change now: `createEngine(plan, { state, store })`. */
export interface HeldSession {
  readonly state: SessionState;
  readonly store: AuditStore;
}

/** Result of `work`; or why the state cannot be used (HW515), which is answered closed (`closedEngine`). */
export type SessionResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: DecisionError };

/** How long a process waits for the others of its session, in milliseconds, unless told otherwise. */
export const usualPatience = 2_000;

/** A folder of sessions, with the options of one call. */
export interface Place extends SessionFolder {
  readonly options: SessionStoreOptions;
}

/** Returns the error HW515 with the fault that the file system or the records reported. */
export function unusable(fault: unknown): { readonly ok: false; readonly error: DecisionError } {
  const why = fault instanceof Error ? fault.message : String(fault);
  return { ok: false, error: { code: "HW515", message: `session state cannot be used: ${why}` } };
}

/**
 * Does work while holding a session's lock. `held` are the sessions whose locks this call already holds: the descendants of
 * this one. Throws only what `work` throws.
 */
export function hold<T>(
  place: Place,
  session: string,
  parent: string | undefined,
  held: readonly string[],
  work: (held: HeldSession) => T,
): SessionResult<T> {
  let thrown: { readonly fault: unknown } | undefined;
  try {
    return locked(
      sessionFiles(place.folder, session).lock,
      () => {
        const open = opened(place, session, parent, held);
        try {
          const value = work(open);
          if (open.fault !== undefined) return unusable(open.fault);
          return { ok: true, value };
        } catch (fault) {
          thrown = { fault };
          throw fault;
        } finally {
          open.leave(thrown === undefined);
        }
      },
      place.options.patience ?? usualPatience,
    );
  } catch (fault) {
    if (thrown) throw thrown.fault;
    return unusable(fault);
  }
}

/** Returns the session that this process kept, updated with records of others; otherwise reads it anew. */
function opened(place: Place, session: string, parent: string | undefined, held: readonly string[]): OpenSession {
  const kept = held.length === 0 ? place.options.memory?.take(memoryKey(place, session, parent)) : undefined;
  if (kept instanceof OpenSession && kept.resume(place)) return kept;
  return new OpenSession(place, session, parent, held);
}

/**
 * Returns a key of everything that must be the same for a kept session to be reused. It is JSON, so that its parts cannot run
 * into one another.
 */
function memoryKey({ folder, policyDigest, options }: Place, session: string, parent: string | undefined): string {
  return JSON.stringify([folder, session, policyDigest, parent ?? null, options.durability ?? null]);
}

/** How a session is opened. */
export interface OpenOptions {
  /** State object that the session's state is read into; a new one when not given. */
  readonly into?: SessionState;
  /** True for a host process that runs for long: its first record begins a segment. */
  readonly longLived?: boolean;
}

/** A session's state with its records. Its creator and every caller of its methods must hold the session's lock. */
export class OpenSession implements HeldSession, KeptSession {
  readonly state: SessionState;
  readonly store: AuditStore = { append: (body, latencyUs) => this.append(body, latencyUs) };
  /** Why labels could not join a parent: the decision must not be used. */
  fault: unknown;
  #place: Place;
  readonly #session: string;
  readonly #parent: string | undefined;
  readonly #held: readonly string[];
  readonly #trail: SegmentTrail;
  #end: TrailEnd | undefined;
  #unsaved = 0;
  /** Number of unsaved records from which a new snapshot is worth its cost, for a process of one event. */
  #worthSaving = 1;
  /** True once this process has replaced the snapshot, which then lacks only the unsaved records. */
  #saved = false;
  #lost = false;
  /** First record of the session, until it is written. */
  #beginning: AuditBody | undefined;

  /** Throws when the state cannot be had; damage is then on record. */
  constructor(
    place: Place,
    session: string,
    parent: string | undefined,
    held: readonly string[],
    { into, longLived = false }: OpenOptions = {},
  ) {
    const { folder, options } = place;
    this.#place = place;
    this.#session = session;
    this.#parent = parent;
    this.#held = [...held, session];
    const checkpointer = new Checkpointer(folder, options.state ?? dirname(folder));
    this.#trail = new SegmentTrail(folder, session, { ...options, longLived, checkpointer });
    try {
      this.state = this.#load(into);
    } catch (fault) {
      this.freeze(fault);
      this.release();
      throw fault;
    }
  }

  /** Records since the last snapshot. */
  get unsaved(): number {
    return this.#unsaved;
  }

  /** True if others have appended since: a look at two files, for which no lock is needed. */
  get behind(): boolean {
    return this.#trail.behind;
  }

  /** Takes in records that other processes have appended. No lock is needed: only complete lines are read. Throws as the constructor. */
  refresh(): void {
    if (this.#beginning || !this.#end) {
      // The process that recorded first decides how the session begins.
      this.#beginning = undefined;
      this.state.forget(this.#session);
      this.#load(this.state);
      return;
    }
    this.#attach(foldFrom(this.#place, this.#session, this.state, { end: this.#end, tree: this.#trail.tree }));
  }

  /** Puts damage of this session's records on record, if that is what is wrong; they are never continued. Never throws. */
  freeze(fault: unknown): void {
    if (!(fault instanceof DamagedRecords) || fault.session !== this.#session) return;
    try {
      this.#trail.freeze(fault.message, fault instanceof DamagedSession ? fault.known : this.#end);
    } catch {
      // The session is closed, whether it is on record or not.
    }
  }

  /** Records a judged event. Labels reach the parents first. Throws when it cannot be recorded. */
  append(body: AuditBody, latencyUs: number): AuditSeal {
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

  /** Replaces the snapshot, if records have come since. The state must hold all of them. */
  save(): void {
    const data = this.state.data(this.#session);
    if (this.#unsaved === 0 || this.#lost || this.fault !== undefined || !this.#end || !data) return;
    const { options } = this.#place;
    this.#unsaved = 0;
    this.#saved = true;
    try {
      const snapshot = { end: this.#end, data, tree: this.#trail.tree };
      const text = encodeSnapshot(snapshot, bindingOf(this.#place, this.#session));
      writeOwn(sessionFiles(this.#place.folder, this.#session).snapshot, text, options.durability === "strict");
    } catch {
      // The records hold the state; a snapshot only saves the work of reading them.
    }
  }

  /**
   * Records reach the disk before the snapshot that rests on them. `checkpoint` when new records are to be checkpointed. Throws
   * when they do not get there and a policy requires its trail; else that is counted for the next gap note.
   */
  close(checkpoint: boolean): void {
    this.#closeTrail(checkpoint);
    this.save();
  }

  #closeTrail(checkpoint: boolean): void {
    try {
      this.#trail.close(checkpoint);
    } catch (fault) {
      this.#lost = true;
      if (this.#place.options.plan.policies.some(({ audit }) => audit.mode === "required")) throw fault;
    }
  }

  /**
   * Ends the work on one event. A process that remembers sessions leaves this one open, so that records reach the disk as in a
   * long-lived host (`Durability`), and sometimes replaces the snapshot. Any other process closes the session; it replaces the
   * snapshot if that costs less than reading the records after it. `whole` is true if the state includes all records. Throws like
   * `close`.
   */
  leave(whole: boolean): void {
    const memory = this.#held.length === 1 ? this.#place.options.memory : undefined;
    const fits = (): boolean => whole && !this.#lost && this.fault === undefined && !this.#beginning && !!this.#end;
    if (!memory && this.#unsaved < this.#worthSaving) this.#closeTrail(false);
    else if (!memory || !this.#saved || this.#unsaved >= snapshotAfter || !fits()) this.close(false);
    if (memory && fits()) memory.keep(memoryKey(this.#place, this.#session, this.#parent), this);
  }

  /** Goes on with a session that was left open, by whose lock is held now; false where that cannot be. */
  resume(place: Place): boolean {
    this.#place = place;
    try {
      if (this.behind) this.refresh();
      return true;
    } catch {
      // The usual way to read the records reports their fault.
      this.release();
      return false;
    }
  }

  /** Closes the files and saves nothing. Never throws. */
  release(): void {
    try {
      this.#trail.close(false);
    } catch {
      // The error that led here says more.
    }
  }

  #load(into: SessionState | undefined): SessionState {
    const loaded = loadSession(this.#place, this.#session, into ? { into } : {});
    const { state } = loaded;
    this.#unsaved = loaded.folded;
    this.#worthSaving = worthSaving(loaded.snapshotBytes);
    this.#attach(loaded);
    const parent = this.#parent;
    if (parent !== undefined && parent !== this.#session && !state.data(this.#session)?.begun)
      this.#begin(state, parent);
    return state;
  }

  #attach({ end, tree }: LoadedEnd): void {
    this.#end = end;
    this.#trail.attach(tree);
  }

  #begin(state: SessionState, parent: string): void {
    const from = loadSession(this.#place, parent);
    const data: SessionData | undefined = from.state.data(parent);
    this.#beginning = inheritRecord(this.#session, parent, data?.time ?? 0, from.end, this.#place.policyDigest);
    foldInherited(state, this.#beginning, data);
  }

  #write(body: AuditBody, latencyUs: number): AuditSeal {
    try {
      const seal = this.#trail.append(body, latencyUs);
      this.#end = this.#trail.end;
      this.#unsaved += 1;
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
    // Labels that sub-agents gave this session before it began have not reached its parent yet.
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
