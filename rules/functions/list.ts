import { hasText } from "../../facts/find-text.ts";
import { spend } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import type { Value } from "../../schema/ports.ts";
import { EvaluationError, Optional } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { order } from "./order.ts";
import type { MapValue } from "./values.ts";
import { equal, evaluationError, identity, mapGet, mapKeys, textSize, tooLarge } from "./values.ts";

/** True if an item equals the value; an error if they are too large to compare. */
export function includes(items: readonly Value[], value: Value): boolean | EvaluationError {
  if (typeof value === "string" || typeof value === "boolean" || value === null) {
    // Texts of equal length are compared up to their first difference.
    if (typeof value === "string") spend((value.length >> 8) * items.length);
    return items.includes(value);
  }
  let room: EvaluationError | undefined;
  for (const item of items) {
    const result = equal(item, value);
    if (result === true) return true;
    if (result !== false) room = result;
  }
  return room ?? false;
}

/** Prepares `in` for a long constant list of a policy: texts are looked up in a set, other values are compared one by one. */
function inTable(items: readonly Value[]): (args: readonly [Value, readonly Value[]]) => boolean | EvaluationError {
  const texts = new Set(items);
  return ([value]) => (typeof value === "string" ? texts.has(value) : includes(items, value));
}

/** Returns the identities of all items, or the error for an item that is too large. */
function identities(items: readonly Value[]): Set<string> | EvaluationError {
  const set = new Set<string>();
  for (const item of items) {
    const text = identity(item);
    if (text instanceof EvaluationError) return text;
    set.add(text);
  }
  return set;
}

/** Compares two lists as sets by a test on their identities. */
function asSets(
  a: readonly Value[],
  b: readonly Value[],
  test: (a: Set<string>, b: Set<string>) => boolean,
): Value | EvaluationError {
  const left = identities(a);
  if (left instanceof EvaluationError) return left;
  const right = identities(b);
  return right instanceof EvaluationError ? right : test(left, right);
}

const covers = (a: Set<string>, b: Set<string>): boolean => [...b].every((item) => a.has(item));
const meets = (a: Set<string>, b: Set<string>): boolean => [...b].some((item) => a.has(item));

/** True for a few texts, such as the labels in a rule, which are searched without making sets. */
function isFewTexts(items: readonly Value[]): items is readonly string[] {
  if (items.length > 16) return false;
  for (const item of items) if (typeof item !== "string") return false;
  return true;
}

function sharesAny(a: readonly Value[], b: readonly Value[]): Value | EvaluationError {
  return isFewTexts(b) ? b.some((item) => a.includes(item)) : asSets(a, b, meets);
}

function holdsAll(a: readonly Value[], b: readonly Value[]): Value | EvaluationError {
  return isFewTexts(b) ? b.every((item) => a.includes(item)) : asSets(a, b, covers);
}

function slice(items: readonly Value[], start: number, end: number): Value | EvaluationError {
  if (start < 0 || end > items.length || start > end)
    return evaluationError(`\`slice\`: [${start}, ${end}) is out of range`);
  return items.slice(start, end);
}

function distinct(items: readonly Value[]): Value | EvaluationError {
  const seen = new Set<string>();
  const kept: Value[] = [];
  for (const item of items) {
    const text = identity(item);
    if (text instanceof EvaluationError) return text;
    if (!seen.has(text)) kept.push(item);
    seen.add(text);
  }
  return kept;
}

function flatten(items: readonly Value[], depth: number): Value | EvaluationError {
  if (depth < 0) return evaluationError("`flatten`: depth is negative");
  const flat: Value[] = [];
  let steps = 0;
  const add = (list: readonly Value[], left: number): boolean => {
    for (const item of list) {
      if (++steps > limits.payloadNodes) return false;
      spend(1);
      if (!Array.isArray(item) || left === 0) flat.push(item);
      else if (!add(item, left - 1)) return false;
    }
    return true;
  };
  return add(items, Math.min(depth, limits.payloadDepth)) ? flat : tooLarge;
}

