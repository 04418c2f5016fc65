import type { Ir } from "../../engine/plan.ts";
import type { LintedRule, TypedRule } from "./policy.ts";

/** Several lints compare the same conditions. */
const keys = new WeakMap<Ir, string>();

/** Typed IR as text, for comparing: without places and names of variables; operands of `and` and `or` in one order. */
export function irKey(ir: Ir): string {
  const known = keys.get(ir) ?? textOf(ir);
  keys.set(ir, known);
  return known;
}

/** Returns typed IR as text that is the same for a condition that fires a rule and for one that waives it. */
export function plainKey(ir: Ir): string {
  return irKey(ir)
    .replaceAll(/,\\*"certain\\*":true|,\\*"forms\\*":\\*"all\\*"/g, "")
    .replaceAll(/(#(?:allow|not|allow-not))(?=\\*")/g, "");
}

function textOf(ir: Ir): string {
  return JSON.stringify(ir, (key, value: unknown) => {
    if (key === "at") return undefined;
    if (typeof value !== "object" || value === null) return value;
    const node = value as Partial<Ir> & { readonly args?: readonly Ir[] };
    if (node.k === "slot") return { k: "slot", slot: (value as { slot: number }).slot };
    if ((node.k === "and" || node.k === "or") && node.args) return { k: node.k, args: node.args.map(irKey).sort() };
    return node.k === "call" ? inOneForm(value as Call) : value;
  });
}

type Call = Ir & { readonly k: "call" };

/** Functions whose list of constants has no order. */
const takesAny =
  /^(?:in|\w+_in|in_\w+|(?:\w+\.)?(?:contains_any|contains_all|host_in\w*|glob_any\w*|is\w*))$|\.(?:in|path_in)$/;

/** Returns a call in the form that other spellings share: a truth value by itself, and constants in one order where it means nothing. */
function inOneForm(call: Call): unknown {
  const [subject, operand, ...others] = call.args;
  if (call.fn === "equal" && subject && operand?.k === "const" && typeof operand.value === "boolean")
    return operand.value ? subject : { k: "not", arg: subject };
  if (!subject || operand?.k !== "const" || !Array.isArray(operand.value) || !takesAny.test(call.fn)) return call;
  const sorted = [...operand.value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { ...call, args: [subject, { ...operand, value: sorted }, ...others] };
}

/** Returns a key of what a rule applies to: two rules with the same key match the same events and elements. */
export function guardKey({ events, tools, each, when, unless, sequence, budget }: TypedRule): string {
  const part = (ir: Ir | undefined): string => (ir ? irKey(ir) : "");
  const item = { sequence, budget };
  return [
    JSON.stringify([[...events].sort(), [...tools].sort()]),
    part(each?.list),
    part(when),
    part(unless),
    sequence || budget ? JSON.stringify(item, (key, value: unknown) => (key === "at" ? undefined : value)) : "",
  ].join("\n");
}

/** How strict the answer of a rule is: 3 block, 2 ask, 1 allow, 0 for a rule that does not answer. */
export function strictness(rule: LintedRule): number {
  return rule.does("block") ? 3 : rule.does("ask") ? 2 : rule.does("allow") ? 1 : 0;
}

/** True if the rule answers and does nothing else, so that a stricter answer leaves nothing of it. */
export function onlyAnswers({ draft }: LintedRule): boolean {
  return draft.actions.every(({ name }) => name === "block" || name === "ask" || name === "allow");
}
