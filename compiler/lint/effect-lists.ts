import type { Claim } from "./claims.ts";
import type { TypedRule } from "./policy.ts";

/** Tools whose calls have one file or one address. */
const ofOneEffect: ReadonlySet<string> = new Set(["read", "write", "edit", "fetch"]);

/** Tells whether a rule is about tools alone whose calls have one effect each. */
export function isOfOneEffect({ tools }: Pick<TypedRule, "tools">): boolean {
  return tools.length > 0 && tools.every((tool) => ofOneEffect.has(tool));
}

/** Tells whether a test of a list's size says that it has elements, and no more. */
export function isNotEmpty({ by, operator, path, negated, values }: Claim): boolean {
  const [bound] = values ?? [];
  if (by !== "whole" || (operator !== "size" && !path.endsWith("size"))) return false;
  if (operator === "equals" || operator === "size") return negated && bound === 0;
  return !negated && ((operator === "gt" && bound === 0) || (operator === "ge" && bound === 1));
}
