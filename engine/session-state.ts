import type { JudgedEvent } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";

/** State of one session as one event may use it. */
export interface SessionScope {
  /** True the first time for this rule in this turn or session; remembered. */
  once(rule: string, scope: "turn" | "session"): boolean;
}

interface Session {
  turn: number;
  readonly inTurn: Set<string>;
  readonly inSession: Set<string>;
}

/**
 * What sessions remember: which `once` texts were delivered. Bounded: the session unused for longest is forgotten,
 * which can only repeat a text, never drop a guard.
 */
export class SessionState {
  readonly #sessions = new Map<string, Session>();

  /** Opens the session of an event. A new prompt, or a higher turn number, begins a turn. */
  enter(event: JudgedEvent): SessionScope {
    const { id, turn } = event.session;
    const session = this.#sessions.get(id) ?? { turn, inTurn: new Set<string>(), inSession: new Set<string>() };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    if (this.#sessions.size > limits.sessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
    if (event.event === "before_agent_start" || turn !== session.turn) session.inTurn.clear();
    session.turn = turn;
    return { once: (rule, scope) => first(scope === "turn" ? session.inTurn : session.inSession, rule) };
  }
}

function first(seen: Set<string>, rule: string): boolean {
  if (seen.has(rule)) return false;
  seen.add(rule);
  return true;
}
