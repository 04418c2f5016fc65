import { SessionState, sessionRules } from "../engine/session-state.ts";
import type { AuditBody, AuditSeal } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { AuditStore } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import { locked } from "./lock.ts";
import {
  OpenSession,
  type Place,
  type SessionResult,
  type SessionStoreOptions,
  unusable,
  usualPatience,
} from "./open-session.ts";
import { sessionFiles } from "./segment-files.ts";
import { ownFolder } from "./session-file.ts";

/** A session of a long-lived host process, for `createEngine(plan, { state, store })`. */
export interface LiveSession {
  /** State of the session. Each read first takes in what other processes have recorded. */
  readonly state: SessionState;
  /** Store of its records, and of no other session's. */
  readonly store: AuditStore;
  /** Writes the snapshot and closes the files. Later appends throw. Does not throw itself. */
  close(): void;
}

/** Records after which a live session's snapshot is replaced: so many the next process has to read, at most. */
const snapshotEvery = 64;

/**
 * Opens a session for as long as a host process runs (semantics section 5). Its state is read once; each append takes the
 * session's lock for its moment, takes in what other processes appended meanwhile, and writes; labels of a session with a
 * parent join the parent, as in `withSession`. The snapshot is replaced every 64 records and at the end. Returns the error
 * HW515 if the state cannot be read. If it becomes unusable later (records missing or altered, or a parent's lock not free in
 * time), `append` and every read of the state throw, which the engine answers closed. For another plan, as after a reload,
 * close it and open the session again.
 */
export function openLiveSession(
  folder: string,
  session: string,
  options: SessionStoreOptions,
): SessionResult<LiveSession> {
  const { plan, key } = options;
  const place: Place = { folder, key, rules: sessionRules(plan), policyDigest: plan.digest, options };
  try {
    ownFolder(folder);
    return { ok: true, value: new OpenLiveSession(place, session) };
  } catch (fault) {
    return unusable(fault);
  }
}

/** Session state that is updated before each read. */
class LiveState extends SessionState {
  /** Updates the state; replaced once there is a session to follow. */
  look: () => void = () => {};

  override view(event: JudgedEvent): SessionView {
    this.look();
    return super.view(event);
  }

  override labels(id: string, parent?: string): readonly string[] {
    this.look();
    return super.labels(id, parent);
  }

  override asking(of: string): string | undefined {
    this.look();
    return super.asking(of);
  }
}

class OpenLiveSession implements LiveSession {
  readonly state: SessionState;
  readonly store: AuditStore = { append: (body, latencyUs) => this.#append(body, latencyUs) };
  readonly #lock: string;
  readonly #patience: number;
  readonly #open: OpenSession;
  #closed = false;

  constructor(place: Place, session: string) {
    const { parent, patience = usualPatience } = place.options;
    this.#lock = sessionFiles(place.folder, session).lock;
    this.#patience = patience;
    const state = new LiveState(place.rules);
    this.#open = this.#locked(() => new OpenSession(place, session, parent, [], { into: state, longLived: true }));
    state.look = () => this.#look();
    this.state = state;
  }

  close(): void {
    if (this.#closed) return;
    try {
      this.#locked(() => {
        try {
          this.#look();
        } finally {
          this.#open.close(true);
        }
      });
    } catch {
      // The records hold the state; a snapshot only saves the work of reading them.
    }
    this.#closed = true;
  }

  #append(body: AuditBody, latencyUs: number): AuditSeal {
    if (this.#closed) throw new Error("the session is closed");
    return this.#locked(() => {
      try {
        this.#look();
      } catch (error) {
        this.#open.freeze(this.#open.fault);
        throw error;
      }
      // The state includes earlier records, but not yet the one being appended.
      if (this.#open.unsaved >= snapshotEvery) this.#open.save();
      return this.#open.append(body, latencyUs);
    });
  }

  #look(): void {
    const open = this.#open;
    if (this.#closed) return;
    if (open.fault === undefined && !open.behind) return;
    try {
      open.refresh();
    } catch (fault) {
      open.fault ??= fault;
    }
    if (open.fault !== undefined) throw new Error(unusable(open.fault).error.message);
  }

  #locked<T>(work: () => T): T {
    return locked(this.#lock, work, this.#patience);
  }
}
