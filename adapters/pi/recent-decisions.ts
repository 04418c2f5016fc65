import type { Decision, WireEvent } from "../../schema/generated.ts";

/** Maximum number of decisions kept for `/policy`. */
const kept = 20;

/** One decision as shown to the human, with detected secrets already masked. */
export interface RecentDecision {
  /** RFC 3339. */
  readonly time: string;
  readonly session: string;
  readonly what: string;
  readonly outcome: Decision["outcome"];
  readonly why: string;
}

/** The last notable decisions: those that a rule answered or changed, and those that were not a plain allow. */
export class RecentDecisions {
  readonly #list: RecentDecision[] = [];

  add(event: WireEvent, decision: Decision): void {
    if (decision.outcome === "allow" && decision.matched.length === 0 && decision.answered !== "error") return;
    const what = event.tool === undefined ? event.event : `${event.event} ${event.tool}`;
    const session = event.session?.id ?? "";
    this.#list.push({ time: event.time ?? "", session, what, outcome: decision.outcome, why: whyOf(decision) });
    if (this.#list.length > kept) this.#list.shift();
  }

  /** Lists the decisions of a session, newest first. */
  of(session: string): readonly RecentDecision[] {
    return this.#list.filter((one) => one.session === session).reverse();
  }
}

function whyOf(decision: Decision): string {
  const { rule, reason, answered, matched, errors, doubts } = decision;
  const others = matched.filter((one) => one.rule !== rule).map((one) => `${one.outcome} by ${one.rule}`);
  const cited = rule === undefined ? [] : [rule];
  const told = reason ?? errors[0]?.message ?? doubts?.[0] ?? (matched.length === 0 ? `answered by ${answered}` : "");
  return [...cited, ...(told === "" ? [] : [told]), ...new Set(others)].slice(0, 5).join("; ");
}
