import type { AuditBody } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import type { SessionView } from "../schema/session.ts";
import type { Plan } from "./plan.ts";
import {
  fold,
  inherit,
  newSession,
  noSessionRules,
  restored,
  type SessionData,
  type SessionRules,
} from "./session/session.ts";
import { viewOf } from "./session/view.ts";

/** Windows of a plan's session rules, by rule. */
export function sessionRules(plan: Plan): SessionRules {
  return {
    sequences: new Map(plan.rules.flatMap((rule) => (rule.sequence ? [[rule.id, rule.sequence] as const] : []))),
    budgets: new Map(plan.rules.flatMap((rule) => (rule.budget ? [[rule.id, rule.budget] as const] : []))),
  };
}

/**
 * What sessions remember: the fold over their audit records, in append order (semantics section 5). Bounded: the session
 * unused for longest is forgotten. Judging reads a view; only a record that was written changes anything.
 */
export class SessionState {
  readonly #sessions = new Map<string, SessionData>();
  readonly #rules: SessionRules;

  constructor(rules: SessionRules = noSessionRules) {
    this.#rules = rules;
  }

  /** The session of an event as that event sees it. */
  view(event: JudgedEvent): SessionView {
    return viewOf(this.#open(event.session.id, event.session.parent), event, this.#rules);
  }

  /** Takes a record that was written into its session. Labels of a sub-agent's or forked session join its parents too. */
  fold(body: AuditBody): void {
    const session = this.#open(body.session, body.state?.parent);
    fold(session, body, this.#rules);
    const labels = body.state?.labels ?? [];
    for (let up = session.parent, n = 0; labels.length > 0 && up !== undefined && n < limits.sessions; n++) {
      const parent = this.#sessions.get(up);
      if (!parent) break;
      parent.labels = [...new Set([...parent.labels, ...labels])].slice(0, limits.labels);
      up = parent.parent;
    }
  }

  /** The session that waits for an answer to the question about an event. */
  asking(of: string): string | undefined {
    for (const [id, { questions }] of this.#sessions) if (Object.hasOwn(questions, of)) return id;
    return undefined;
  }

  /** A session's data, for a snapshot; undefined when nothing is known of it. */
  data(id: string): SessionData | undefined {
    return this.#sessions.get(id);
  }

  /** Puts back what a snapshot held. */
  restore(id: string, data: SessionData): void {
    this.#keep(id, restored(data));
  }

  #open(id: string, parent: string | undefined): SessionData {
    const known = this.#sessions.get(id);
    const from = parent === undefined || parent === id ? undefined : this.#sessions.get(parent);
    const session = known ?? (from && parent !== undefined ? inherit(from, parent) : newSession());
    this.#keep(id, session);
    return session;
  }

  #keep(id: string, session: SessionData): void {
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > limits.sessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }
}
