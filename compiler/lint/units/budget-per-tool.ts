import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule for several tools has a budget for each of them. */
export const budgetPerTool: Lint = {
  code: "HW830",
  name: "budget-per-tool",
  why: "`per: tool` counts each tool for itself: a limit of 2 lets two calls of each pass.",
  advice: "Write `per: session` to count the tools together.",
  bad: [
    {
      title: "two tools",
      at: ["tool"],
      policy: `  - id: web
    event: tool_call
    tool: [fetch, search]
    budget: { limit: 2, per: tool }
    action: ask
    reason: the web was used twice
`,
    },
  ],
  good: [
    {
      title: "together, and a single tool",
      policy: `  - id: web
    event: tool_call
    tool: [fetch, search]
    budget: { limit: 2, per: session }
    action: ask
    reason: the web was used twice
  - id: fetches
    event: tool_call
    tool: fetch
    budget: { limit: 2, per: tool }
    action: ask
    reason: the web was used twice
`,
    },
  ],
  rule({ draft, node }) {
    const place = child(child(node, "budget"), "per");
    if (draft.budget?.per !== "tool" || draft.tools.length < 2 || !place) return [];
    const message = `this counts each of ${draft.tools.length} tools for itself`;
    return [{ span: place.span, message, help: "write `per: session` to count them together" }];
  },
};
