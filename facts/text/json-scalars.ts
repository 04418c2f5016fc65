/** A scalar of a JSON text: offsets of a string's inside, or of a number. */
export interface Scalar {
  readonly kind: "key" | "string" | "number";
  readonly start: number;
  readonly end: number;
  /** Name of the field that holds it, as it is written, cut to 128 units; of a key none. */
  readonly key: string | undefined;
  /** Number of a key's object; -1 for values. */
  readonly scope: number;
}

const quote = 34;
const comma = 44;
const minus = 45;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Strings and numbers of a valid JSON text, in order. */
export function jsonScalars(text: string): Scalar[] {
  const found: Scalar[] = [];
  const open: number[] = [];
  let objects = 0;
  let name: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) {
      const start = at + 1;
      const end = closing(text, start);
      const isKey = text.charCodeAt(pastBlanks(text, end + 1)) === colon;
      const scope = isKey ? (open.at(-1) ?? -1) : -1;
      found.push({ kind: isKey ? "key" : "string", start, end, key: isKey ? undefined : name, scope });
      name = isKey ? text.slice(start, Math.min(end, start + 128)) : undefined;
      at = end;
    } else if (c === minus || isDigit(c)) {
      const end = numberEnd(text, at + 1);
      found.push({ kind: "number", start: at, end, key: name, scope: -1 });
      name = undefined;
      at = end - 1;
    } else if (c === openBrace) open.push(objects++);
    else if (c === openBracket) open.push(-1);
    else if (c === closeBrace || c === closeBracket) open.pop();
    if (c === openBrace || c === openBracket || c === comma) name = undefined;
  }
  return found;
}

/** Offset of the quote that ends a string. */
function closing(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === quote) break;
    if (c === backslash) at += 1;
  }
  return at;
}

/** Blanks as JSON has them. */
function pastBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[ \t\r\n]/.test(text[at] as string)) at += 1;
  return at;
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

function numberEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[-+.0-9eE]/.test(text[end] as string)) end += 1;
  return end;
}
