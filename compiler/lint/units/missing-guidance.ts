import type { Lint } from "../lint.ts";

/** Lint: a block has no guidance on what to do instead. */
export const missingGuidance: Lint = {
  code: "HW633",
  name: "missing-guidance",
  why: "A model that is only told no tries the next spelling. One that is told what to do instead goes on with its work.",
  advice: "Add `guidance:` with the way that is open.",
  bad: [
    {
      title: "a block that says only no",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "a block that says what to do",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: something is deleted
    guidance: Move it to the folder \`trash\`.
`,
    },
  ],
  rule(rule) {
    const { id, span, guidance } = rule.draft;
    if (!rule.typed || !rule.does("block") || guidance !== undefined) return [];
    const message = `rule \`${id}\` blocks and does not say what to do instead`;
    return [{ span, message, help: "add `guidance:` with the way that is open" }];
  },
};
