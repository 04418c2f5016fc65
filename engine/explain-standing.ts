import type { Decision } from "../schema/generated.ts";
import type { ExplainedRule } from "./explain.ts";

/**
 * Standing of a rule in a decision. `won`: the decision cites it. `weaker`: a stricter answer overrode its own. `later`: another
 * rule with the same answer comes first. `not_covered`: its `allow` does not cover the whole call. `monitor`: it decides nothing.
 * `acted`: it matched and has no outcome (it redacts, labels, …). `rewritten`: it matches the original event but not the
 * rewritten one, or a program has not answered. `error`: it could not be evaluated. `open`: it is unknown whether it matches, so
 * it did nothing. `no`: it did not match.
 */
export interface Standing {
  readonly kind:
    | "won"
    | "weaker"
    | "later"
    | "not_covered"
    | "monitor"
    | "acted"
    | "rewritten"
    | "open"
    | "error"
    | "no";
  /** Its own outcome, if it has one. */
  readonly outcome?: string;
  /** The rule that it lost to; if none is cited, the source of the answer (`default`, `unknown`). */
  readonly to?: string;
}

/** Actions with an outcome of their own. */
const outcomes: ReadonlySet<string> = new Set(["block", "ask", "allow"]);

/** Returns why a rule won or lost (semantics section 3, step 5): the strictest answer holds, the first in order is cited. */
export function standingOf(rule: ExplainedRule, decision: Decision): Standing {
  if (rule.result === "error") return { kind: "error" };
  if (rule.mode === "monitor") {
    const would = decision.would.find((match) => match.rule === rule.id);
    return rule.result === "match" ? { kind: "monitor", ...(would && { outcome: would.outcome }) } : { kind: "no" };
  }
  if (decision.rule === rule.id) return { kind: "won", outcome: decision.outcome };
  const said = decision.matched.filter((match) => match.rule === rule.id);
  if (said.length > 0 && said.every(({ done }) => done === false)) return { kind: "open" };
  const matched = decision.matched.find((match) => match.rule === rule.id && outcomes.has(match.outcome));
  if (matched) return lost(matched.outcome, decision);
  if (rule.result === "no") return { kind: "no" };
  return rule.actions.some((action) => outcomes.has(action)) ? { kind: "rewritten" } : { kind: "acted" };
}

function lost(outcome: string, decision: Decision): Standing {
  const to = decision.rule ?? decision.answered;
  if (outcome === decision.outcome) return { kind: "later", outcome, to };
  return { kind: outcome === "allow" && decision.rule === undefined ? "not_covered" : "weaker", outcome, to };
}
