import { didYouMean } from "../../diagnostics/suggest.ts";
import type { Ir } from "../../engine/plan.ts";
import type { Expression } from "../../rules/ast.ts";
import type { Checker } from "./context.ts";

/** Reports an item that a literal, or a list of the policy, does not have. */
export function isOutside(checker: Checker, { span }: Expression, of: Ir, index: Ir): boolean {
  if (index.k !== "const") return false;
  // Groups of a pattern are counted elsewhere.
  const isGroup = of.k === "slot" && of.name === "match";
  if (typeof index.value === "number" && index.value < 0 && !isGroup) {
    const help = "count from 0: the last item of a list `x` is `x[x.size() - 1]`";
    checker.report("HW313", span, "this is never there: no list has an item before its first", help);
    return true;
  }
  const items = constantItems(of);
  const keys = constantKeys(of);
  const missing =
    (items !== undefined && typeof index.value === "number" && index.value >= items) ||
    (keys !== undefined && !keys.includes(index.value));
  if (!missing) return false;
  const has =
    items === undefined ? `has no key \`${String(index.value)}\`` : `has ${items} item${items === 1 ? "" : "s"}`;
  const help =
    items === undefined
      ? didYouMean(String(index.value), (keys ?? []).map(String))
      : items === 0
        ? "put something into the list"
        : `count from 0: the last one is \`[${items - 1}]\``;
  checker.report("HW313", span, `this is never there: the literal ${has}`, help);
  return true;
}

/** Returns the number of items of a literal list; undefined for any other value. */
function constantItems(ir: Ir): number | undefined {
  if (ir.k === "const") return Array.isArray(ir.value) ? ir.value.length : undefined;
  return ir.k === "list" && ir.items.every(({ optional }) => optional !== true) ? ir.items.length : undefined;
}

/** Returns the keys of a literal map if all are constants. */
function constantKeys(ir: Ir): readonly unknown[] | undefined {
  if (ir.k !== "map") return undefined;
  const keys = ir.entries.map(({ key, optional }) => (key.k === "const" && optional !== true ? key.value : undefined));
  return keys.includes(undefined) ? undefined : keys;
}
