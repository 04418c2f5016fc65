import { entry } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a block has no severity, although other rules of the policy have one. A policy without any severity has no finding. */
export const missingSeverity: Lint = {
  code: "HW653",
  name: "missing-severity",
  why: "Without `severity` a rule counts as `info`: its blocks stand below those of all rules that have one, in reports and alerts.",
  advice: "Add `severity: low`, `medium`, `high` or `critical`; `info` where that is meant.",
  bad: [
    {
      title: "a block without a severity beside a rule with one",
      at: ["deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: something is deleted
  - id: pushes
    severity: low
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "a block with one, and a question",
      policy: `  - id: deletes
    severity: info
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: something is deleted
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  policy({ rules }) {
    if (!rules.some(({ node }) => entry(node, "severity"))) return [];
    return rules
      .filter((rule) => rule.typed && rule.does("block") && !entry(rule.node, "severity"))
      .map(({ draft: { id, span } }) => {
        const message = `rule \`${id}\` blocks and counts as \`info\`, below rules that have a severity`;
        return { span, message, help: "add `severity:`" };
      });
  },
};
