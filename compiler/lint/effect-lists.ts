import type { TypedRule } from "./policy.ts";

/** Tools whose calls have one file or one address. */
const ofOneEffect: ReadonlySet<string> = new Set(["read", "write", "edit", "fetch"]);

/** Tells whether a rule is about tools alone whose calls have one effect each. */
export function isOfOneEffect({ tools }: Pick<TypedRule, "tools">): boolean {
  return tools.length > 0 && tools.every((tool) => ofOneEffect.has(tool));
}
