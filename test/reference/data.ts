import { Double, Duration, EvaluationError, Optional, Timestamp, type Value } from "../../schema/ports.ts";

/** What the reference interpreter knows of values: kinds, fields, items and elements, written from the language page alone. */

/** An evaluation error of the reference. Messages are for people; only codes are compared. */
export const failure = (message: string): EvaluationError => new EvaluationError("HW502", message);

/** True for a map or record: an object that is neither a list nor one of the value classes. */
export function isMapping(value: unknown): value is ReadonlyMap<Value, Value> | Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return ![Double, Timestamp, Duration, Optional, EvaluationError].some((kind) => value instanceof kind);
}

/** Entries of a map or record; a field that holds undefined is absent. */
function entriesOf(mapping: ReadonlyMap<Value, Value> | Readonly<Record<string, unknown>>): [Value, Value][] {
  const all = mapping instanceof Map ? [...mapping] : Object.entries(mapping);
  return all.filter(([, value]) => value !== undefined) as [Value, Value][];
}

/** A number without its kind: an integral double finds what an int finds. */
function plainKey(key: Value): Value {
  return key instanceof Double ? key.value : key;
}

/** What stands under a key; undefined when nothing does. */
export function entryAt(value: unknown, key: Value): Value | undefined {
  if (!isMapping(value)) return undefined;
  const wanted = plainKey(key);
  if (!(value instanceof Map)) {
    const own = typeof wanted === "string" ? Object.getOwnPropertyDescriptor(value, wanted) : undefined;
    return own?.value as Value | undefined;
  }
  return entriesOf(value).find(([each]) => plainKey(each) === wanted)?.[1];
}

/** `value[index]`: an item of a list, an entry of a map, undefined when there is none, an error for other kinds. */
export function itemAt(value: Value, index: Value): Value | undefined | EvaluationError {
  const wanted = plainKey(index);
  if (Array.isArray(value)) return typeof wanted === "number" ? itemOfList(value, wanted) : failure("no int");
  if (!isMapping(value)) return failure("neither list nor map");
  const isKey = typeof wanted === "string" || typeof wanted === "boolean" || typeof wanted === "number";
  return isKey || value instanceof Map ? entryAt(value, wanted) : failure("no key");
}

function itemOfList(list: readonly Value[], index: number): Value | undefined {
  return Number.isInteger(index) && index >= 0 ? list[index] : undefined;
}

/** What a macro goes through: the items of a list, the keys of a map. */
export function elements(value: Value): readonly Value[] | EvaluationError {
  if (Array.isArray(value)) return value as readonly Value[];
  return isMapping(value) ? entriesOf(value).map(([key]) => key) : failure("neither list nor map");
}

/** A map out of entries: a record while all keys are texts, as event data is, else a `Map`. No key may come twice. */
export function mapFrom(entries: readonly (readonly [Value, Value])[]): Value | EvaluationError {
  const made = new Map<Value, Value>();
  for (const [key, value] of entries) {
    const plain = plainKey(key);
    const isKey = typeof plain === "string" || typeof plain === "boolean" || Number.isSafeInteger(plain);
    if (!isKey) return failure("no key");
    if (made.has(plain)) return failure("key comes twice");
    made.set(plain, value);
  }
  const texts = [...made.keys()].every((key) => typeof key === "string");
  return texts ? ({ __proto__: null, ...Object.fromEntries(made as Map<string, Value>) } as Value) : made;
}
