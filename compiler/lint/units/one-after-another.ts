import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a sequence of two tools asks for both, in this order. */
export const oneAfterAnother: Lint = {
  code: "HW818",
  name: "one-after-another",
  why: "The items of `after` must all have happened, in their order.",
  advice: "Write one item with a list of tools, where one of them is enough.",
  bad: [
    {
      title: "two tools of one kind",
      at: ["- tool: fetch"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    sequence:
      after:
        - tool: fetch
        - tool: search
    action: ask
    reason: the session has been on the web
`,
    },
  ],
  good: [
    {
      title: "one of two, and two steps that differ in kind",
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    sequence: { after: [{ tool: [fetch, search] }] }
    action: ask
    reason: the session has been on the web
  - id: sends
    event: tool_call
    each: { p: effects.pushes }
    sequence: { after: [{ tool: fetch }, { tool: write, when: { args.path: { within: src } } }] }
    action: ask
    reason: the web may speak here
`,
    },
  ],
  rule({ draft: { sequence, actions }, node, typed }) {
    const items = typed?.sequence?.items ?? [];
    if (!sequence || items.length < 2 || !actions.some(({ name }) => name === "ask" || name === "block")) return [];
    const tools = items.map(({ when, tools, events }) =>
      when || events.some((event) => event !== "tool_call") ? [] : tools,
    );
    if (tools.some((names) => names.length === 0) || new Set(tools.flat()).size < 2) return [];
    const after = child(child(node, "sequence"), "after");
    if (!after) return [];
    const all = [...new Set(tools.flat())].join(", ");
    return [
      {
        span: after.span,
        message: "this asks for a call of each, in this order",
        help: `write \`after: [{ tool: [${all}] }]\` where one of them is enough`,
      },
    ];
  },
};
