import { spend } from "../facts/meter.ts";
import { Approximation, Unsure } from "../schema/approximation.ts";
import type { Value } from "../schema/ports.ts";
import { Double, Duration, EvaluationError, Optional, Timestamp } from "../schema/ports.ts";

/** The few things that evaluation itself must know of values: fields, keys, items. Own properties only. */

export const exhausted = new EvaluationError("HW503", "step budget of the rule is used up");
const noBool = new EvaluationError("HW502", "condition is not a bool");

/** Makes the error value for a condition that cannot be evaluated. */
export function failed(message: string): EvaluationError {
  return new EvaluationError("HW502", message);
}

/** Returns the error of a node without a step left, and leaves none for any later node. */
export function outOfSteps(frame: { steps: number }): EvaluationError {
  frame.steps = 0;
  return exhausted;
}

/** The value as a bool, or an error value. */
export function truth(value: Value | EvaluationError): boolean | EvaluationError {
  return typeof value === "boolean" || value instanceof EvaluationError ? value : noBool;
}

/** True for maps and records: objects that are neither lists nor value classes. */
export function isKeyed(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Most are plain, and one look tells that without asking for each class.
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

/** Own field of a record or entry of a map with text keys; undefined when absent. A field that holds undefined is absent. */
export function fieldOf(value: unknown, name: string): Value | undefined {
  return isKeyed(value) ? keyedField(value, name) : undefined;
}

/** The same for a value that is known to be keyed. */
export function keyedField(value: object, name: string): Value | undefined {
  if (value instanceof Map) return value.get(name) as Value | undefined;
  return Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] as Value | undefined) : undefined;
}

/** Returns the item of a list by int, or the entry of a map by key; undefined if there is none, an error value for a wrong kind. */
export function itemOf(value: Value, index: Value): Value | undefined | EvaluationError {
  const plain = index instanceof Double ? index.value : index;
  if (Array.isArray(value)) {
    if (typeof plain !== "number") return failed("index of a list is not an int");
    return Number.isSafeInteger(plain) && plain >= 0 && plain < value.length ? (value[plain] as Value) : undefined;
  }
  if (!isKeyed(value)) return failed("only lists and maps have items");
  if (typeof plain === "string") return fieldOf(value, plain);
  if (value instanceof Map) return value.get(plain) as Value | undefined;
  return plain === null || typeof plain === "object" ? failed("a key is a string, int or bool") : undefined;
}

/** Items of a list, or keys of a map; an error value for anything else. */
export function elementsOf(value: Value | EvaluationError): readonly Value[] | EvaluationError {
  if (value instanceof EvaluationError) return value;
  if (Array.isArray(value)) return value as readonly Value[];
  if (!isKeyed(value)) return failed("only lists and maps can be gone through");
  if (value instanceof Map) return [...value.keys()] as Value[];
  const keys = Object.keys(value);
  spend(keys.length);
  return keys.filter((key) => (value as Record<string, unknown>)[key] !== undefined);
}

/**
 * Collects the entries of a map: a plain object without prototype while all keys are strings, else a `Map`. Returns
 * an error value for a key of a wrong kind or one that comes twice.
 */
export function mapOf(entries: readonly (readonly [key: Value, value: Value])[]): Value | EvaluationError {
  const made = new Map<Value, Value>();
  let texts = true;
  for (const [key, value] of entries) {
    const plain = key instanceof Double ? key.value : key;
    if (typeof plain !== "string" && typeof plain !== "number" && typeof plain !== "boolean")
      return failed("a key is a string, int or bool");
    if (typeof plain === "number" && !Number.isSafeInteger(plain)) return failed("a key is a string, int or bool");
    if (made.has(plain)) return failed("key stands twice in a map");
    made.set(plain, value);
    texts &&= typeof plain === "string";
  }
  if (!texts) return made;
  const plain: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of made) plain[key as string] = value;
  return plain;
}
