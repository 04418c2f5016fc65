import type { Ir } from "../../../engine/plan.ts";
import { child } from "../../yaml-node.ts";
import type { Claim } from "../claims.ts";
import { isNotEmpty } from "../effect-lists.ts";
import { plainKey } from "../guards.ts";
import type { Lint } from "../lint.ts";
import type { LintedRule, TypedRule } from "../policy.ts";

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
  rule({ typed, node, catches, earlier }) {
    const items = typed?.sequence?.items ?? [];
    const goesThrough = typed?.each?.list.k === "root" ? typed.each.list.name : undefined;
    if (!catches || !typed || items.length < 2) return [];
    const isLikeJudged = ({ typed: item, claims }: LintedRule): boolean =>
      item !== undefined &&
      key(item) === key(typed) &&
      (item.when ? asksFor(goesThrough, claims) || isSame(item.when, typed.when) : item.tools.length > 0);
    const [own, ...others] = [...earlier].reverse();
    if (!own || !isLikeJudged(own) || others.some(isLikeJudged)) return [];
    const after = child(child(node, "sequence"), "after");
    const place = after?.kind === "list" ? after.items.at(-1) : undefined;
    if (!place) return [];
    const message = "this asks for one more such event before the judged one, and the first of them passes";
    return [{ span: place.span, message, help: "leave it out: the rule itself is about the last event" }];
  },
};

function isSame(one: Ir, other: Ir | undefined): boolean {
  return other !== undefined && plainKey(one) === plainKey(other);
}

/** The events and tools of a rule or an item, in one order. */
function key({ tools, events }: Pick<TypedRule, "tools" | "events">): string {
  return JSON.stringify([[...tools].sort(), [...events].sort()]);
}

/** Tells whether claims ask for elements of one list, and for nothing else. */
function asksFor(list: string | undefined, claims: readonly Claim[] = []): boolean {
  return list !== undefined && claims.length > 0 && claims.every((claim) => claim.list === list && isNotEmpty(claim));
}
