import type { ScalarStyle } from "../../compiler/yaml-node.ts";

/** One scalar that `common-yaml.ts` found in a text: its value, and the offset after its text. */
export interface FoundScalar {
  readonly value: null | boolean | number | string;
  readonly style: ScalarStyle;
  readonly end: number;
}

const [lineFeed, space, doubleQuote, hash, quote] = [0x0a, 0x20, 0x22, 0x23, 0x27];
const [comma, minus, colon, backslash] = [0x2c, 0x2d, 0x3a, 0x5c];

/** True for a space, a line end and the end of the text, each of which ends a word of YAML. */
export function endsWord(code: number): boolean {
  return code === space || code === lineFeed || Number.isNaN(code);
}

/** True for `,[]{}`. */
export function isFlowIndicator(code: number): boolean {
  return code === comma || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

/** Reads a scalar in quotes or a plain one, on one line. Undefined for every uncommon form. */
export function lineScalar(text: string, at: number, inFlow: boolean): FoundScalar | undefined {
  const code = text.charCodeAt(at);
  if (code === doubleQuote) return doubleQuoted(text, at);
  return code === quote ? singleQuoted(text, at) : plain(text, at, inFlow);
}

/** Characters with another meaning, or none, at the beginning of a plain scalar. */
const notPlain: ReadonlySet<string> = new Set("&*!|>%@`?:,[]{}#\"' \n");

function plain(text: string, at: number, inFlow: boolean): FoundScalar | undefined {
  if (at >= text.length || notPlain.has(text[at] as string)) return undefined;
  const next = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) === minus && (endsWord(next) || isFlowIndicator(next))) return undefined;
  const end = plainEnd(text, at, inFlow);
  return end === undefined ? undefined : typed(text.slice(at, end), end);
}

/** Returns the end of a plain scalar, without white space after it; undefined if it is a key or continues in an uncommon way. */
function plainEnd(text: string, at: number, inFlow: boolean): number | undefined {
  let end = at;
  for (let i = at; ; i++) {
    const code = text.charCodeAt(i);
    if (code === space) {
      if (text.charCodeAt(i + 1) === hash) return inFlow ? undefined : end;
      continue;
    }
    if (code === lineFeed && inFlow) return isFlowIndicator(nextText(text, i)) ? end : undefined;
    if (code === lineFeed || Number.isNaN(code)) return inFlow ? undefined : end;
    if (code === colon) {
      const next = text.charCodeAt(i + 1);
      if (endsWord(next) || (inFlow && isFlowIndicator(next))) return undefined;
    } else if (inFlow && isFlowIndicator(code)) return end;
    end = i + 1;
  }
}

/** Returns the offset of the next character that is no white space. */
function nextText(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === space || text.charCodeAt(at) === lineFeed) at++;
  return text.charCodeAt(at);
}

/** Numbers of the core schema in their usual form, and in all forms. */
const usualNumber = /^-?[0-9]{1,15}(?:\.[0-9]{1,15})?$/;
const anyNumber =
  /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)$/;

/** Words of the core schema that are no strings. */
const words: ReadonlyMap<string, null | boolean> = new Map([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** True for text that is no string as a plain scalar. */
export function isWordOfSchema(text: string): boolean {
  return words.has(text);
}

function typed(raw: string, end: number): FoundScalar | undefined {
  const word = words.get(raw);
  if (word !== undefined) return { value: word, style: "plain", end };
  if (!/^[-+.0-9]/.test(raw)) return { value: raw, style: "plain", end };
  if (usualNumber.test(raw)) return { value: Number.parseFloat(raw), style: "plain", end };
  return anyNumber.test(raw) ? undefined : { value: raw, style: "plain", end };
}

function singleQuoted(text: string, at: number): FoundScalar | undefined {
  let end = text.indexOf("'", at + 1);
  while (end >= 0 && text.charCodeAt(end + 1) === quote) end = text.indexOf("'", end + 2);
  if (end < 0) return undefined;
  const raw = text.slice(at + 1, end);
  return raw.includes("\n") ? undefined : { value: raw.replaceAll("''", "'"), style: "single", end: end + 1 };
}

/** Common escapes of one letter. */
const escapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\"],
  ['"', '"'],
  ["/", "/"],
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

function doubleQuoted(text: string, at: number): FoundScalar | undefined {
  let end = at + 1;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (code === doubleQuote) break;
    if (code === lineFeed || Number.isNaN(code)) return undefined;
    if (code === backslash) end++;
  }
  const raw = text.slice(at + 1, end);
  const value = raw.includes("\\") ? unescaped(raw) : raw;
  return value === undefined ? undefined : { value, style: "double", end: end + 1 };
}

function unescaped(raw: string): string | undefined {
  const parts = raw.split("\\");
  let value = parts[0] as string;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i] as string;
    // Two backslashes in a row leave an empty part between them, and the second is the escaped one.
    if (part === "") {
      if (++i >= parts.length) return undefined;
      value += `\\${parts[i]}`;
      continue;
    }
    const meant = escaped(part);
    if (meant === undefined) return undefined;
    value += meant;
  }
  return value;
}

/** Returns the text after a backslash, with its escape decoded. */
function escaped(part: string): string | undefined {
  const letter = part[0] as string;
  const meant = escapes.get(letter);
  if (meant !== undefined) return meant + part.slice(1);
  const digits = /^(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})/.exec(part)?.[0];
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits.slice(1), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) + part.slice(digits?.length) : undefined;
}

/** Matches headers of block scalars without explicit indentation or kept line breaks. */
const header = /[|>](-?) *\n/y;

/**
 * Reads a block scalar whose first line has text; `end` is the start of the line after it. Its lines are indented more than
 * `indent`.
 */
export function blockScalar(text: string, at: number, indent: number): FoundScalar | undefined {
  header.lastIndex = at;
  const found = header.exec(text);
  if (!found) return undefined;
  const first = at + found[0].length;
  const inner = spacesAt(text, first);
  if (inner <= indent || endsWord(text.charCodeAt(first + inner))) return undefined;
  const lines: string[] = [];
  let end = first;
  for (let start = first; start < text.length; ) {
    const lead = spacesAt(text, start);
    const stop = text.indexOf("\n", start);
    if (stop < 0) return undefined;
    const isBlank = start + lead === stop;
    // White space that is part of the text is not common.
    if (isBlank && lead > inner) return undefined;
    if (!isBlank && lead < inner) break;
    lines.push(isBlank ? "" : text.slice(start + inner, stop));
    start = stop + 1;
    if (!isBlank) end = start;
  }
  while (lines.at(-1) === "") lines.pop();
  const isLiteral = text[at] === "|";
  const value = (isLiteral ? lines.join("\n") : folded(lines)) + (found[1] === "-" ? "" : "\n");
  return { value, style: isLiteral ? "literal" : "folded", end };
}

function spacesAt(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === space) end++;
  return end - at;
}

/** Joins the lines of a folded scalar: breaks between lines become spaces, except around lines with more indentation. */
function folded(lines: readonly string[]): string {
  let value = "";
  let break_ = "";
  let wasFurtherIn = false;
  for (const line of lines) {
    if (line === "") {
      if (break_ === "\n") value += "\n";
      else break_ = "\n";
      continue;
    }
    const isFurtherIn = line.charCodeAt(0) === space;
    if (isFurtherIn && break_ === " ") break_ = "\n";
    else if (isFurtherIn && break_ === "\n" && !wasFurtherIn) break_ = "\n\n";
    value += break_ + line;
    break_ = isFurtherIn ? "\n" : " ";
    wasFurtherIn = isFurtherIn;
  }
  return value;
}
