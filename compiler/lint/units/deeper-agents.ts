import type { Lint } from "../lint.ts";

/** Lint: a rule about sub-agents leaves those of the main agent out. */
export const deeperAgents: Lint = {
  code: "HW817",
  name: "deeper-agents",
  why: "The main agent has the depth 0, and its sub-agents have 1. A test for more than 1 is about the sub-agents of sub-agents alone.",
  advice: "Write `{ gt: 0 }` for every sub-agent.",
  bad: [
    {
      title: "more than one, in two spellings",
      at: ["agent.depth: { gt: 1 }", "agent.depth >= 2"],
      policy: `  - id: pushes
    event: tool_call
    when: { effects.pushes: { size: { gt: 0 } }, agent.depth: { gt: 1 } }
    action: block
    reason: the main agent pushes
  - id: deletes
    event: tool_call
    when: effects.deletes.size() > 0 && agent.depth >= 2
    action: block
    reason: the main agent deletes
`,
    },
  ],
  good: [
    {
      title: "every sub-agent, and a deep limit",
      policy: `  - id: pushes
    event: tool_call
    when: { effects.pushes: { size: { gt: 0 } }, agent.depth: { gt: 0 } }
    action: block
    reason: the main agent pushes
  - id: depth
    event: tool_call
    tool: task
    when: { agent.depth: { ge: 3 } }
    action: block
    reason: nobody follows this
`,
    },
  ],
  claim({ path, operator, values, part, negated, span }, { rule }) {
    if (!rule?.catches || path !== "agent.depth" || part !== "when" || negated) return undefined;
    const bound = operator === "gt" ? values?.[0] : operator === "ge" ? Number(values?.[0]) - 1 : undefined;
    if (bound !== 1) return undefined;
    return {
      span,
      message: "this leaves the sub-agents of the main agent out, whose depth is 1",
      help: "write `agent.depth: { gt: 0 }` for every sub-agent",
    };
  },
};
