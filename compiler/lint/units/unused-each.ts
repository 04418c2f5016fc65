import type { Ir } from "../../../engine/plan.ts";
import { reservedSlots } from "../../../engine/plan.ts";
import { irKey } from "../guards.ts";
import { nodesIn } from "../label-uses.ts";
import type { Lint } from "../lint.ts";
import type { TypedRule } from "../policy.ts";

/** Lint: a rule binds each element of a list and then judges the whole list. */
export const unusedEach: Lint = {
  code: "HW654",
  name: "unused-each",
  why: "With `each` a rule judges every element by itself, so that exceptions waive one and not the one beside it. A condition that goes through the whole list again judges all of them at once, and the message names the first, not the one that matters.",
  advice: "Test the element that `each` binds, or leave `each` out.",
  bad: [
    {
      title: "the list again",
      at: ["d:"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { some: { effects.deletes: { recursive: true } } }
    action: ask
    reason: everything beneath is deleted
`,
    },
    {
      title: "the element in the reason only",
      at: ["d:"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: effects.deletes.exists(x, x.recursive)
    action: ask
    reason: "{d.path} is deleted"
`,
    },
  ],
  good: [
    {
      title: "the element, beside the list, and a condition about something else",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { d.recursive: true }
    action: ask
    reason: everything beneath is deleted
  - id: many
    event: tool_call
    each: { d: effects.deletes }
    when: "d.recursive && effects.deletes.exists(x, x.path.name == 'data')"
    action: ask
    reason: everything beneath is deleted
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { environment.branch: main }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  rule({ typed, node, draft }) {
    const place = node.entries.find(({ key }) => key === "each")?.value;
    const name = place?.kind === "map" ? place.entries[0] : undefined;
    // A label may apply to the path of the element.
    if (!typed?.each || !name || draft.actions.some((action) => action.name === "label")) return [];
    if (!goesThroughAgain(typed)) return [];
    const list = name.value.kind === "scalar" ? String(name.value.value) : "";
    return [
      {
        span: name.keySpan,
        message: `the conditions go through \`${list}\` again and never test \`${name.key}\``,
        help: `test \`${name.key}\`, or leave \`each\` out`,
      },
    ];
  },
};

function goesThroughAgain({ each, when, unless, exceptions }: TypedRule): boolean {
  const list = each && irKey(plain(each.list));
  const nodes = [when, unless, ...exceptions.map((exception) => exception.when)].flatMap((ir) =>
    ir ? nodesIn(ir) : [],
  );
  if (nodes.some((node) => node.k === "condition" || (node.k === "slot" && node.slot === reservedSlots.each)))
    return false;
  return nodes.some((node) => node.k === "loop" && irKey(plain(node.list)) === list);
}

/** Returns a list without the mark that selects the elements it shows. */
function plain(ir: Ir): Ir {
  return ir.k === "root" ? { k: "root", name: ir.name } : ir;
}
