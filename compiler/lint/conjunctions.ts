import type { Ir } from "../../engine/plan.ts";

/** Lists every part of a condition that is true or false; `negated` is true under an odd number of negations. */
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

/** Terms that must hold together, and whether they stand under an odd number of negations. */
export interface Conjunction {
  readonly terms: readonly Ir[];
  readonly negated: boolean;
}

/**
 * Returns the groups of terms that must all hold: the operands of each `and`, including nested ones, and those of named
 * conditions that `named` knows.
 */
export function conjunctions(ir: Ir, named?: (name: string) => Ir | undefined): readonly Conjunction[] {
  const found: { terms: Ir[]; negated: boolean }[] = [];
  const visit = (node: Ir, group: Ir[], negated: boolean): void => {
    const meant = node.k === "condition" ? named?.(node.name) : undefined;
    if (node.k === "and") for (const arg of node.args) visit(arg, group, negated);
    else if (meant) visit(meant, group, negated);
    else {
      group.push(node);
      for (const inner of within(node)) collect(inner, negated !== (node.k === "not"));
    }
  };
  const collect = (node: Ir, negated: boolean): void => {
    const group = { terms: [], negated };
    found.push(group);
    visit(node, group.terms, negated);
  };
  collect(ir, false);
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
