import type { Expression } from "../../rules/ast.ts";

/** True if an expression nests deeper than `bound` nodes. Does not recurse, because the expression may be too deep for that. */
export function isDeeperThan(expression: Expression, bound: number): boolean {
  let level: readonly Expression[] = [expression];
  for (let depth = 0; depth < bound; depth++) {
    if (level.length === 0) return false;
    level = level.flatMap(childrenOf);
  }
  return level.length > 0;
}

/** Returns the direct subexpressions of an expression, in the order of the text. */
export function childrenOf(e: Expression): readonly Expression[] {
  switch (e.kind) {
    case "member":
      return [e.of];
    case "index":
      return [e.of, e.index];
    case "call":
      return e.receiver ? [e.receiver, ...e.args] : e.args;
    case "unary":
      return [e.operand];
    case "binary":
      return [e.left, e.right];
    case "conditional":
      return [e.test, e.then, e.otherwise];
    case "list":
      return e.items.map((item) => item.value);
    case "map":
      return e.entries.flatMap((entry) => [entry.key, entry.value]);
    case "logic":
      return e.terms;
    case "test":
      return [e.path, e.operand];
    case "quantifier":
      return [e.list, e.tests];
    default:
      return [];
  }
}
