import { spend } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import type { Value } from "../../schema/ports.ts";
import { Double, Duration, EvaluationError, Timestamp } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { printDuration, printTimestamp } from "./time-values.ts";
import {
  compareText,
  evaluationError,
  isInt,
  isMap,
  isPath,
  isUrl,
  kindOf,
  mapGet,
  mapKeys,
  numberOf,
  tooLarge,
} from "./values.ts";

/** Most digits after the point: enough for any double, and within the range of the exact expansion below. */
const mostDigits = 60;
/** Digits after the point if a clause gives no precision. */
const usualDigits = 6;

type Clause = (value: Value, digits: number) => string | EvaluationError;

const wrongKind = (clause: string, takes: string, value: Value): EvaluationError =>
  evaluationError(`\`format\`: \`%${clause}\` takes ${takes}, here ${kindOf(value)}`);

/** Returns the name of an infinity or NaN, as every numeric clause prints it; undefined for any other value. */
function special(value: Value): string | undefined {
  const number = isNumber(value) ? numberOf(value) : 0;
  return Number.isFinite(number) ? undefined : String(number);
}

function isNumber(value: Value): value is number | Double {
  return typeof value === "number" || value instanceof Double;
}

/** Rounds a decimal fraction to a number of digits, halves to even, as neither `toFixed` nor `toExponential` does. */
function rounded(exact: string, digits: number): string {
  const [whole = "0", fraction = ""] = exact.split(".");
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  const rest = fraction.slice(digits);
  const half = `5${"0".repeat(Math.max(0, rest.length - 1))}`;
  const up = rest > half || (rest === half && kept % 2n === 1n);
  const text = String(up ? kept + 1n : kept).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function signed(number: number, text: string): string {
  return number < 0 || Object.is(number, -0) ? `-${text}` : text;
}

/** Prints in fixed point. From 10^21 on, a double is an integer and `toFixed` writes an exponent. */
function fixed(value: Value, digits: number): string | EvaluationError {
  if (!isNumber(value)) return wrongKind("f", "a number", value);
  const number = numberOf(value);
  const size = Math.abs(number);
  return special(value) ?? signed(number, rounded(size < 1e21 ? size.toFixed(100) : String(BigInt(size)), digits));
}

/** Prints in scientific notation, with an exponent of at least two digits. */
function scientific(value: Value, digits: number): string | EvaluationError {
  if (!isNumber(value)) return wrongKind("e", "a number", value);
  const number = numberOf(value);
  const named = special(value);
  if (named !== undefined) return named;
  const [mantissa = "0", exponent = "+0"] = Math.abs(number).toExponential(100).split("e");
  const text = rounded(mantissa, digits);
  // 9.99… becomes 10.0…, and the point moves.
  const carries = text.startsWith("10");
  const carried = carries ? rounded("1", digits) : text;
  const moved = Number(exponent) + (carries ? 1 : 0);
  return signed(number, `${carried}e${moved < 0 ? "-" : "+"}${String(Math.abs(moved)).padStart(2, "0")}`);
}

function decimal(value: Value): string | EvaluationError {
  return isInt(value)
    ? String(value)
    : isNumber(value) && special(value) !== undefined
      ? String(numberOf(value))
      : wrongKind("d", "an int", value);
}

const inBase = (clause: string, base: number): Clause => {
  return (value) => (isInt(value) ? value.toString(base) : wrongKind(clause, "an int", value));
};

function binary(value: Value): string | EvaluationError {
  if (typeof value === "boolean") return value ? "1" : "0";
  return isInt(value) ? value.toString(2) : wrongKind("b", "an int or bool", value);
}

function hexadecimal(value: Value): string | EvaluationError {
  if (isInt(value)) return value.toString(16);
  if (typeof value !== "string") return wrongKind("x", "an int or string", value);
  if (value.length * 6 > limits.eventBytes) return tooLarge;
  spend(value.length * 2);
  return Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Remaining budget for the text of one value: nodes and UTF-16 units. */
interface Room {
  nodes: number;
  units: number;
}

/** Prints any value that has a text. Lists and maps print their items; maps are ordered by the text of their keys. */
function plain(value: Value): string | EvaluationError {
  const room = { nodes: limits.payloadNodes as number, units: limits.eventBytes as number };
  const text = describe(value, room);
  return room.nodes < 0 || room.units < 0 ? tooLarge : text;
}

function describe(value: Value, room: Room): string | EvaluationError {
  if (--room.nodes < 0 || room.units < 0) return "";
  spend(2);
  if (Array.isArray(value)) {
    const items = parts(value as readonly Value[], (item) => describe(item, room));
    return items instanceof EvaluationError ? items : `[${items.join(", ")}]`;
  }
  const text = scalarText(value);
  if (text !== undefined) room.units -= text.length;
  if (text !== undefined) return room.units < 0 ? "" : text;
  if (!isMap(value)) return wrongKind("s", "a value with a text", value);
  const entries = parts(mapKeys(value), (key) => {
    const held = describe(mapGet(value, key) as Value, room);
    room.units -= String(key).length;
    return held instanceof EvaluationError ? held : `${String(key)}: ${held}`;
  });
  return entries instanceof EvaluationError ? entries : `{${inOrder(entries).join(", ")}}`;
}

/** Sorts texts by code points. Costs are counted by comparison rounds, each as long as the common beginning may be. */
function inOrder(texts: readonly string[]): readonly string[] {
  const rounds = 32 - Math.clz32(texts.length);
  for (const text of texts) spend((text.length * rounds) >> 5);
  return [...texts].sort(compareText);
}

function scalarText(value: Value): string | undefined {
  if (value === null || typeof value === "boolean" || typeof value === "string") return String(value);
  if (isNumber(value)) return String(numberOf(value));
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  return isPath(value) || isUrl(value) ? value.text : undefined;
}

/** Returns the text of each value, or the first error. */
function parts(
  values: readonly Value[],
  of: (value: Value) => string | EvaluationError,
): readonly string[] | EvaluationError {
  const texts: string[] = [];
  for (const value of values) {
    const text = of(value);
    if (text instanceof EvaluationError) return text;
    texts.push(text);
  }
  return texts;
}

const clauses: ReadonlyMap<string, Clause> = new Map<string, Clause>([
  ["s", plain],
  ["d", decimal],
  ["f", fixed],
  ["e", scientific],
  ["b", binary],
  ["o", inBase("o", 8)],
  ["x", hexadecimal],
  [
    "X",
    (value) => {
      const text = hexadecimal(value);
      return text instanceof EvaluationError ? text : text.toUpperCase();
    },
  ],
]);

/** Fills the clauses of a template from a list, in order; `%%` is a percent sign. */
function format(template: string, args: readonly Value[]): Value | EvaluationError {
  let made = "";
  let at = 0;
  let next = 0;
  for (let percent = template.indexOf("%"); percent >= 0; percent = template.indexOf("%", at)) {
    made += template.slice(at, percent);
    const [, digits, letter] = /^(?:\.(\d{1,9}))?([\s\S]?)/.exec(template.slice(percent + 1, percent + 12)) ?? [];
    at = percent + 2 + (digits === undefined ? 0 : digits.length + 1);
    if (letter === "%" && digits === undefined) {
      made += "%";
      continue;
    }
    const text = filled(letter ?? "", Number(digits ?? usualDigits), args, next++);
    if (text instanceof EvaluationError) return text;
    made += text;
    if (made.length > limits.eventBytes) return tooLarge;
    spend(text.length >> 5);
  }
  return made + template.slice(at);
}

function filled(letter: string, digits: number, args: readonly Value[], index: number): string | EvaluationError {
  const clause = clauses.get(letter);
  if (!clause) return evaluationError(`\`format\`: no clause \`%${letter}\``);
  if (digits > mostDigits) return evaluationError(`\`format\`: at most ${mostDigits} digits`);
  const value = args[index];
  return value === undefined ? evaluationError(`\`format\`: no argument ${index}`) : clause(value, digits);
}

/** `format` of CEL's string extension. */
export const formatFunctions: Readonly<Record<string, readonly Overload[]>> = {
  format: [overload("string.format", ["string", "list"], ([template, args]) => format(template, args))],
};
