import type { Code } from "../../diagnostics/codes.ts";
import type { Span } from "../../diagnostics/source.ts";

/** Fault of a literal; `span` counts from the literal's first character. */
export interface LiteralFault {
  readonly code: Code;
  readonly span: Span;
  readonly message: string;
  readonly help: string;
}

/** A number within the range of its CEL type; integers are safe in a JavaScript number. */
export type NumberLiteral = { readonly type: "int" | "double"; readonly value: number };

const largestSafe = BigInt(Number.MAX_SAFE_INTEGER);
const largestInt64 = 2n ** 63n;
/** Digits of the longest int64 in decimal. A longer one is out of range without being computed. */
const longestInteger = 19;

/** Reads a number in CEL's spelling; returns a fault if it is malformed or out of range. `negative` is true after a minus. */
export function readNumber(text: string, negative: boolean): NumberLiteral | LiteralFault {
  const span = { start: 0, end: text.length };
  if (/^(?:[0-9]+|0x[0-9a-fA-F]+)$/.test(text)) return readInteger(text, span, negative);
  if (/^(?:[0-9]+|0x[0-9a-fA-F]+)[uU]$/.test(text)) {
    const plain = text.slice(0, -1);
    return {
      code: "HW204",
      span,
      message: "unsigned integers are not in the CEL subset",
      help: `write \`${cut(plain)}\``,
    };
  }
  if (/^(?:[0-9]+\.[0-9]+|[0-9]+(?=[eE])|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return { type: "double", value: negative ? -value : value };
    return {
      code: "HW202",
      span,
      message: `\`${cut(text)}\` is beyond a double`,
      help: "the largest double is about 1.8e308",
    };
  }
  return { code: "HW202", span, message: `\`${cut(text)}\` is not a number`, help: numberHelp(text) };
}

function readInteger(text: string, span: Span, negative: boolean): NumberLiteral | LiteralFault {
  const digits = text.replace(/^(?:0x)?0*(?=.)/, "");
  const size =
    digits.length > longestInteger ? largestInt64 + 1n : BigInt(text.startsWith("0x") ? `0x${digits}` : digits);
  if (size <= largestSafe) return { type: "int", value: negative && size > 0n ? -Number(size) : Number(size) };
  const help = "the largest integer is 9007199254740991; write a double (`1e18`), or compare as text";
  if (size > largestInt64 || (size === largestInt64 && !negative)) {
    return { code: "HW202", span, message: `\`${cut(text)}\` is beyond a 64-bit integer`, help };
  }
  return { code: "HW204", span, message: "integers beyond 2^53 are not in the CEL subset", help };
}

function numberHelp(text: string): string {
  const joined = text.replaceAll("_", "");
  if (joined !== text && /^[0-9]+$/.test(joined)) return `write \`${cut(joined)}\``;
  if (/^0[bBoO]/.test(text)) return "write it in decimal, or in hexadecimal with `0x`";
  if (text.startsWith("0X")) return `write \`0x${cut(text.slice(2))}\``;
  if (/^[0-9]+(?:ms|s|m|h|d)$/.test(text)) return `write a duration as \`duration("${cut(text)}")\``;
  if (/^[0-9]+(?:kb|mb|gb|k|m|g)$/i.test(text)) return "write the whole number, without a unit";
  return "write an integer (`10`, `0x1f`) or a double (`1.5`, `2e9`); names begin with a letter";
}

/** A decoded string, with every fault found in its escapes. */
export interface StringLiteral {
  readonly value: string;
  readonly faults: readonly LiteralFault[];
}

/** Decodes a literal with its quotes and prefix; a `raw` one has no escapes. */
export function readString(text: string, raw: boolean): StringLiteral {
  const from = raw ? 1 : 0;
  const quote = text.slice(from, from + 3);
  const width = quote.length === 3 && quote === quote.charAt(0).repeat(3) ? 3 : 1;
  const start = from + width;
  const end = text.length - width;
  if (raw) return { value: text.slice(start, end), faults: [] };
  return decodeEscapes(text, start, end);
}

function decodeEscapes(text: string, start: number, end: number): StringLiteral {
  const faults: LiteralFault[] = [];
  const parts: string[] = [];
  let at = start;
  for (let slash = text.indexOf("\\", at); slash >= 0 && slash < end; slash = text.indexOf("\\", at)) {
    parts.push(text.slice(at, slash));
    const decoded = readEscape(text, slash, end);
    if ("code" in decoded) {
      faults.push(decoded);
      at = decoded.span.end;
    } else {
      parts.push(decoded.value);
      at = slash + decoded.length;
    }
  }
  parts.push(text.slice(at, Math.max(at, end)));
  return { value: parts.join(""), faults };
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

/** Digits after the letter of a numeric escape. */
const escapeWidths: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["X", 2],
  ["u", 4],
  ["U", 8],
]);

function readEscape(text: string, slash: number, end: number): { value: string; length: number } | LiteralFault {
  const letter = text.charAt(slash + 1);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, length: 2 };
  if (/[0-3]/.test(letter)) {
    const octal = /^[0-7]{3}/.exec(text.slice(slash + 1, Math.min(slash + 4, end)));
    if (octal) return { value: String.fromCodePoint(Number.parseInt(octal[0], 8)), length: 4 };
    return escapeFault(text, slash, end, "an octal escape has three digits, `\\000` to `\\377`");
  }
  const width = escapeWidths.get(letter);
  if (width === undefined) {
    return escapeFault(text, slash, end, 'write `\\\\` for a backslash, or a raw string: `r"…"`');
  }
  const digits = /^[0-9a-fA-F]*/.exec(text.slice(slash + 2, Math.min(slash + 2 + width, end)))?.[0] ?? "";
  if (digits.length < width)
    return escapeFault(text, slash, end, `\`\\${letter}\` takes ${width} hexadecimal digits`, digits.length);
  const point = Number.parseInt(digits, 16);
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    return escapeFault(text, slash, end, "write a Unicode code point, not a surrogate, at most `\\U0010FFFF`", width);
  }
  return { value: String.fromCodePoint(point), length: 2 + width };
}

function escapeFault(text: string, slash: number, end: number, help: string, digits = 0): LiteralFault {
  const width = (text.codePointAt(slash + 1) ?? 0) > 0xffff ? 2 : 1;
  const span = { start: slash, end: Math.min(slash + 1 + width + digits, end) };
  return { code: "HW202", span, message: "unknown escape in a string", help };
}

const shown = 40;

function cut(text: string): string {
  return text.length > shown ? `${text.slice(0, shown)}…` : text;
}
