import { entry } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule stops calls without a title, although other rules of the policy have one. A policy without any title has no finding. */
export const missingTitle: Lint = {
  code: "HW659",
  name: "missing-title",
  why: "Reports and pages list rules by title. One without stands among them with its id, which is made for machines.",
  advice: "Add `title:` with a few words.",
  bad: [
    {
      title: "a rule with an id only, beside one with a title",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
  - id: pushes
    title: Pushes are asked for
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "a title, and a rule that stops nothing",
      policy: `  - id: deletes
    title: Deletes are asked for
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
  - id: remind
    event: before_agent_start
    action: { inject: { content: Mind the tests. } }
`,
    },
  ],
  policy({ rules }) {
    if (!rules.some(({ node }) => entry(node, "title"))) return [];
    return rules
      .filter((rule) => rule.typed && rule.guards && !entry(rule.node, "title"))
      .map(({ draft: { id, span } }) => {
        const message = `rule \`${id}\` has no title, unlike rules beside it`;
        return { span, message, help: "add `title:` with a few words" };
      });
  },
};
