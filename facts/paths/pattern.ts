/**
 * Path patterns as component lists, and two tests on them: may two patterns match the same path, and does one surely match every
 * path of the other. Dynamic programming over components and characters, so the cost is the product of the lengths. A literal
 * path is a pattern without wildcards.
 */

import { spend } from "../meter.ts";
import { expandBraces } from "./braces.ts";

export { maxAlternatives } from "./braces.ts";

/** Inclusive code point ranges, sorted, not overlapping. */
type CharSet = readonly (readonly [number, number])[];

/** One item of a component: a set of characters, or `*`. */
type Item = CharSet | "star";

/**
 * A component, or `**`: any number of components. `hidden` tells whether it may name what begins with a dot. Most
 * components are literal and told apart by their text or their ends, so items are made only when they are needed.
 */
export type Component = Part | { readonly kind: "deep"; readonly hidden: boolean };

/** A component that is no `**`. */
export interface Part {
  readonly kind: "part";
  readonly hidden: boolean;
  /** The name, where there is no wildcard. */
  readonly literal: string | undefined;
  readonly first: Item | undefined;
  readonly last: Item | undefined;
  items(): readonly Item[];
}

/** How a glob is read. Shell globs do not match a leading dot by a wildcard; pattern globs of policies do. */
export type Dialect = "policy" | "shell";

const anyChar: CharSet = [
  [0, 0x2e],
  [0x30, 0x10ffff],
];

/** Components of a literal path. */
export function literalComponents(path: string): Component[] {
  return split(path).map(literalPart);
}

/** Components of short names, which paths have in common; bounded, and only ever a repetition of the same pure work. */
const literalParts = new Map<string, Part>();

function literalPart(name: string): Part {
  const known = literalParts.get(name);
  if (known) return known;
  const made = makeLiteralPart(name);
  if (name.length > 64) return made;
  if (literalParts.size >= 2_000) literalParts.clear();
  literalParts.set(name, made);
  return made;
}

function makeLiteralPart(name: string): Part {
  let items: readonly Item[] | undefined;
  const low = name.codePointAt(name.length - 2) ?? 0;
  const last = low > 0xffff ? String.fromCodePoint(low) : (name.at(-1) as string);
  return {
    kind: "part",
    hidden: name.startsWith("."),
    literal: name,
    first: single(name),
    last: single(last),
    items: () => {
      items ??= [...name].map(single);
      return items;
    },
  };
}

/** Returns the components of a path with a shell glob. Only a lone `/**`, which may be any path, matches hidden names. */
export function shellComponents(path: string): Component[] {
  if (path === "/**") return [{ kind: "deep", hidden: true }];
  return split(path).map((part) => component(part, "shell"));
}

/** Components of a glob whose wildcards take hidden names, and whose `**` goes into no hidden folder. */
export function namingComponents(path: string): Component[] {
  return split(path).map((part) => component(part, part === "**" ? "shell" : "policy"));
}

/** Splits a path whose wildcards are unknown parts into components; they match hidden names as well. */
export function unknownComponents(path: string): Component[] {
  return split(path).map((part) => component(part, "policy"));
}

/**
 * Each alternative of a policy pattern, its braces expanded; undefined when there are more than `maxAlternatives`. A trailing
 * `**` matches at least one component, any other `**` matches none or more.
 */
export function policyComponents(pattern: string): Component[][] | undefined {
  return expandBraces(pattern)?.map((text) => {
    const list = split(text).map((part) => component(part, "policy"));
    if (list.length > 1 && list.at(-1)?.kind === "deep") list.push(component("*", "policy"));
    return list;
  });
}

function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function single(c: string): CharSet {
  const code = c.codePointAt(0) as number;
  return [[code, code]];
}

function component(part: string, dialect: Dialect): Component {
  if (part === "**") return { kind: "deep", hidden: dialect === "policy" };
  const items: Item[] = [];
  for (let at = 0; at < part.length; ) {
    const c = part[at] as string;
    const bracket = c === "[" ? charSet(part, at) : undefined;
    if (bracket) {
      items.push(bracket.set);
      at = bracket.end;
    } else if (c === "*") {
      if (items.at(-1) !== "star") items.push("star");
      at += 1;
    } else if (c === "?") {
      items.push(anyChar);
      at += 1;
    } else {
      const from = c === "\\" && at + 1 < part.length ? at + 1 : at;
      const char = String.fromCodePoint(part.codePointAt(from) as number);
      items.push(single(char));
      at = from + char.length;
    }
  }
  const literal = items.every((item) => item !== "star" && item.length === 1 && item[0]?.[0] === item[0]?.[1]);
  return {
    kind: "part",
    hidden: dialect === "policy" || /^\\?\./.test(part),
    literal: literal
      ? items.map((item) => String.fromCodePoint((item as CharSet)[0]?.[0] as number)).join("")
      : undefined,
    first: items[0],
    last: items.at(-1),
    items: () => items,
  };
}

