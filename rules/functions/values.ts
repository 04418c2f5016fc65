import { spend, spendText } from "../../facts/meter.ts";
import { Approximation, Unsure } from "../../schema/approximation.ts";
import type { PathValue, ShellCommand, UrlValue } from "../../schema/facts.ts";
import { limits } from "../../schema/limits.ts";
import type { Value } from "../../schema/ports.ts";
import { Double, Duration, EvaluationError, Optional, Timestamp } from "../../schema/ports.ts";

/** Run-time values of the condition language: their kinds, equality and order. */

/** Kinds of an overload's parameters, with their types. `number` is int or double, `any` is everything. */
export interface Kinds {
  null: null;
  bool: boolean;
  int: number;
  double: number | Double;
  number: number | Double;
  string: string;
  list: readonly Value[];
  map: MapValue;
  timestamp: Timestamp;
  duration: Duration;
  optional: Optional;
  path: PathValue;
  url: UrlValue;
  command: ShellCommand;
  any: Value;
}

/** Name of a kind. */
export type Kind = keyof Kinds;
/** A map or record: a `Map`, or a plain object with string keys. */
export type MapValue = ReadonlyMap<Value, Value> | { readonly [key: string]: unknown };

/** True for an int: a safe integral JavaScript number (language section 3). */
export function isInt(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/** Returns a double as a value: a plain number if it cannot be mistaken for an int, otherwise a `Double`. */
export function doubleOf(value: number): Value {
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

/** Returns the number in an int or double. */
export function numberOf(value: number | Double): number {
  return typeof value === "number" ? value : value.value;
}

/** True for a map or a record: no scalar, no list and no instance of our value classes. */
export function isMap(value: unknown): value is MapValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Most values are plain objects, and one look at the prototype saves a test for each class.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return !(
    value instanceof Double ||
    value instanceof Timestamp ||
    value instanceof Duration ||
    value instanceof Optional ||
    value instanceof Approximation ||
    value instanceof Unsure
  );
}

function hasText(value: unknown, field: string, text?: string): boolean {
  if (!isMap(value) || value instanceof Map || !Object.hasOwn(value, field)) return false;
  const found = (value as Record<string, unknown>)[field];
  return text === undefined ? typeof found === "string" : found === text;
}

/** True for a path value. Tests `kind` and the other fields, so that an argument from outside rarely passes for one. */
export function isPath(value: unknown): value is PathValue {
  if (!hasText(value, "kind", "path")) return false;
  const path = value as Readonly<Record<string, unknown>>;
  return hasOwnText(path, "lexical") && hasOwnText(path, "real");
}

function hasOwnText(record: Readonly<Record<string, unknown>>, field: string): boolean {
  return Object.hasOwn(record, field) && typeof record[field] === "string";
}

/** True for a URL value. */
export function isUrl(value: unknown): value is UrlValue {
  if (!hasText(value, "kind", "url")) return false;
  const url = value as Readonly<Record<string, unknown>>;
  return hasOwnText(url, "host") && hasOwnText(url, "scheme");
}

function isCommand(value: unknown): value is ShellCommand {
  return hasText(value, "program") && Array.isArray((value as Record<string, unknown>)["options"]);
}

const guards: { readonly [K in Kind]: (value: unknown) => boolean } = {
  null: (v) => v === null,
  bool: (v) => typeof v === "boolean",
  int: isInt,
  double: (v) => v instanceof Double || (typeof v === "number" && !Number.isSafeInteger(v)),
  number: (v) => typeof v === "number" || v instanceof Double,
  string: (v) => typeof v === "string",
  list: (v) => Array.isArray(v),
  map: isMap,
  timestamp: (v) => v instanceof Timestamp,
  duration: (v) => v instanceof Duration,
  optional: (v) => v instanceof Optional,
  path: isPath,
  url: isUrl,
  command: isCommand,
  any: () => true,
};

/** True if a value is of a kind. */
export function isKind(value: unknown, kind: Kind): boolean {
  return guards[kind](value);
}

/** Returns the test for a kind, for code that uses it often. */
export function testOf(kind: Kind): (value: unknown) => boolean {
  return guards[kind];
}

/** Returns the kind of a value, for messages and `type()`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null_type";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "number") return isInt(value) ? "int" : "double";
  if (value instanceof Double) return "double";
  if (Array.isArray(value)) return "list";
  if (value instanceof Timestamp) return "timestamp";
  if (value instanceof Duration) return "duration";
  if (value instanceof Optional) return "optional_type";
  if (value instanceof Approximation || value instanceof Unsure) return "unknown";
  if (isPath(value)) return "path";
  return isUrl(value) ? "url" : "map";
}

/** Makes the error value of a run-time type or range error. */
export function evaluationError(message: string): EvaluationError {
  return new EvaluationError("HW502", message);
}

/** The error value for a value that would exceed the bound of a payload. */
export const tooLarge = new EvaluationError("HW504", "value grows over the bound of a payload");

/** Returns the keys of a map; only own keys whose values are present. */
export function mapKeys(map: MapValue): readonly Value[] {
  if (map instanceof Map) return [...map.keys()];
  return paidKeys(map).filter((key) => (map as Record<string, unknown>)[key] !== undefined);
}

/** Returns the keys of a record and charges for each. */
function paidKeys(map: object): readonly string[] {
  const keys = Object.keys(map);
  spend(keys.length);
  return keys;
}

/** Returns the value at a key, or undefined. Integral doubles find int keys. */
export function mapGet(map: MapValue, key: Value): Value | undefined {
  const plain = key instanceof Double ? key.value : key;
  if (map instanceof Map) return map.get(plain) as Value | undefined;
  if (typeof plain !== "string" || !Object.hasOwn(map, plain)) return undefined;
  return (map as Record<string, unknown>)[plain] as Value | undefined;
}

/**
 * Tests deep equality as CEL does: int and double compare by value, other kinds only with the same kind. An error if more pairs
 * must be compared than a payload may hold.
 */
export function equal(a: Value, b: Value): boolean | EvaluationError {
  if (a === b) return true;
  if (a === null || b === null || (typeof a !== "object" && typeof b !== "object")) return false;
  const room = { left: limits.payloadNodes as number };
  const result = same(a, b, room);
  return room.left < 0 ? tooLarge : result;
}

function same(a: unknown, b: unknown, room: { left: number }): boolean {
  if (--room.left < 0) return false;
  spend(1);
  if (a === b) return true;
  if (typeof a !== "object" && typeof b !== "object") return false;
  if (a === null || b === null || a === undefined || b === undefined) return false;
  if (a instanceof Double || b instanceof Double) return sameNumber(a, b);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameList(a, b, room);
  if (a instanceof Timestamp || a instanceof Duration) return sameTime(a, b);
  if (b instanceof Timestamp || b instanceof Duration) return false;
  if (a instanceof Optional || b instanceof Optional)
    return a instanceof Optional && b instanceof Optional && same(a.value, b.value, room);
  return sameMap(a as MapValue, b as MapValue, room);
}

function sameNumber(a: unknown, b: unknown): boolean {
  const x = a instanceof Double ? a.value : a;
  const y = b instanceof Double ? b.value : b;
  return typeof x === "number" && x === y;
}

function sameTime(a: Timestamp | Duration, b: unknown): boolean {
  return b instanceof (a instanceof Timestamp ? Timestamp : Duration) && a.seconds === b.seconds && a.nanos === b.nanos;
}

function sameList(a: readonly unknown[], b: readonly unknown[], room: { left: number }): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i], room)) return false;
  return true;
}

