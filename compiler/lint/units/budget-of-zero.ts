import type { Ir } from "../../../engine/plan.ts";
import type { Expression } from "../../../rules/ast.ts";
import { printExpression } from "../../../rules/print.ts";
import type { RuleDraft } from "../../policy-draft.ts";
import { child } from "../../yaml-node.ts";
import { isOfOneEffect } from "../effect-lists.ts";
import type { Finding, Lint } from "../lint.ts";
import type { TypedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

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
      title: "calls where commands are meant",
      at: ["{ per"],
      policy: `  - id: publishes
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    budget: { per: session, limit: 5 }
    action: ask
    reason: many packages are published
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
  - id: publishes
    event: tool_call
    budget: { per: session, limit: 5, of: 'shell.commands.filter(c, has(c.subcommand) && c.program == "npm" && c.subcommand == "publish")' }
    action: ask
    reason: many packages are published
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
  rule({ draft, node, typed }) {
    const { budget, events: draftEvents, each } = draft;
    const given = child(node, "budget");
    const place = child(given, "limit");
    const counted = typed?.budget?.of;
    if (!place || !given || (counted ? counted.k !== "const" : budget?.of)) return [];
    if (budget?.limit === 0) {
      const message = "the first event is over this budget, so the rule always applies";
      return [{ span: place.span, message, help: "leave `budget` out, or give it a limit" }];
    }
    if (budget && budget.limit >= mostEvents && !draftEvents.some((event) => event.endsWith("_update"))) {
      const message = `this budget counts events, and hardly any session has ${budget.limit} of them`;
      const help = "write `of: …` in it to add up what is meant, such as `of: result.text.size()`";
      return [{ span: place.span, message, help }];
    }
    return each && typed && !hasOneEach(typed) ? [{ span: given.span, ...countsCalls(each, draft, typed) }] : [];
  },
};

/** Limits from this one on are counts of characters, bytes or tokens, and not of events. */
const mostEvents = 10_000;

/** Tells whether a call seldom has several elements of the rule's list: a file tool takes one file, and most calls ask one server. */
function hasOneEach(rule: TypedRule): boolean {
  const { list } = rule.each ?? {};
  const isOfNetwork = list?.k === "root" && list.name === "effects.network";
  return isOfNetwork || isOfOneEffect(rule);
}

/** Returns the finding about a budget without `of` in a rule that goes through a list, with the list to count in its place. */
function countsCalls(
  { name, list }: NonNullable<RuleDraft["each"]>,
  { when, unless }: Pick<RuleDraft, "when" | "unless">,
  typed: TypedRule,
): Pick<Finding, "message" | "help"> {
  const through = printExpression(list);
  const test = unless ? "…" : when && typed.when ? asCel(when, typed.when) : "";
  const elements = test === "" ? through : `${through}.filter(${name}, ${test})`;
  const calls = test === "" ? `${through}.size() > 0` : `${through}.exists(${name}, ${test})`;
  const instead = test === "…" ? ", with the tests of the rule for `…`" : "";
  return {
    message: `this budget counts calls: one with many \`${through}\` counts once`,
    help: `write \`of: ${inFlow(elements)}\` in it to count each of them${instead}; to count calls, take \`each\` out and write \`when: ${inFlow(calls)}\``,
  };
}

/** Returns a condition in CEL, which asks for an optional field before it reads it; `…` for one that is long or no plain list of tests. */
function asCel(when: Expression, typed: Ir): string {
  const fields = new Set<string>();
  const isPlain = (ir: Ir): boolean => {
    if (ir.k === "and") return ir.args.every(isPlain);
    if (ir.k === "has") fields.add(`has(${writtenPath(ir.of)}.${ir.name})`);
    return ir.k === "has" || ir.k === "call" || ir.k === "field";
  };
  if (!isPlain(typed)) return "…";
  // A test of YAML with a list asks for one of its values.
  const text = [...fields, printExpression(when).replaceAll(" == [", " in [")].join(" && ");
  return text.length > 200 ? "…" : text;
}

/** Returns a CEL text as a value of YAML that stands in braces. */
function inFlow(text: string): string {
  return /["'{}[\],#]|: /.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
