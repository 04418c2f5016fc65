import type { Unsure } from "../schema/approximation.ts";
import type { PlanRule } from "./plan.ts";

/** Of a match that is not sure: how far it holds, and what was not known. */
export interface UnsureMatch {
  readonly grade: Unsure["grade"];
  /** For people; masked before they see it. */
  readonly unknown: readonly string[];
  /** The conditions alone hold; what is not known is whether something waives. */
  readonly waiver: boolean;
}

/** Kind of an action at an unsure match: one that decides, one that hides secrets, or any other. */
export type ActionPart = "guard" | "redact" | "other";

/** Behaviour of an action at a match: act as it says, ask instead, or do nothing. */
export type Stance = "act" | "ask" | "nothing";

/**
 * Returns what an action of a rule does at a match (decision 25): the one place that reads how sure a match is. Every action acts at
 * a match that is not open. At an open match secrets are still hidden, guards ask unless the rule's `unsure` says otherwise, and no
 * other action does anything unless `unsure` is `match`.
 */
export function stanceOf(rule: Pick<PlanRule, "unsure">, match: UnsureMatch | undefined, part: ActionPart): Stance {
  if (match?.grade !== "open" || part === "redact" || rule.unsure === "match") return "act";
  if (part === "other") return "nothing";
  // `ignore` is about the conditions only: a waiver that may hold waives nothing.
  return rule.unsure === "ignore" && !match.waiver ? "nothing" : "ask";
}

/** The part of an action, by its name. */
export function partOf(action: string): ActionPart {
  return action === "redact" ? "redact" : "other";
}