function sameMap(a: MapValue, b: MapValue, room: { left: number }): boolean {
  const keys = mapKeys(a);
  if (keys.length !== mapKeys(b).length) return false;
  for (const key of keys) {
    const other = mapGet(b, key);
    if (other === undefined || !same(mapGet(a, key), other, room)) return false;
  }
  return true;
}

/** Orders two strings by code point: negative, zero or positive. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length) return a.length - b.length;
  // UTF-16 order differs from code point order only where one side is a surrogate.
  const x = a.charCodeAt(i);
  const y = b.charCodeAt(i);
  return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** The text counted last, because many rules ask for the size of the same text. */
let counted = { text: "", size: 0 };

/** Returns the number of code points. */
export function textSize(text: string): number {
  if (text === counted.text) return counted.size;
  const size = codePoints(text);
  counted = { text, size };
  return size;
}

function codePoints(text: string): number {
  let size = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      size--;
      i++;
    }
  }
  return size;
}

/** Returns a text that is equal exactly for equal values, so that lists are searched in linear time. An error over the bound. */
export function identity(value: Value): string | EvaluationError {
  const room = { left: limits.payloadNodes as number };
  const text = describe(value, room);
  return room.left < 0 ? tooLarge : text;
}

function describe(value: unknown, room: { left: number }): string {
  if (--room.left < 0) return "";
  spend(2);
  if (typeof value === "string") {
    spendText(value.length * 4);
    return JSON.stringify(value);
  }
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  if (typeof value === "number" || value instanceof Double) return `${numberOf(value) + 0}`;
  if (Array.isArray(value)) return `[${value.map((item) => describe(item, room)).join()}]`;
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}`;
  if (value instanceof Duration) return `d${value.seconds}.${value.nanos}`;
  if (value instanceof Optional) return `o(${value.value === undefined ? "" : describe(value.value, room)})`;
  const map = value as MapValue;
  const entries = mapKeys(map).map((key) => `${describe(key, room)}:${describe(mapGet(map, key), room)}`);
  return `{${entries.sort().join()}}`;
}

/** Casts a record of facts to a value. */
export function asValue(record: object): Value {
  return record as unknown as Value;
}
