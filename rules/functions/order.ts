import type { Value } from "../../schema/ports.ts";
import { Double, Duration, type EvaluationError, Timestamp } from "../../schema/ports.ts";
import { compareText, evaluationError, kindOf, numberOf } from "./values.ts";

/** Orders two numbers, strings, bools or times: negative, zero or positive; NaN if either is NaN; an error for other kinds. */
export function order(a: Value, b: Value): number | EvaluationError {
  if (isNumber(a) && isNumber(b)) return compareNumbers(numberOf(a), numberOf(b));
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return compareTimes(a, b);
  if (a instanceof Duration && b instanceof Duration) return compareTimes(a, b);
  return evaluationError(`${kindOf(a)} and ${kindOf(b)} have no order`);
}

function isNumber(value: Value): value is number | Double {
  return typeof value === "number" || value instanceof Double;
}

/** Orders two numbers; NaN if either is NaN, so that every comparison with it is false. */
export function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;
}

/** Orders two timestamps or two durations. */
export function compareTimes(a: Timestamp | Duration, b: Timestamp | Duration): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}