/** The set of `[…]` beginning at an offset, and where it ends; undefined when it is never closed. */
function charSet(part: string, start: number): { readonly set: CharSet; readonly end: number } | undefined {
  let at = start + 1;
  const negated = part[at] === "!" || part[at] === "^";
  if (negated) at += 1;
  const ranges: [number, number][] = [];
  for (let first = true; ; first = false) {
    const c = part[at];
    if (c === undefined) return undefined;
    if (c === "]" && !first) break;
    const named = /^\[:([a-z]+):\]/.exec(part.slice(at, at + 12));
    if (named) {
      ranges.push(...(namedSets.get(named[1] as string) ?? [[0, 0x10ffff] as [number, number]]));
      at += named[0].length;
      continue;
    }
    const low = codeAt(part, at);
    at = low.end;
    if (part[at] === "-" && part[at + 1] !== undefined && part[at + 1] !== "]") {
      const high = codeAt(part, at + 1);
      at = high.end;
      if (high.code >= low.code) ranges.push([low.code, high.code]);
    } else ranges.push([low.code, low.code]);
  }
  const set = normal(ranges);
  return { set: negated ? complement(set) : set, end: at + 1 };
}

const namedSets: ReadonlyMap<string, readonly [number, number][]> = new Map<string, [number, number][]>([
  ["digit", [[48, 57]]],
  ["lower", [[97, 122]]],
  ["upper", [[65, 90]]],
  [
    "alpha",
    [
      [65, 90],
      [97, 122],
    ],
  ],
  [
    "alnum",
    [
      [48, 57],
      [65, 90],
      [97, 122],
    ],
  ],
  [
    "xdigit",
    [
      [48, 57],
      [65, 70],
      [97, 102],
    ],
  ],
]);

function codeAt(part: string, at: number): { readonly code: number; readonly end: number } {
  const from = part[at] === "\\" && at + 1 < part.length ? at + 1 : at;
  const code = part.codePointAt(from) as number;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}

function normal(ranges: readonly [number, number][]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = out.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else out.push([low, high]);
  }
  return out;
}

function complement(set: CharSet): CharSet {
  const out: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) out.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= 0x10ffff) out.push([from, 0x10ffff]);
  return out;
}

/** True if some path is named by both lists. `path` may be a shell glob; its wildcards skip hidden names. */
export function mayMeet(path: readonly Component[], pattern: readonly Component[]): boolean {
  return (
    aligned(path, pattern, partsMeet) ?? run(path, pattern, isDeep, (a, b) => partsMeet(a as Part, b as Part), meets)
  );
}

/** True if every path named by `path` is surely named by `pattern`; false where that cannot be told. */
export function surelyCovers(path: readonly Component[], pattern: readonly Component[]): boolean {
  return (
    aligned(path, pattern, partCovered) ??
    run(path, pattern, isDeep, (a, b) => partCovered(a as Part, b as Part), never)
  );
}

/**
 * Returns the answer for common shapes, in which components align: no `**` in the path and at most one in the pattern. Undefined
 * for others. The last components are compared first, because they distinguish most rows.
 */
function aligned(
  path: readonly Component[],
  pattern: readonly Component[],
  same: (a: Part, b: Part) => boolean,
): boolean | undefined {
  const deep = pattern.findIndex(isDeep);
  if (path.some(isDeep) || (deep >= 0 && pattern.findLastIndex(isDeep) !== deep)) return undefined;
  return opposite(path, pattern, deep, same);
}

/** As `mayMeet`, for a path without `**` and a pattern with at most one, at index `deep`; -1 if it has none. */
export function mayMeetAt(path: readonly Component[], pattern: readonly Component[], deep: number): boolean {
  return opposite(path, pattern, deep, partsMeet);
}

/** As `surelyCovers`, for the same kinds of path and pattern. */
export function surelyCoversAt(path: readonly Component[], pattern: readonly Component[], deep: number): boolean {
  return opposite(path, pattern, deep, partCovered);
}

function opposite(
  path: readonly Component[],
  pattern: readonly Component[],
  deep: number,
  same: (a: Part, b: Part) => boolean,
): boolean {
  if (deep < 0 ? path.length !== pattern.length : path.length < pattern.length - 1) return false;
  const shift = path.length - pattern.length;
  for (let i = pattern.length - 1; i > deep; i--) if (!same(path[i + shift] as Part, pattern[i] as Part)) return false;
  for (let i = 0; i < deep; i++) if (!same(path[i] as Part, pattern[i] as Part)) return false;
  return true;
}

