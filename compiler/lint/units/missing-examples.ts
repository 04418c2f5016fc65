import type { Lint } from "../lint.ts";

/** A rule that can stop a call and proves nothing. */
export const missingExamples: Lint = {
  code: "HW632",
  name: "missing-examples",
  why: "Examples are judged on every check: they prove that the rule fires, and that it leaves alone what it should.",
  advice: "Add `examples:` with a `match` and a `no_match`.",
  bad: [
    {
      title: "a rule without examples",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "a rule with examples",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
    examples:
      match: [unlink notes.txt]
      no_match: [cat notes.txt]
`,
    },
  ],
  rule(rule) {
    const { id, span, examples } = rule.draft;
    if (!rule.guards || !rule.typed || examples.match.length + examples.no_match.length > 0) return [];
    const help = "add `examples:` with `match` and `no_match`";
    return [{ span, message: `nothing proves that rule \`${id}\` does what it should`, help }];
  },
};
