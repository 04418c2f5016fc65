import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: the first event already exceeds a budget. */
export const budgetOfZero: Lint = {
  code: "HW658",
  name: "budget-of-zero",
  why: "A budget of zero events is used up by the first one: the rule applies always, as if it had no budget, and yet its use is counted in every session.",
  advice: "Leave `budget` out, or give it a limit.",
  bad: [
    {
      title: "no call at all",
      at: ["0"],
      policy: `  - id: calls
    event: tool_call
    tool: bash
    budget: { per: session, limit: 0, within: 1m }
    action: ask
    reason: too many commands
`,
    },
  ],
  good: [
    {
      title: "a limit, and a sum that may be nothing",
      policy: `  - id: calls
    event: tool_call
    tool: bash
    budget: { per: session, limit: 20, within: 1m }
    action: ask
    reason: too many commands
  - id: pushes
    event: tool_call
    budget: { per: session, limit: 0, of: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  rule({ draft: { budget }, node }) {
    const place = child(child(node, "budget"), "limit");
    if (!place || budget?.limit !== 0 || budget.of) return [];
    return [
      {
        span: place.span,
        message: "the first event is over this budget, so the rule always applies",
        help: "leave `budget` out, or give it a limit",
      },
    ];
  },
};
