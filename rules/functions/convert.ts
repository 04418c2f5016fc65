import type { Value } from "../../schema/ports.ts";
import { Double, EvaluationError, Optional } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { parseDuration, parseTimestamp, printDuration, printTimestamp, timestampOf } from "./time-values.ts";
import { doubleOf, evaluationError, isInt, kindOf, numberOf } from "./values.ts";

function intFromDouble(value: number): Value | EvaluationError {
  const cut = Math.trunc(value) + 0;
  return isInt(cut) ? cut : evaluationError("integer out of range");
}

function intFromText(text: string): Value | EvaluationError {
  if (!/^[+-]?\d{1,30}$/.test(text)) return evaluationError(`not an int: ${text.slice(0, 40)}`);
  return intFromDouble(Number(text));
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const words: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

function doubleFromText(text: string): Value | EvaluationError {
  const word = words.get(text.toLowerCase());
  if (word !== undefined) return doubleOf(word);
  return text.length <= 400 && decimal.test(text)
    ? doubleOf(Number(text))
    : evaluationError(`not a double: ${text.slice(0, 40)}`);
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
  ["f", false],
  ["0", false],
]);

function boolFromText(text: string): Value | EvaluationError {
  return truths.get(text) ?? evaluationError(`not a bool: ${text.slice(0, 40)}`);
}

/** Returns the text of a number as CEL prints it. */
export function printNumber(value: number | Double): string {
  const number = numberOf(value);
  if (number === Number.POSITIVE_INFINITY) return "+Inf";
  if (number === Number.NEGATIVE_INFINITY) return "-Inf";
  if (Object.is(number, -0) && value instanceof Double) return "-0";
  return String(number);
}

/** Conversions by the name of the wanted type, and `type()`. */
export const conversions: Readonly<Record<string, readonly Overload[]>> = {
  to_int: [
    overload("int.from_int", ["int"], ([n]) => n),
    overload("int.from_double", ["double"], ([n]) => intFromDouble(numberOf(n))),
    overload("int.from_string", ["string"], ([text]) => intFromText(text)),
    overload("int.from_timestamp", ["timestamp"], ([time]) => time.seconds),
  ],
  to_double: [
    overload("double.from_number", ["number"], ([n]) => doubleOf(numberOf(n))),
    overload("double.from_string", ["string"], ([text]) => doubleFromText(text)),
  ],
  to_string: [
    overload("string.from_string", ["string"], ([text]) => text),
    overload("string.from_number", ["number"], ([n]) => printNumber(n)),
    overload("string.from_bool", ["bool"], ([b]) => String(b)),
    overload("string.from_timestamp", ["timestamp"], ([time]) => printTimestamp(time)),
    overload("string.from_duration", ["duration"], ([span]) => printDuration(span)),
    overload("string.from_path", ["path"], ([path]) => path.text),
    overload("string.from_url", ["url"], ([url]) => url.text),
  ],
  to_bool: [
    overload("bool.from_bool", ["bool"], ([b]) => b),
    overload("bool.from_string", ["string"], ([text]) => boolFromText(text)),
  ],
  to_timestamp: [
    overload("timestamp.from_timestamp", ["timestamp"], ([time]) => time),
    overload("timestamp.from_string", ["string"], ([text]) => parseTimestamp(text)),
    overload("timestamp.from_int", ["int"], ([seconds]) => timestampOf(seconds, 0)),
  ],
  to_duration: [
    overload("duration.from_duration", ["duration"], ([span]) => span),
    overload("duration.from_string", ["string"], ([text]) => parseDuration(text)),
  ],
  to_dyn: [overload("dyn.of", ["any"], ([value]) => value)],
  type_of: [overload("type.of", ["any"], ([value]) => kindOf(value))],
};

/** Functions of optionals (CEL optionals). `decide` lets the first argument decide the result without an evaluation of the second. */
export const optionals: Readonly<Record<string, readonly Overload[]>> = {
  optional_of: [overload("optional.of", ["any"], ([value]) => new Optional(value))],
  optional_none: [overload("optional.none", [], () => new Optional())],
  optional_of_non_zero: [
    overload("optional.of_non_zero", ["any"], ([value]) => new Optional(isZero(value) ? undefined : value)),
  ],
  has_value: [overload("optional.has_value", ["optional"], ([option]) => option.value !== undefined)],
  value: [overload("optional.value", ["optional"], ([option]) => option.value ?? noValue)],
  or: [
    {
      ...overload("optional.or", ["optional", "optional"], ([a, b]) => (a.value === undefined ? b : a)),
      decide: (first) => (first instanceof Optional && first.value !== undefined ? first : undefined),
    },
  ],
  or_value: [
    {
      ...overload("optional.or_value", ["optional", "any"], ([a, b]) => a.value ?? b),
      decide: (first) => (first instanceof Optional ? first.value : undefined),
    },
  ],
};

const noValue = evaluationError("optional has no value");

/** True for the zero value of a kind: 0, "", false, null, an empty list or map, a zero time or duration. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === "" || value === 0) return true;
  if (value instanceof Double) return value.value === 0;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof EvaluationError || typeof value !== "object") return false;
  if ("seconds" in value && "nanos" in value) return value.seconds === 0 && value.nanos === 0;
  return value instanceof Map ? value.size === 0 : kindOf(value) === "map" && Object.keys(value).length === 0;
}
