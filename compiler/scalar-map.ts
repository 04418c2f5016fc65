import type { Segment } from "../diagnostics/source.ts";
import type { ScalarStyle } from "./yaml-node.ts";

/**
 * Returns the segment map of one YAML scalar: which part of its raw text each part of its decoded text came from
 * (architecture, invariant 12). `raw` is the scalar as the file has it, quotes and block header included;
 * `base` is its offset there. If the walk does not account for the whole text, one segment covers everything.
 */
export function mapScalar(style: ScalarStyle, raw: string, decoded: string, base: number): Segment[] {
  const plain = plainly(style, raw, decoded, base);
  if (plain) return plain;
  const walk = new Walk(raw, decoded, base);
  const complete =
    style === "single" ? walkQuoted(walk, "'") : style === "double" ? walkQuoted(walk, '"') : walkUnquoted(walk, style);
  if (complete) return walk.segments;
  return [{ inner: { start: 0, end: decoded.length }, outer: { start: base, end: base + raw.length } }];
}

/** Returns the segments of a scalar on one line without escapes, as nearly all are, without a walk; undefined for any other. */
function plainly(style: ScalarStyle, raw: string, decoded: string, base: number): Segment[] | undefined {
  if (style === "literal" || style === "folded") return undefined;
  const quote = style === "single" ? "'" : style === "double" ? '"' : "";
  if (raw !== quote + decoded + quote || decoded.includes("\n")) return undefined;
  if (quote !== "" && decoded.includes(style === "double" ? "\\" : quote)) return undefined;
  const start = base + quote.length;
  const { length } = decoded;
  return length === 0 ? [] : [{ inner: { start: 0, end: length }, outer: { start, end: start + length } }];
}

/** A segment that grows. */
interface Run {
  readonly inner: { readonly start: number; end: number };
  readonly outer: { readonly start: number; end: number };
}

/** Two cursors, one in the raw text and one in the decoded text, and the segments found so far. */
class Walk {
  readonly raw: string;
  readonly decoded: string;
  readonly base: number;
  readonly segments: Run[] = [];
  at = 0;
  inner = 0;

  constructor(raw: string, decoded: string, base: number) {
    this.raw = raw;
    this.decoded = decoded;
    this.base = base;
  }

  /** Adds a segment of the given lengths and moves both cursors over it. Even runs are joined. */
  take(innerLength: number, rawLength: number): void {
    const start = this.base + this.at;
    const last = this.segments.at(-1);
    const joins =
      last &&
      innerLength === rawLength &&
      last.inner.end - last.inner.start === last.outer.end - last.outer.start &&
      last.outer.end === start;
    if (joins) {
      last.inner.end += innerLength;
      last.outer.end += rawLength;
    } else if (innerLength > 0)
      this.segments.push({
        inner: { start: this.inner, end: this.inner + innerLength },
        outer: { start, end: start + rawLength },
      });
    this.inner += innerLength;
    this.at += rawLength;
  }

  /** Takes white space around a line break: the raw run maps to the decoded run as a whole. */
  takeBreak(): boolean {
    const rawRun = runLength(this.raw, this.at, " \t\r\n");
    const innerRun = runLength(this.decoded, this.inner, " \t\n");
    if (rawRun === 0) return false;
    this.take(innerRun, rawRun);
    return true;
  }
}

function walkUnquoted(walk: Walk, style: ScalarStyle): boolean {
  if (style !== "plain") {
    const body = walk.raw.indexOf("\n");
    walk.at = body < 0 ? walk.raw.length : body + 1;
    // Indentation of the first line belongs to the file, not to the text, unless the text starts with white space.
    walk.at += runLength(walk.raw, walk.at, " \t\r\n") - runLength(walk.decoded, 0, " \t\n");
    if (walk.at < 0) return false;
  }
  while (walk.inner < walk.decoded.length) {
    const c = walk.raw[walk.at];
    if (c === walk.decoded[walk.inner] && c !== "\n") walk.take(1, 1);
    else if (!walk.takeBreak()) return endsInLineBreaks(walk);
  }
  return true;
}

/**
 * Takes the rest if it is only line breaks; false otherwise. At the end of a file, a kept or clipped final line break may have no
 * raw text.
 */
function endsInLineBreaks(walk: Walk): boolean {
  const rest = walk.decoded.length - walk.inner;
  if (walk.at < walk.raw.length || runLength(walk.decoded, walk.inner, "\n") !== rest) return false;
  walk.take(rest, 0);
  return true;
}

function walkQuoted(walk: Walk, quote: "'" | '"'): boolean {
  walk.at = 1;
  const end = walk.raw.length - 1;
  while (walk.inner < walk.decoded.length || walk.at < end) {
    const c = walk.raw[walk.at];
    if (walk.at >= end) return false;
    if (quote === "'" && c === "'") walk.take(1, 2);
    else if (quote === '"' && c === "\\") takeEscape(walk);
    else if (breaksHere(walk)) walk.takeBreak();
    else if (c === walk.decoded[walk.inner]) walk.take(1, 1);
    else return false;
  }
  return walk.inner === walk.decoded.length;
}

/** True at white space that holds a line break: it folds. */
function breaksHere(walk: Walk): boolean {
  const run = runLength(walk.raw, walk.at, " \t\r\n");
  return walk.raw.slice(walk.at, walk.at + run).includes("\n");
}

const escapeDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function takeEscape(walk: Walk): void {
  const kind = walk.raw[walk.at + 1] ?? "";
  if (kind === "\n" || kind === "\r") {
    walk.take(0, 1 + runLength(walk.raw, walk.at + 1, " \t\r\n"));
    return;
  }
  const digits = escapeDigits[kind] ?? 0;
  const code = digits > 0 ? Number.parseInt(walk.raw.slice(walk.at + 2, walk.at + 2 + digits), 16) : 0;
  walk.take(code > 0xffff ? 2 : 1, 2 + digits);
}

function runLength(text: string, from: number, characters: string): number {
  let at = from;
  while (at < text.length && characters.includes(text[at] as string)) at++;
  return at - from;
}
