import type { Claim } from "./claims.ts";
import type { LintedRule } from "./policy.ts";

/**
 * True for a test that opens a way when it holds: in `unless`, an exception or an `allow`, or negated in a rule that stops
 * calls. There a value too many is a hole; in a guard it is a question too many.
 */
export function wavesThrough({ part, negated }: Claim, rule: LintedRule | undefined): boolean {
  if (part === "unless" || part === "exception") return !negated;
  if (part !== "when" || !rule) return false;
  return rule.catches ? negated : rule.does("allow") && !negated;
}
