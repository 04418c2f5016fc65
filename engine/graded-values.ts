import { Approximation, anyText, isSeveral, shownText, Unsure } from "../schema/approximation.ts";
import { eitherWay, type Graded } from "../schema/grades.ts";
import { EvaluationError, Optional, type Value } from "../schema/ports.ts";
import { failed } from "./evaluate-values.ts";
import type { Linked } from "./frame.ts";

/** Levels of a value that are looked into for what is not known: a fact holds it in a field of a field. */
const deepest = 3;

/** Results of `isPartlyKnown`, by record (unchanging facts and parts of the payload): many tests ask for the same one. */
const known = new WeakMap<object, boolean>();

/** True for a value that is not known, or holds one that is not. */
export function isPartlyKnown(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Approximation || value instanceof Unsure) return true;
  if (Array.isArray(value) || value instanceof Optional) return holdsUnknown(value, deepest);
  const found = known.get(value);
  if (found !== undefined) return found;
  const made = holdsUnknown(value, deepest);
  known.set(value, made);
  return made;
}

function holdsUnknown(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Approximation || value instanceof Unsure) return true;
  if (levels === 0) return false;
  if (value instanceof Optional) return holdsUnknown(value.value, levels);
  if (Array.isArray(value)) return value.some((item) => holdsUnknown(item, levels - 1));
  if (value instanceof Map) return [...value.values()].some((item) => holdsUnknown(item, levels - 1));
  for (const key in value)
    if (Object.hasOwn(value, key) && holdsUnknown((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** True where a part of the values may be several or none. */
export function holdsSeveral(value: unknown, levels = deepest): boolean {
  if (isSeveral(value)) return true;
  if (typeof value !== "object" || value === null || levels === 0 || value instanceof Approximation) return false;
  if (value instanceof Optional) return holdsSeveral(value.value, levels);
  const inner = value instanceof Map ? [...value.values()] : Object.values(value);
  return inner.some((item) => holdsSeveral(item, levels - 1));
}

/** True for an optional whose value need not be there. */
export function mayBeAbsent(value: Value): boolean {
  return value instanceof Optional && isSeveral(value.value);
}

/** True for a value of unknown kind. */
export function isUnknown(value: Value | EvaluationError): value is Approximation | Unsure {
  return value instanceof Approximation || value instanceof Unsure;
}

/** Lists the causes of an unknown value, for people. */
export function causesOf(value: Approximation | Unsure): readonly string[] {
  return value instanceof Unsure ? value.causes : [shownText(value)];
}

/** Returns an unknown value with the causes of another unknown value. */
export function unknownOf(value: Approximation | Unsure): Approximation {
  return anyText(causesOf(value).join(", "));
}

/**
 * Evaluates a value that decides either way, such as the test of a choice. In a test that only restricts, `no` means just that the
 * known part does not pass; here `no` must be sure wherever an unknown part leads.
 */
export function bothWays(linked: Linked): Linked {
  return (frame) => {
    const before = frame.bothWays;
    frame.bothWays = true;
    const value = linked(frame);
    frame.bothWays = before ?? false;
    return value;
  };
}

const noBool = failed("condition is not a bool");

/** Returns a value as a grade, or an error value; an unknown value may be true. */
export function gradedTruth(value: Value | EvaluationError): Graded | EvaluationError {
  if (typeof value === "boolean" || value instanceof EvaluationError || value instanceof Unsure) return value;
  return value instanceof Approximation ? new Unsure("open", [shownText(value)]) : noBool;
}

/** Returns the value of a choice whose test is not known. */
export function eitherValue(
  test: Unsure,
  then: Value | EvaluationError,
  otherwise: Value | EvaluationError,
): Value | EvaluationError {
  if (then instanceof EvaluationError) return then;
  if (otherwise instanceof EvaluationError) return otherwise;
  if (then === otherwise) return then;
  const [a, b] = [gradedTruth(then), gradedTruth(otherwise)];
  if (a instanceof EvaluationError || b instanceof EvaluationError) return unknownOf(test);
  return eitherWay(a, b, test.causes);
}
