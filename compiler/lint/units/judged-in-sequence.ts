import { child } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: the last item of a sequence is like the judged event, which is none of the earlier ones. */
export const judgedInSequence: Lint = {
  code: "HW824",
  name: "judged-in-sequence",
  why: "The items of `after` are earlier events. An item for the judged event asks for another one of its kind before it, and the first of them passes.",
  advice: "Leave the last item out: the rule itself is about the last event.",
  bad: [
    {
      title: "the fetch that is meant, once more",
      at: ["{ tool: fetch }"],
      policy: `  - id: leak
    event: tool_call
    tool: fetch
    sequence: { after: [{ tool: read, when: { args.path: { within: customers } } }, { tool: fetch }] }
    action: block
    reason: data of customers stays here
`,
    },
  ],
  good: [
    {
      title: "earlier events alone, and the third call of a kind",
      policy: `  - id: leak
    event: tool_call
    tool: fetch
    sequence: { after: [{ tool: read, when: { args.path: { within: customers } } }] }
    action: block
    reason: data of customers stays here
  - id: third
    event: tool_call
    tool: fetch
    sequence: { after: [{ tool: fetch }, { tool: fetch }], within: { time: 1m } }
    action: ask
    reason: it asks again and again
`,
    },
  ],
  rule({ typed, node, catches }) {
    const items = typed?.sequence?.items ?? [];
    const last = items.at(-1);
    if (!catches || !typed || !last || items.length < 2 || last.when || typed.tools.length === 0) return [];
    const key = (one: { readonly tools: readonly string[]; readonly events: readonly string[] }): string =>
      JSON.stringify([[...one.tools].sort(), [...one.events].sort()]);
    if (key(last) !== key(typed) || items.slice(0, -1).some((item) => key(item) === key(typed))) return [];
    const after = child(child(node, "sequence"), "after");
    const place = after?.kind === "list" ? after.items.at(-1) : undefined;
    if (!place) return [];
    const message = "this asks for one more such event before the judged one, and the first of them passes";
    return [{ span: place.span, message, help: "leave it out: the rule itself is about the last event" }];
  },
};
