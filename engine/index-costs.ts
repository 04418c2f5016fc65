import { listsAround, type Source } from "./index-sources.ts";
import type { Ir } from "./plan.ts";

/** List length for which steps are counted beforehand; an event with a longer list is judged by every rule. */
export const countedElements = 64;

/** Conditions inside one another that are followed. */
export const deepest = 16;
/** The IR of a named condition. */
export type NamedCondition = (name: string) => Ir | undefined;

/** Context of a place in which steps are counted. */
export interface Counted {
  readonly lists: ReadonlyMap<number, Source["lists"]>;
  /** True if the lengths of lists of facts are checked. */
  readonly facts: boolean;
  readonly depth: number;
}

/**
 * Returns the most steps that a condition can take while no list has more than `countedElements` elements; infinite where there is
 * no such bound. Only lists of facts and fields of their elements are counted, since only their lengths are checked.
 */
function costOf(ir: Ir, at: Counted, condition: NamedCondition): number {
  const sum = (parts: readonly Ir[]): number => parts.reduce((total, part) => total + costOf(part, at, condition), 1);
  switch (ir.k) {
    case "const":
    case "root":
    case "slot":
      return 1;
    case "field":
    case "has":
      return sum([ir.of]);
    case "index":
      return sum([ir.of, ir.index]);
    case "call":
    case "and":
    case "or":
      return sum(ir.args);
    case "not":
      return sum([ir.arg]);
    case "if":
      return sum([ir.test, ir.then, ir.else]);
    case "loop":
      return costOfLoop(ir, at, condition);
    case "condition": {
      const named = at.depth > deepest ? undefined : condition(ir.name);
      return named ? 1 + costOf(named, { ...at, depth: at.depth + 1 }, condition) : Number.POSITIVE_INFINITY;
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function costOfLoop(ir: Extract<Ir, { k: "loop" }>, at: Counted, condition: NamedCondition): number {
  const each = (inner: Counted): number =>
    costOf(ir.body, inner, condition) + (ir.where ? costOf(ir.where, inner, condition) : 0);
  if (ir.list.k === "const" && Array.isArray(ir.list.value)) return 2 + ir.list.value.length * each(at);
  const around = at.facts ? listsAround(ir.list, at.lists) : undefined;
  if (!around) return Number.POSITIVE_INFINITY;
  const inner = { ...at, lists: new Map(at.lists).set(ir.slot, [...around, { list: ir.list, slot: ir.slot }]) };
  return 1 + costOf(ir.list, at, condition) + countedElements * each(inner);
}

/**
 * Returns the part of a condition that is evaluated first and takes at most `most` steps: the condition itself where it takes
 * no more, the first parts of an `and`, the cut parts of an `or`. Where it is false, the whole is false and took no further
 * steps. Undefined where there is no such part.
 */
export function cutTo(ir: Ir, at: Counted, most: number, condition: NamedCondition): Ir | undefined {
  if (costOf(ir, at, condition) <= most) return ir;
  if (ir.k !== "and" && ir.k !== "or") return undefined;
  const args: Ir[] = [];
  let left = most - 1;
  for (const arg of ir.args) {
    const part = cutTo(arg, at, left, condition);
    if (!part) {
      if (ir.k === "or") return undefined;
      break;
    }
    args.push(part);
    left -= costOf(part, at, condition);
    // Later parts are reached only after the whole of a part that was cut.
    if (ir.k === "and" && part !== arg) break;
  }
  return args.length > 0 ? { ...ir, args } : undefined;
}
