import { hasText, indexOfText, lastIndexOfText, piecesOfText } from "../../facts/find-text.ts";
import { spend } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import type { EvaluationError, Value } from "../../schema/ports.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { evaluationError, textSize, tooLarge } from "./values.ts";

/** Returns the code points of a text, or the text itself if each UTF-16 unit is one; both can be indexed. */
function points(text: string): string | string[] {
  if (textSize(text) === text.length) return text;
  spend(text.length);
  return Array.from(text);
}

function part(text: string | string[], start: number, end: number): string {
  return typeof text === "string" ? text.slice(start, end) : text.slice(start, end).join("");
}

function outOfRange(name: string, index: number): EvaluationError {
  return evaluationError(`\`${name}\`: index ${index} is out of range`);
}

function substring(text: string, start: number, end: number | undefined): Value | EvaluationError {
  const all = points(text);
  const last = end ?? all.length;
  if (start < 0 || start > all.length) return outOfRange("substring", start);
  if (last < 0 || last > all.length || last < start) return outOfRange("substring", last);
  return part(all, start, last);
}

function charAt(text: string, index: number): Value | EvaluationError {
  const all = points(text);
  return index < 0 || index > all.length ? outOfRange("charAt", index) : part(all, index, index + 1);
}

/** Returns the UTF-16 offset of a code point index; undefined out of range (the end is in range). */
function unitOffset(text: string, index: number): number | undefined {
  const all = points(text);
  if (index < 0 || index > all.length) return undefined;
  return typeof all === "string" ? index : part(all, 0, index).length;
}

function indexOf(text: string, wanted: string, from: number): Value | EvaluationError {
  const start = unitOffset(text, from);
  if (start === undefined) return outOfRange("indexOf", from);
  const found = indexOfText(text, wanted, start);
  return found < 0 ? -1 : textSize(text.slice(0, found));
}

function lastIndexOf(text: string, wanted: string, from: number): Value | EvaluationError {
  const start = unitOffset(text, from);
  if (start === undefined) return outOfRange("lastIndexOf", from);
  const found = lastIndexOfText(text, wanted, start);
  return found < 0 ? -1 : textSize(text.slice(0, found));
}

/** Replaces at most `count` occurrences, all if negative; an empty `wanted` occurs before each code point and at the end. */
function replace(text: string, wanted: string, by: string, count: number): Value | EvaluationError {
  const pieces = split(text, wanted, count < 0 ? -1 : count + 1, true);
  const length = text.length + (pieces.length - 1) * (by.length - wanted.length);
  if (length > limits.eventBytes) return tooLarge;
  spend(length >> 5);
  return pieces.join(by);
}

/** Returns the pieces between occurrences of `separator`, at most `most` (all if negative). */
function split(text: string, separator: string, most: number, ends = false): string[] {
  if (most === 0) return [];
  if (most === 1) return [text];
  const all = separator === "" ? pointsOf(text, ends) : piecesOfText(text, separator);
  if (most < 0 || all.length <= most) return all;
  return [...all.slice(0, most - 1), all.slice(most - 1).join(separator)];
}

/** Returns the code points of a text, with an empty text at both ends if `ends`. */
function pointsOf(text: string, ends: boolean): string[] {
  spend(text.length);
  const points = Array.from(text);
  return ends ? ["", ...points, ""] : points;
}

function joinTexts(items: readonly Value[], separator: string): Value | EvaluationError {
  let length = 0;
  for (const item of items) {
    if (typeof item !== "string") return evaluationError("`join` needs a list of strings");
    length += item.length + separator.length;
  }
  if (length > limits.eventBytes) return tooLarge;
  spend(length >> 5);
  return items.join(separator);
}

/** White space of CEL, as in Unicode. The list is fixed, so that it does not depend on the runtime. */
const blanks =
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blanks.includes(text[start] as string)) start++;
  while (end > start && blanks.includes(text[end - 1] as string)) end--;
  spend((text.length - end + start) >> 1);
  return text.slice(start, end);
}

const lower = (given: string): string =>
  eachUnit(given).replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 32));
const upper = (given: string): string =>
  eachUnit(given).replace(/[a-z]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 32));

/** Returns the text and charges for each UTF-16 unit. */
function eachUnit(text: string): string {
  if (text.length > 64) spend(text.length >> 1);
  return text;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** Returns the text as a CEL string literal. */
export function quote(text: string): string {
  return `"${Array.from(eachUnit(text), (c) => escapes.get(c) ?? c).join("")}"`;
}

/** String functions (CEL standard library and string extension). Indices and sizes count code points. */
export const stringFunctions: Readonly<Record<string, readonly Overload[]>> = {
  contains: [overload("string.contains", ["string", "string"], ([text, part]) => hasText(text, part))],
  starts_with: [overload("string.starts_with", ["string", "string"], ([text, head]) => text.startsWith(head))],
  ends_with: [overload("string.ends_with", ["string", "string"], ([text, tail]) => text.endsWith(tail))],
  lower_ascii: [overload("string.lower_ascii", ["string"], ([text]) => lower(text))],
  upper_ascii: [overload("string.upper_ascii", ["string"], ([text]) => upper(text))],
  trim: [overload("string.trim", ["string"], ([text]) => trim(text))],
  char_at: [overload("string.char_at", ["string", "int"], ([text, index]) => charAt(text, index))],
  substring: [
    overload("string.substring", ["string", "int"], ([text, start]) => substring(text, start, undefined)),
    overload("string.substring_range", ["string", "int", "int"], ([text, start, end]) => substring(text, start, end)),
  ],
  index_of: [
    overload("string.index_of", ["string", "string"], ([text, wanted]) => indexOf(text, wanted, 0)),
    overload("string.index_of_from", ["string", "string", "int"], ([text, wanted, from]) =>
      indexOf(text, wanted, from),
    ),
  ],
  last_index_of: [
    overload("string.last_index_of", ["string", "string"], ([text, wanted]) =>
      lastIndexOf(text, wanted, textSize(text)),
    ),
    overload("string.last_index_of_from", ["string", "string", "int"], ([text, wanted, from]) =>
      lastIndexOf(text, wanted, from),
    ),
  ],
  replace: [
    overload("string.replace", ["string", "string", "string"], ([text, wanted, by]) => replace(text, wanted, by, -1)),
    overload("string.replace_count", ["string", "string", "string", "int"], ([text, wanted, by, n]) =>
      replace(text, wanted, by, n),
    ),
  ],
  split: [
    overload("string.split", ["string", "string"], ([text, separator]) => split(text, separator, -1)),
    overload("string.split_count", ["string", "string", "int"], ([text, separator, most]) =>
      split(text, separator, most),
    ),
  ],
  join: [
    overload("list.join", ["list"], ([items]) => joinTexts(items, "")),
    overload("list.join_with", ["list", "string"], ([items, separator]) => joinTexts(items, separator)),
  ],
  quote: [overload("string.quote", ["string"], ([text]) => quote(text))],
};
