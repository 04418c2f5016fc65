import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule is switched off in its own file. */
export const disabledRule: Lint = {
  code: "HW662",
  name: "disabled-rule",
  why: "A rule that is switched off protects nobody, and its text looks as if it did. Policies stand in version control, where a rule that is gone can be found again.",
  advice: "Take the rule out, or try it with `mode: monitor`, which reports what it would have done.",
  bad: [
    {
      title: "switched off",
      at: ["false"],
      policy: `  - id: deletes
    enabled: false
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "on trial",
      policy: `  - id: deletes
    mode: monitor
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  rule({ node, draft: { id } }) {
    const enabled = child(node, "enabled");
    if (enabled?.kind !== "scalar" || enabled.value !== false) return [];
    return [
      {
        span: enabled.span,
        message: `rule \`${id}\` is switched off in its own file`,
        help: "take it out, or write `mode: monitor`",
      },
    ];
  },
};
