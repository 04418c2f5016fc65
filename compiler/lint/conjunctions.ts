import type { Ir } from "../../engine/plan.ts";

/** Every place of a condition that is true or false by itself, with whether it stands under an odd number of negations. */
export function truths(ir: Ir, negated = false): readonly { readonly ir: Ir; readonly negated: boolean }[] {
  const own = [{ ir, negated }];
  switch (ir.k) {
    case "and":
    case "or":
      return [...own, ...ir.args.flatMap((arg) => truths(arg, negated))];
    case "not":
      return [...own, ...truths(ir.arg, !negated)];
    case "if":
      return [...own, ...[ir.test, ir.then, ir.else].flatMap((part) => truths(part, negated))];
    case "loop":
      return ir.loop === "map" ? own : [...own, ...truths(ir.body, negated)];
    default:
      return own;
  }
}

/** The groups of terms that must hold together: the operands of each `and`, nested ones with their outer one. */
export function conjunctions(ir: Ir): readonly (readonly Ir[])[] {
  const found: Ir[][] = [];
  const visit = (node: Ir, group: Ir[]): void => {
    if (node.k === "and") for (const arg of node.args) visit(arg, group);
    else {
      group.push(node);
      for (const inner of within(node)) collect(inner);
    }
  };
  const collect = (node: Ir): void => {
    const group: Ir[] = [];
    found.push(group);
    visit(node, group);
  };
  collect(ir);
  return found;
}

/** Conditions inside a term that is no `and` itself. */
function within(ir: Ir): readonly Ir[] {
  switch (ir.k) {
    case "or":
      return ir.args;
    case "not":
      return [ir.arg];
    case "if":
      return [ir.test, ir.then, ir.else];
    case "loop":
      return ir.loop === "map" ? [] : [ir.body];
    default:
      return [];
  }
}
