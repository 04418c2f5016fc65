import type { Ir } from "./plan.ts";

/**
 * True if a piece of IR reads a variable that is bound outside of it, such as the element of `each`. Its value then differs
 * from element to element, so it must not be remembered for the revision.
 */
export function readsOuterSlot(ir: Ir, bound: ReadonlySet<number> = new Set()): boolean {
  const reads = (node: Ir): boolean => readsOuterSlot(node, bound);
  switch (ir.k) {
    case "slot":
      return !bound.has(ir.slot);
    case "field":
    case "has":
      return reads(ir.of);
    case "index":
      return reads(ir.of) || reads(ir.index);
    case "call":
    case "and":
    case "or":
      return ir.args.some(reads);
    case "not":
      return reads(ir.arg);
    case "if":
      return reads(ir.test) || reads(ir.then) || reads(ir.else);
    case "list":
      return ir.items.some((item) => reads(item.value));
    case "map":
      return ir.entries.some((entry) => reads(entry.key) || reads(entry.value));
    case "loop": {
      const inner = new Set(bound).add(ir.slot);
      return reads(ir.list) || [ir.where, ir.body].some((part) => part && readsOuterSlot(part, inner));
    }
    // A nested condition may read the element too, so a cached value must depend on it.
    case "condition":
      return true;
    default:
      return false;
  }
}
