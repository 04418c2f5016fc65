import type { Ir } from "../../engine/plan.ts";

/** Returns the shape of a piece of IR, without its place and its condition's variant: equal text has equal shape. */
export function shapeOf(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (key === "at" || key === "forms") return undefined;
    return key === "name" && typeof inner === "string" ? inner.replace(/#\d+(#\w+)?$/, "") : inner;
  });
}

/** Returns a node with its direct parts replaced; the same object if none changed. */
export function withParts(ir: Ir, part: (ir: Ir) => Ir): Ir {
  let isSame = true;
  const inner = (node: Ir): Ir => {
    const made = part(node);
    if (made !== node) isSame = false;
    return made;
  };
  const made = rebuilt(ir, inner);
  return isSame ? ir : made;
}

function rebuilt(ir: Ir, inner: (ir: Ir) => Ir): Ir {
  switch (ir.k) {
    case "field":
    case "has":
      return { ...ir, of: inner(ir.of) };
    case "index":
      return { ...ir, of: inner(ir.of), index: inner(ir.index) };
    case "call":
    case "and":
    case "or":
      return { ...ir, args: ir.args.map(inner) };
    case "not":
      return { ...ir, arg: inner(ir.arg) };
    case "if":
      return { ...ir, test: inner(ir.test), then: inner(ir.then), else: inner(ir.else) };
    case "list":
      return { ...ir, items: ir.items.map((item) => ({ ...item, value: inner(item.value) })) };
    case "map":
      return { ...ir, entries: ir.entries.map((e) => ({ ...e, key: inner(e.key), value: inner(e.value) })) };
    case "loop":
      return { ...ir, list: inner(ir.list), body: inner(ir.body), ...(ir.where && { where: inner(ir.where) }) };
    default:
      return ir;
  }
}

/** A part of a condition, and whether its truth or its value matters. */
export interface Part {
  readonly ir: Ir;
  readonly isTest: boolean;
}

/** Returns every node of a condition, from the outside in. */
export function partsOf(ir: Ir, isTest = true): Part[] {
  const test = (node: Ir): Part[] => partsOf(node, true);
  const value = (node: Ir): Part[] => partsOf(node, false);
  const own = { ir, isTest };
  switch (ir.k) {
    case "field":
    case "has":
      return [own, ...value(ir.of)];
    case "index":
      return [own, ...value(ir.of), ...value(ir.index)];
    case "call":
      return [own, ...ir.args.flatMap(value)];
    case "and":
    case "or":
      return [own, ...ir.args.flatMap(test)];
    case "not":
      return [own, ...test(ir.arg)];
    case "if":
      return [own, ...test(ir.test), ...partsOf(ir.then, isTest), ...partsOf(ir.else, isTest)];
    case "list":
      return [own, ...ir.items.flatMap((item) => value(item.value))];
    case "map":
      return [own, ...ir.entries.flatMap((e) => [...value(e.key), ...value(e.value)])];
    case "loop": {
      const body = partsOf(ir.body, ir.loop !== "map");
      return [own, ...value(ir.list), ...(ir.where ? test(ir.where) : []), ...body];
    }
    default:
      return [own];
  }
}

/**
 * True for the guard that the compiler puts before a test on a possibly absent value: a `has` whose place lies within that
 * of the test. An author's own `has` has a place of its own.
 */
export function isGuard(arg: Ir, others: readonly Ir[]): boolean {
  const asked = arg.k === "not" ? arg.arg : arg;
  const { at } = asked;
  if (asked.k !== "has" || !at) return false;
  return others.some((other) => other !== arg && other.at && other.at[0] <= at[0] && at[1] <= other.at[1]);
}
