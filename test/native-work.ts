import { Buffer } from "node:buffer";
import { Hash } from "node:crypto";

/**
 * Work of native code, which neither the units of the work meter nor the blocks of `Counted` show: methods of texts, lists
 * and objects, iterators, regular expressions of JavaScript, `JSON`, bytes and digests.
 *
 * It is counted in elements: a character that is looked at or written, an item that is copied, compared or handed out. A
 * search for a long text counts each place times what may be compared there, because V8 looks for a text in the product of
 * both lengths at worst, and nothing interrupts it. A regular expression counts what lies between its start and its end; how
 * often it goes back `test/patterns/` counts. The same work comes to the same number in every run.
 */
export function nativeWork(work: () => unknown, told?: (elements: number) => void): number {
  const counter = new Counter();
  counter.told = told;
  const undo = patched(counter);
  try {
    counter.runs = true;
    work();
  } finally {
    counter.runs = false;
    for (const each of undo) each();
  }
  return counter.elements;
}

class Counter {
  elements = 0;
  runs = false;
  told: ((elements: number) => void) | undefined;
}

/** Characters of a needle that are compared for the price of one place. */
const shortNeedle = 32;

type Method = (this: unknown, ...args: unknown[]) => unknown;
/** What one call comes to, by what it was called on, with what, what it gave, and where a regular expression began. */
type Cost = (on: unknown, args: readonly unknown[], result: unknown, from: number) => number;

const sizeOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) || ArrayBuffer.isView(value)
    ? (value as { readonly length: number }).length
    : 1;
const read: Cost = (on) => sizeOf(on);
const written: Cost = (_on, _args, result) => sizeOf(result);
const both: Cost = (on, args, result) => sizeOf(on) + sizeOf(result) + product(on, args, sizeOf(on));

/** What a search for a text takes beyond the places that it looks at. */
function product(on: unknown, [needle]: readonly unknown[], places: number): number {
  if (typeof on !== "string" || typeof needle !== "string" || needle.length <= shortNeedle) return 0;
  return Math.max(0, places - needle.length) * needle.length;
}

const searched: Cost = (on, args, result) => {
  const from = typeof args[1] === "number" ? args[1] : 0;
  const length = sizeOf(on);
  const isFound = typeof result === "number" ? result >= 0 : result === true;
  const places = typeof result === "number" && isFound ? result - from + 1 : Math.max(0, length - from);
  return 1 + places + product(on, args, places);
};
const searchedBack: Cost = (on, args, result) => {
  const from = Math.min(typeof args[1] === "number" ? args[1] : Number.POSITIVE_INFINITY, sizeOf(on));
  const places = Math.max(0, from - (result as number));
  return 1 + places + product(on, args, places);
};
const moved: Cost = (on) => Math.min(sizeOf(on), 50_000);
const sorted: Cost = (on) => sizeOf(on) * Math.ceil(Math.log2(sizeOf(on) + 2));
const keys: Cost = (_on, [object]) =>
  typeof object === "object" && object !== null ? Reflect.ownKeys(object).length : 1;
const argument: Cost = (_on, [given]) => sizeOf(given);

/** Where a regular expression began to look, and how far it came. */
const matched: Cost = (on, [text], result, from) => {
  const found = result as RegExpExecArray | null;
  if (found) return 1 + found.index + found[0].length - from;
  return 1 + ((on as RegExp).sticky ? 1 : Math.max(0, String(text).length - from));
};

const costs: readonly (readonly [object, Readonly<Record<string | symbol, Cost>>])[] = [
  [
    String.prototype,
    {
      indexOf: searched,
      includes: searched,
      lastIndexOf: searchedBack,
      split: both,
      replace: both,
      replaceAll: both,
      repeat: written,
      padStart: written,
      padEnd: written,
      concat: written,
      normalize: read,
      toLowerCase: read,
      toUpperCase: read,
      toWellFormed: read,
      isWellFormed: read,
      localeCompare: read,
      trim: read,
      trimStart: read,
      trimEnd: read,
      startsWith: argument,
      endsWith: argument,
    },
  ],
  [
    Array.prototype,
    {
      includes: searched,
      indexOf: searched,
      lastIndexOf: searchedBack,
      slice: written,
      concat: written,
      splice: moved,
      shift: moved,
      unshift: moved,
      sort: sorted,
      toSorted: sorted,
      reverse: read,
      join: written,
      flat: written,
      fill: read,
    },
  ],
  [RegExp.prototype, { exec: matched }],
  [
    Object,
    {
      keys,
      values: keys,
      entries: keys,
      assign: (_on, [, from]) => keys(_on, [from], undefined, 0),
      fromEntries: argument,
      freeze: keys,
    },
  ],
  [JSON, { stringify: written, parse: argument }],
  [Buffer, { from: argument, concat: written }],
  [Buffer.prototype, { toString: written }],
  [TextEncoder.prototype, { encode: written }],
  [TextDecoder.prototype, { decode: written }],
  [Hash.prototype, { update: argument }],
  ...[[], "", new Map(), new Set()].map(
    (list) => [Object.getPrototypeOf(list[Symbol.iterator]()) as object, { next: () => 1 }] as const,
  ),
];

/** Puts a counting method in the place of each, and gives what puts it back. */
function patched(counter: Counter): readonly (() => void)[] {
  return costs.flatMap(([holder, methods]) =>
    Reflect.ownKeys(methods).map((name) => {
      const cost = methods[name] as Cost;
      const before = Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor;
      const method = before.value as Method;
      const counting: Method = function (...args) {
        if (!counter.runs) return Reflect.apply(method, this, args);
        const from = this instanceof RegExp && (this.global || this.sticky) ? this.lastIndex : 0;
        const result = Reflect.apply(method, this, args);
        // What counting itself does is none of the work.
        counter.runs = false;
        try {
          const elements = cost(this, args, result, from);
          counter.elements += elements;
          counter.told?.(elements);
        } finally {
          counter.runs = true;
        }
        return result;
      };
      Object.defineProperty(holder, name, { ...before, value: counting });
      return () => Object.defineProperty(holder, name, before);
    }),
  );
}
