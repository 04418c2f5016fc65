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

/** What an action is to a match that is not sure: one that decides, one that hides secrets, or any other. */
export type ActionPart = "guard" | "redact" | "other";

/** What an action does at a match: what it says, ask in its place, or nothing. */
export type Stance = "act" | "ask" | "nothing";

/**
 * What an action of a rule does at a match (decision 25): the one place that reads how sure a match is. Whatever is known to point there
 * acts. Of an open match secrets are hidden all the same, guards ask unless the rule's `unsure` says otherwise, and nothing else is done.
 */
export function stanceOf(rule: Pick<PlanRule, "unsure">, match: UnsureMatch | undefined, part: ActionPart): Stance {
  if (match?.grade !== "open" || part === "redact" || rule.unsure === "match") return "act";
  if (part === "other") return "nothing";
  // To ignore speaks of the conditions alone: a waiver that may hold waives nothing.
  return rule.unsure === "ignore" && !match.waiver ? "nothing" : "ask";
}

/** The part of an action, by its name. */
export function partOf(action: string): ActionPart {
  return action === "redact" ? "redact" : "other";
}
