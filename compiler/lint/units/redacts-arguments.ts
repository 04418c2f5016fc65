import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: a rule redacts the arguments of calls, and no rule redacts what tools answer. */
export const redactsArguments: Lint = {
  code: "HW819",
  name: "redacts-arguments",
  why: "On `tool_call` a redaction changes what the tool gets. What the tool answers, and what the model reads, comes with `tool_result`.",
  advice: "Write `tool_result`, or both events.",
  bad: [
    {
      title: "keys that tools answer with",
      at: ["tool_call"],
      policy: `  - id: keys
    event: tool_call
    action: { redact: { detectors: ["secrets/*"] } }
`,
    },
  ],
  good: [
    {
      title: "results, and the arguments beside them",
      policy: `  - id: keys
    event: [tool_call, tool_result]
    action: { redact: { detectors: ["secrets/*"] } }
  - id: messages
    event: tool_call
    tool: mcp__chat__send
    action: { redact: { detectors: ["pii/*"] } }
`,
    },
    {
      title: "the arguments of one tool",
      policy: `  - id: messages
    event: tool_call
    tool: mcp__chat__send
    action: { redact: { detectors: ["pii/*"] } }
`,
    },
  ],
  set({ policies }) {
    const rules = policies.flatMap(({ rules }) => rules).filter((rule) => rule.typed && rule.does("redact"));
    if (rules.some(({ draft }) => draft.events.some((event) => event !== "tool_call"))) return [];
    return rules.filter(isOfEveryTool).flatMap((rule) => {
      const event = child(rule.node, "event");
      const help = "write `event: tool_result` for what tools answer, or `[tool_call, tool_result]` for both";
      const message = "this redacts what tools are given; no rule redacts what they answer";
      return event ? [{ policy: rule.policy, span: event.span, message, help }] : [];
    });
  },
};

/** Tells whether a rule is about every call, as one that is meant for every answer would be. */
function isOfEveryTool({ draft }: LintedRule): boolean {
  return draft.tools.length === 0 || draft.tools.includes("*");
}