const always = (): boolean => true;
const never = (): boolean => false;

/** A `**` of a shell glob does not go into hidden folders. */
function meets(deep: Component, other: Component): boolean {
  return deep.hidden || other.kind === "deep" || !isDot(other.first);
}

function isDeep(c: Component): boolean {
  return c.kind === "deep";
}

/** True if some name is named by both components. */
export function partsMeet(a: Part, b: Part): boolean {
  if (a.literal !== undefined && b.literal !== undefined) return a.literal === b.literal;
  if ((!a.hidden && isDot(b.first)) || endsDiffer(a, b, overlap)) return false;
  if (isAnyName(a) || isAnyName(b)) return true;
  return run<Item>(a.items(), b.items(), isStar, (x, y) => x === "star" || y === "star" || overlap(x, y), always);
}

function isDot(item: Item | undefined): boolean {
  return item !== undefined && item !== "star" && item.length === 1 && item[0]?.[0] === 0x2e && item[0]?.[1] === 0x2e;
}

/** Compares only the first and last items, which is cheap and distinguishes most components. */
function endsDiffer(a: Part, b: Part, same: (x: CharSet, y: CharSet) => boolean): boolean {
  return itemsDiffer(a.first, b.first, same) || itemsDiffer(a.last, b.last, same);
}

function itemsDiffer(x: Item | undefined, y: Item | undefined, same: (x: CharSet, y: CharSet) => boolean): boolean {
  return x !== undefined && y !== undefined && x !== "star" && y !== "star" && !same(x, y);
}

/** True if every name of `a` is surely one of `b`. */
export function partCovered(a: Part, b: Part): boolean {
  if (a.literal !== undefined && b.literal !== undefined) return a.literal === b.literal;
  if (endsDiffer(a, b, subset)) return false;
  if (isAnyName(b)) return true;
  return run<Item>(a.items(), b.items(), isStar, (x, y) => x !== "star" && y !== "star" && subset(x, y), never);
}

/** A component that is `*` alone. */
function isAnyName(part: Part): boolean {
  return part.first === "star" && part.items().length === 1;
}

function isStar(item: Item): boolean {
  return item === "star";
}

function overlap(a: CharSet, b: CharSet): boolean {
  for (const x of a) for (const y of b) if (x[0] <= y[1] && y[0] <= x[1]) return true;
  return false;
}

function subset(a: CharSet, b: CharSet): boolean {
  for (const x of a) if (!holdsRange(b, x)) return false;
  return true;
}

function holdsRange(set: CharSet, x: readonly [number, number]): boolean {
  for (const y of set) if (y[0] <= x[0] && x[1] <= y[1]) return true;
  return false;
}

/** Returns the last character that all names of a component share; undefined if there are several. */
export function endOf(part: Part): number | undefined {
  const { last } = part;
  if (last === undefined || last === "star" || last.length !== 1) return undefined;
  const [low, high] = last[0] as readonly [number, number];
  return low === high ? low : undefined;
}

/**
 * The shared walk. A star of `b` takes any run of `a`, stars of `a` included. A star of `a` takes a run of items that `takes`
 * allows; if it allows none, only a star of `b` may take the star itself.
 */
function run<T>(
  a: readonly T[],
  b: readonly T[],
  star: (t: T) => boolean,
  one: (x: T, y: T) => boolean,
  takes: (x: T, y: T) => boolean,
): boolean {
  spend(1 + ((a.length * b.length) >> 5));
  const meet = takes !== never;
  let row = new Uint8Array(b.length + 1);
  row[0] = 1;
  closeRow(row, b, star);
  let next = new Uint8Array(b.length + 1);
  for (const x of a) {
    next.fill(0);
    const wild = star(x);
    for (let j = 0; j <= b.length; j++) {
      const y = b[j];
      const wildY = y !== undefined && star(y);
      if (row[j] === 1) {
        if (wildY || (wild && meet)) next[j] = 1;
        else if (y !== undefined && !wild && one(x, y)) next[j + 1] = 1;
      }
      if (wild && j > 0 && next[j - 1] === 1 && takes(x, b[j - 1] as T)) next[j] = 1;
    }
    closeRow(next, b, star);
    [row, next] = [next, row];
  }
  return row[b.length] === 1;
}

/** A star of `b` may also take nothing. */
function closeRow<T>(row: Uint8Array, b: readonly T[], star: (t: T) => boolean): void {
  for (let j = 0; j < b.length; j++) if (row[j] === 1 && star(b[j] as T)) row[j + 1] = 1;
}
