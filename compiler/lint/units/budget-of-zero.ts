import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: the first event already exceeds a budget, or a budget counts calls where the rule goes through their effects. */
export const budgetOfZero: Lint = {
  code: "HW658",
  name: "budget-of-zero",
  why: "A budget of zero events is used up by the first one: the rule applies always, as if it had no budget, and yet its use is counted in every session. A budget without `of` counts calls, however many elements of a call the rule goes through; tens of thousands of events are more than sessions have.",
  advice: "Leave `budget` out, or give it a limit. Write `of` to count elements, and take `each` out to count calls.",
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
    {
      title: "calls where files are meant",
      at: ["{ per: session, limit: 5 }"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    budget: { per: session, limit: 5 }
    action: ask
    reason: many files are deleted
`,
    },
    {
      title: "events where characters are meant",
      at: ["40000"],
      policy: `  - id: results
    event: tool_result
    budget: { per: turn, limit: 40000 }
    action: { notify: { message: the results are long } }
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
  - id: deletes
    event: tool_call
    budget: { per: session, limit: 5, of: effects.deletes }
    action: ask
    reason: many files are deleted
  - id: deleting
    event: tool_call
    when: effects.deletes.size() > 0
    budget: { per: session, limit: 5 }
    action: ask
    reason: many calls delete
  - id: results
    event: tool_result
    budget: { per: turn, limit: 40000, of: result.text.size() }
    action: { notify: { message: the results are long } }
  - id: many
    event: tool_result
    budget: { per: session, limit: 5000 }
    action: { notify: { message: the session is long } }
`,
    },
  ],
  rule({ draft: { budget, events: draftEvents }, node, typed }) {
    const given = child(node, "budget");
    const place = child(given, "limit");
    if (!place || !given || budget?.of) return [];
    if (budget?.limit === 0) {
      const message = "the first event is over this budget, so the rule always applies";
      return [{ span: place.span, message, help: "leave `budget` out, or give it a limit" }];
    }
    if (budget && budget.limit >= mostEvents && !draftEvents.some((event) => event.endsWith("_update"))) {
      const message = `this budget counts events, and hardly any session has ${budget.limit} of them`;
      const help = "write `of: …` in it to add up what is meant, such as `of: result.text.size()`";
      return [{ span: place.span, message, help }];
    }
    const list = typed?.each?.list;
    if (list?.k !== "root" || !list.name.startsWith("effects.")) return [];
    const message = `this budget counts calls: one with many \`${list.name}\` counts once`;
    const help = `write \`of: ${list.name}\` in it to count each of them; to count calls, take \`each\` out and write \`when: ${list.name}.size() > 0\``;
    return [{ span: given.span, message, help }];
  },
};

/** Limits from this one on are counts of characters, bytes or tokens, and not of events. */
const mostEvents = 10_000;
