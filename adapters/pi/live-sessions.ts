import { closedEngine, type Engine, type Verdict } from "../../runtime.ts";
import type { AuditBody, DecisionError, WireEvent } from "../../schema/generated.ts";
import type { AuditStore } from "../../schema/ports.ts";
import type { Durability } from "../../store/audit-file.ts";
import { installKey } from "../../store/install-key.ts";
import { type LiveSession, openLiveSession } from "../../store/live-session.ts";
import { type PathLabelStore, withPathLabels } from "../../store/path-labels.ts";
import type { HeldSession } from "../../store/session-store.ts";
import type { Judge, SessionName } from "./judge.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Places in which the sessions of a long-lived host process are kept. */
export interface SessionPlaces {
  /** Folder of the sessions: their records, which are the audit trail, and their snapshots. */
  readonly folder: string;
  /** The user's state folder: the install key, and labels of files. */
  readonly state: string;
  readonly durability?: Durability;
  /** Store that also gets every record: a trail of the user's own. */
  readonly copy?: AuditStore;
  /** Wall clock, milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Makes the engine of one session. */
export type EngineOf = (plan: Plan, held: HeldSession) => Engine;

interface Opened {
  readonly plan: Plan;
  readonly engine: Engine;
  readonly store: AuditStore;
  readonly live: LiveSession;
  readonly kept: PathLabelStore;
}

/** Maximum number of open sessions. The one unused for longest is closed, and opened again at its next event. */
const mostOpen = 64;

/**
 * The sessions of a long-lived host process, each with an engine whose state outlives the process (semantics section 5). A
 * session's state is read at its first event, and a session that names a parent begins with the parent's state. Every record
 * is in the session's own trail. State that cannot be used closes the event with HW515; the next event tries again.
 */
export class LiveSessions {
  readonly #places: SessionPlaces;
  readonly #engineOf: EngineOf;
  readonly #opened = new Map<string, Opened>();

  constructor(places: SessionPlaces, engineOf: EngineOf) {
    this.#places = places;
    this.#engineOf = engineOf;
  }

  /** Makes the judge of a plan, for any number of sessions. */
  judge(plan: Plan): SessionJudge {
    return new SessionJudge(this, plan);
  }

  /** Judges one event with the engine of its session. */
  decided(plan: Plan, event: unknown, by: (engine: Engine) => Verdict): Verdict {
    const name = nameOf(event);
    const opened = this.#open(plan, name);
    if ("code" in opened) return closedEngine(plan, opened).decide(event);
    return this.#checked(name.id, opened, event, by(opened.engine));
  }

  /** Like `decided`, but also runs the programs that rules ask for. */
  async judged(plan: Plan, event: unknown): Promise<Verdict> {
    const name = nameOf(event);
    const opened = this.#open(plan, name);
    if ("code" in opened) return closedEngine(plan, opened).decide(event);
    return this.#checked(name.id, opened, event, await opened.engine.judge(event));
  }

  /** Returns the engine of a session; undefined if its state cannot be used. */
  engine(plan: Plan, name: SessionName): Engine | undefined {
    const opened = this.#open(plan, name);
    return "code" in opened ? undefined : opened.engine;
  }

  /** Records an observation of the adapter in a session. Throws if it cannot be written. */
  record(plan: Plan, name: SessionName, body: AuditBody): void {
    const opened = this.#open(plan, name);
    if ("code" in opened) throw new Error(opened.message);
    opened.store.append(body, 0);
  }

  /** Closes a session; its next event opens it again. Never throws. */
  end(id: string): void {
    const opened = this.#opened.get(id);
    this.#opened.delete(id);
    opened?.live.close();
  }

  /** Returns the verdict, or a closed one if the session's state turned out to be unusable. */
  #checked(id: string, opened: Opened, event: unknown, verdict: Verdict): Verdict {
    if (verdict.decision.errors.length === 0) return verdict;
    const fault = faultOf(id, opened);
    if (fault === undefined) return verdict;
    this.end(id);
    return closedEngine(opened.plan, this.#unusable(fault)).decide(event);
  }

  #open(plan: Plan, name: SessionName): Opened | DecisionError {
    const known = this.#opened.get(name.id);
    if (known?.plan.digest === plan.digest) {
      this.#opened.delete(name.id);
      this.#opened.set(name.id, known);
      return known;
    }
    if (known) this.end(name.id);
    try {
      const opened = this.#begin(plan, name);
      this.#opened.set(name.id, opened);
      if (this.#opened.size > mostOpen) this.end(this.#opened.keys().next().value as string);
      return opened;
    } catch (fault) {
      return this.#unusable(fault);
    }
  }

  #begin(plan: Plan, { id, parent }: SessionName): Opened {
    const { folder, state, durability, copy, now = Date.now } = this.#places;
    const opened = openLiveSession(folder, id, {
      plan,
      key: installKey(state),
      state,
      ...(parent !== undefined && { parent }),
      durability: plan.policies.some(({ audit }) => audit.durability === "strict") ? "strict" : (durability ?? "group"),
    });
    if (!opened.ok) throw new Error(opened.error.message);
    const live = opened.value;
    try {
      const kept = withPathLabels(state, id, live, plan, now());
      const store = copy ? both(copy, kept) : kept;
      return { plan, live, kept, store, engine: this.#engineOf(plan, { state: live.state, store }) };
    } catch (fault) {
      live.close();
      throw fault;
    }
  }

  #unusable(fault: unknown): DecisionError {
    const why = fault instanceof Error ? fault.message : String(fault);
    const said = why.startsWith(unusableState) ? why : `${unusableState}: ${why}`;
    return { code: "HW515", message: `${said}; see that \`${this.#places.folder}\` is whole and yours alone to write` };
  }
}

const unusableState = "session state cannot be used";

/** Returns why a session's state is no longer usable; undefined if it is. */
function faultOf(id: string, { live, kept }: Opened): unknown {
  if (kept.fault !== undefined) return kept.fault;
  try {
    live.state.labels(id);
    return undefined;
  } catch (fault) {
    return fault;
  }
}

function nameOf(event: unknown): SessionName {
  const { session } = event as WireEvent;
  const { id = "", parent } = session ?? {};
  return parent === undefined ? { id } : { id, parent };
}

/** Combines two stores. The session's own record is written last, because it is the one that counts. */
function both(copy: AuditStore, own: AuditStore): AuditStore {
  return {
    append(body, latencyUs) {
      copy.append(body, latencyUs);
      return own.append(body, latencyUs);
    },
  };
}

/** Judge of a plan for all sessions of a process; each session's own engine gives the answers. */
export class SessionJudge implements Engine, Judge {
  readonly active = true;
  readonly plan: Plan;
  readonly #sessions: LiveSessions;

  constructor(sessions: LiveSessions, plan: Plan) {
    this.#sessions = sessions;
    this.plan = plan;
  }

  decide(event: unknown, answers?: Parameters<Engine["decide"]>[1]): Verdict {
    return this.#sessions.decided(this.plan, event, (engine) => engine.decide(event, answers));
  }

  judge(event: unknown): Promise<Verdict> {
    return this.#sessions.judged(this.plan, event);
  }

  answer(answer: Parameters<Engine["answer"]>[0]): boolean {
    return this.#sessions.engine(this.plan, { id: answer.session ?? "" })?.answer(answer) === true;
  }

  labels(session: string): readonly string[] {
    return this.#sessions.engine(this.plan, { id: session })?.labels(session) ?? [];
  }

  record(name: SessionName, body: AuditBody): void {
    this.#sessions.record(this.plan, name, body);
  }

  end(session: string): void {
    this.#sessions.end(session);
  }
}
