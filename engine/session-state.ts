import type { AuditBody } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import type { SessionView } from "../schema/session.ts";
import type { Plan } from "./plan.ts";
import { addAll, shortName } from "./session/bounds.ts";
import { fold } from "./session/fold.ts";
import { inherit, newSession, noSessionRules, type SessionData, type SessionRules } from "./session/session.ts";
import { viewOf } from "./session/view.ts";

/** Windows of a plan's session rules, by rule. */
export function sessionRules(plan: Plan): SessionRules {
  return {
    sequences: new Map(plan.rules.flatMap((rule) => (rule.sequence ? [[rule.id, rule.sequence] as const] : []))),
    budgets: new Map(plan.rules.flatMap((rule) => (rule.budget ? [[rule.id, rule.budget] as const] : []))),
  };
}

/** Event name of a record of labels that came from a sub-agent or fork; such a record does not begin its session. */
export const joinEvent = "session_join";

/**
 * State of sessions: the fold over their audit records, in append order (semantics section 5). Bounded: the session unused
 * for longest is forgotten, but never one with sub-agents at work. Judging reads a view and changes nothing; only a
 * written record does.
 */
export class SessionState {
  readonly #sessions = new Map<string, SessionData>();
  readonly #rules: SessionRules;

  constructor(rules: SessionRules = noSessionRules) {
    this.#rules = rules;
  }

  /** The session of an event as that event sees it. */
  view(event: JudgedEvent): SessionView {
    return viewOf(this.#seen(event.session.id, event.session.parent), event, this.#rules);
  }

  /**
   * Folds a written record into its session. Labels of a sub-agent's, forked or resumed session are also added to all its
   * ancestors. Records without state, such as that of a malformed payload, belong to no session.
   */
  fold(body: AuditBody): void {
    const { state } = body;
    if (!state) return;
    const joins = body.kind === "note" && body.event === joinEvent;
    const session = this.#seen(body.session, state.parent);
    const begins = !joins && !session.begun;
    if (!joins) session.begun = true;
    this.#keep(body.session, session);
    fold(session, body, this.#rules);
    // Labels that sub-agents gave a session before it began reach its parents when it begins.
    this.#join(
      session,
      begins ? session.labels : (state.labels ?? []),
      begins ? session.shadowLabels : (state.shadow ?? []),
    );
  }

  /** Returns the current labels of a session, or its initial labels if it has not begun. */
  labels(id: string, parent?: string): readonly string[] {
    return [...this.#seen(id, parent).labels];
  }

  /** Returns the session that waits for an answer to the question about an event; the newest if there are several. */
  asking(of: string): string | undefined {
    const key = shortName(of);
    let found: string | undefined;
    for (const [id, { questions }] of this.#sessions) if (questions.has(key)) found = id;
    return found;
  }

  /** Returns a session's data for a snapshot; undefined if the session is unknown. */
  data(id: string): SessionData | undefined {
    return this.#sessions.get(id);
  }

  /** Forgets a session, for example one that was only needed to start another. */
  forget(id: string): void {
    this.#sessions.delete(id);
  }

  /** Puts back what a snapshot held. */
  restore(id: string, data: SessionData): void {
    this.#keep(id, data);
  }

  /** Takes over the sessions of another state; from now on the windows are those of this state's rules. */
  adopt(other: SessionState): void {
    for (const [id, data] of other.#sessions) this.#keep(id, structuredClone(data));
  }

  /** Returns the session as it is, or as it would begin. Reading a session does not store it. */
  #seen(id: string, parent: string | undefined): SessionData {
    const known = this.#sessions.get(id);
    if (known?.begun) return known;
    if (parent === undefined || parent === id) return known ?? newSession();
    const from = this.#sessions.get(parent);
    return from ? inherit(from, parent, known) : { ...(known ?? newSession()), parent };
  }

  #join(session: SessionData, labels: readonly string[], shadow: readonly string[]): void {
    const seen = new Set<string>();
    for (let up = session.parent; up !== undefined && !seen.has(up) && seen.size < limits.sessionDepth; ) {
      seen.add(up);
      const parent = this.#sessions.get(up) ?? (labels.length + shadow.length > 0 ? newSession() : undefined);
      if (!parent) return;
      addAll(parent.labels, labels);
      addAll(parent.shadowLabels, shadow);
      this.#keep(up, parent);
      up = parent.parent;
    }
  }

  #keep(id: string, session: SessionData): void {
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > limits.sessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }
}
