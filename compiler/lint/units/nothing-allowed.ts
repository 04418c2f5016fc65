import { entry } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: all calls are blocked, and no rule allows any. */
export const nothingAllowed: Lint = {
  code: "HW826",
  name: "nothing-allowed",
  why: "`default: block` blocks each call that no rule allows. Without a rule that allows one the agent does only what a human is asked about.",
  advice: "Write rules with `action: allow`. For calls alone that are not understood there is `unknown: block`.",
  bad: [
    {
      title: "a default without an allow",
      at: ["block"],
      policy: `version: 1
policy: example
default: block
rules:
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    action: ask
    reason: others see it
`,
    },
  ],
  good: [
    {
      title: "a default with an allow, and calls that are not understood",
      policy: `version: 1
policy: example
default: block
rules:
  - id: reads
    event: tool_call
    each: { r: effects.reads }
    when: { r.path: { is: workspace } }
    action: allow
`,
    },
  ],
  set({ policies }) {
    const allows = policies.some(({ rules }) => rules.some((rule) => rule.typed && rule.does("allow")));
    if (allows) return [];
    return policies.flatMap((policy) => {
      const place = policy.draft.default === "block" ? entry(policy.root, "default") : undefined;
      if (!place) return [];
      const message = "no rule allows a call, so that each is blocked unless a rule asks about it";
      const help = "add rules with `action: allow`; to block what is not understood write `unknown: block`";
      return [{ policy, span: place.value.span, message, help }];
    });
  },
};