/** Returns the number of comparisons of one item while a list is sorted. */
function roundsOf(length: number): number {
  return 32 - Math.clz32(length);
}

function sort(items: readonly Value[]): Value | EvaluationError {
  spend(items.length * 16);
  // In each round a text is compared with another, up to their first difference.
  for (const item of items) if (typeof item === "string") spend((item.length * roundsOf(items.length)) >> 5);
  let failed: EvaluationError | undefined;
  const sorted = [...items].sort((a, b) => {
    const result = order(a, b);
    if (result instanceof EvaluationError) failed ??= result;
    return result instanceof EvaluationError ? 0 : result;
  });
  return failed ?? sorted;
}

const contains = (text: string, part: Value): boolean => {
  spend(text.length >> 5);
  return typeof part === "string" && hasText(text, part);
};
const containsAny = (text: string, parts: readonly Value[]): boolean => parts.some((part) => contains(text, part));
const containsAll = (text: string, parts: readonly Value[]): boolean => parts.every((part) => contains(text, part));
const has = (map: MapValue, key: Value): boolean => mapGet(map, key) !== undefined;

/** Functions on lists and maps (CEL standard library, list and set extensions, and the list tests of the YAML spelling). */
export const listFunctions: Readonly<Record<string, readonly Overload[]>> = {
  size: [
    overload("string.size", ["string"], ([text]) => textSize(text)),
    overload("list.size", ["list"], ([items]) => items.length),
    overload("map.size", ["map"], ([map]) => mapKeys(map).length),
  ],
  in: [
    overload(
      "list.in",
      ["any", "list"],
      ([value, items]) => includes(items, value),
      ([, items]) => (items && items.length > 8 ? inTable(items) : ([value, list]) => includes(list, value)),
    ),
    overload("map.in", ["any", "map"], ([key, map]) => has(map, key)),
  ],
  list_contains: [overload("list.contains", ["list", "any"], ([items, value]) => includes(items, value))],
  contains_any: [
    overload("list.contains_any", ["list", "list"], ([a, b]) => sharesAny(a, b)),
    overload("string.contains_any", ["string", "list"], ([text, parts]) => containsAny(text, parts)),
  ],
  contains_all: [
    overload("list.contains_all", ["list", "list"], ([a, b]) => holdsAll(a, b)),
    overload("string.contains_all", ["string", "list"], ([text, parts]) => containsAll(text, parts)),
  ],
  sets_contains: [overload("sets.contains", ["list", "list"], ([a, b]) => asSets(a, b, covers))],
  sets_intersects: [overload("sets.intersects", ["list", "list"], ([a, b]) => asSets(a, b, meets))],
  sets_equivalent: [
    overload("sets.equivalent", ["list", "list"], ([a, b]) => asSets(a, b, (x, y) => covers(x, y) && covers(y, x))),
  ],
  slice: [overload("list.slice", ["list", "int", "int"], ([items, start, end]) => slice(items, start, end))],
  flatten: [
    overload("list.flatten", ["list"], ([items]) => flatten(items, 1)),
    overload("list.flatten_depth", ["list", "int"], ([items, depth]) => flatten(items, depth)),
  ],
  distinct: [overload("list.distinct", ["list"], ([items]) => distinct(items))],
  sort: [overload("list.sort", ["list"], ([items]) => sort(items))],
  reverse: [
    overload("list.reverse", ["list"], ([items]) => [...items].reverse()),
    overload("string.reverse", ["string"], ([text]) => {
      spend(text.length);
      return Array.from(text).reverse().join("");
    }),
  ],
  first: [overload("list.first", ["list"], ([items]) => new Optional(items[0]))],
  last: [overload("list.last", ["list"], ([items]) => new Optional(items.at(-1)))],
  range: [
    overload("lists.range", ["int"], ([n]) => {
      if (n > limits.steps) return tooLarge;
      spend(Math.max(0, n));
      return Array.from({ length: Math.max(0, n) }, (_, i) => i);
    }),
  ],
};
