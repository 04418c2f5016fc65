import { spend } from "../meter.ts";
import type { EncodedPiece } from "./encodings.ts";

/** Text round an escape that is decoded with it; escapes nearer to each other than this are decoded together. */
const surroundings = 400;

/**
 * Returns parts of a text in which percent signs or backslashes encode ASCII characters (`%3D`, `\u003d`, `\x3d`, `\n`, `\"`),
 * decoded once, with the text round them. Other escapes stay as they are. Source: threats section 5.3.
 */
export function escapedPieces(text: string): EncodedPiece[] {
  const pieces: EncodedPiece[] = [];
  const next = new Starts(text);
  let builder: Piece | undefined;
  for (let at = next.from(0); at >= 0; ) {
    spend(1);
    const escape = readEscape(text, at);
    if (escape < 0) {
      at = next.from(at + 1);
      continue;
    }
    const end = at + (escape >> 7);
    if (builder && at - builder.last > surroundings) {
      pieces.push(builder.finish());
      builder = undefined;
    }
    builder ??= new Piece(text, at);
    builder.add(at, end, escape & 127);
    at = next.from(end);
  }
  if (builder) pieces.push(builder.finish());
  return pieces;
}

/** Places of percent signs and backslashes, from left to right, each found by one search. */
class Starts {
  readonly #text: string;
  #percent: number;
  #backslash: number;

  constructor(text: string) {
    this.#text = text;
    this.#percent = text.indexOf("%");
    this.#backslash = text.indexOf("\\");
  }

  from(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === 37 || code === 92) return at;
    if (this.#percent >= 0 && this.#percent < at) this.#percent = this.#text.indexOf("%", at);
    if (this.#backslash >= 0 && this.#backslash < at) this.#backslash = this.#text.indexOf("\\", at);
    if (this.#percent < 0 || this.#backslash < 0) return Math.max(this.#percent, this.#backslash);
    return Math.min(this.#percent, this.#backslash);
  }
}

const simple = new Int8Array(128).fill(-1);
for (const [letter, character] of ["n\n", "r\r", "t\t", '""', "''", "//", "\\\\"]) {
  simple[(letter as string).charCodeAt(0)] = (character as string).charCodeAt(0);
}

/** Returns the escape at a place as its length times 128 plus the code of its character; -1 if there is none. */
function readEscape(text: string, at: number): number {
  if (text.charCodeAt(at) === 37) return coded(text, at + 1, 2, 3);
  const kind = text.charCodeAt(at + 1);
  if (kind === 117) return text[at + 2] === "{" ? braced(text, at + 3) : coded(text, at + 2, 4, 6);
  if (kind === 120) return coded(text, at + 2, 2, 4);
  const code = kind < 128 ? (simple[kind] as number) : -1;
  return code < 0 ? -1 : 256 + code;
}

function coded(text: string, at: number, digits: number, length: number): number {
  let code = 0;
  for (let i = at; i < at + digits; i++) {
    const value = digit(text.charCodeAt(i));
    if (value < 0) return -1;
    code = code * 16 + value;
  }
  return code < 128 ? length * 128 + code : -1;
}

function braced(text: string, at: number): number {
  const close = text.slice(at, at + 7).indexOf("}");
  return close < 1 ? -1 : coded(text, at, close, close + 4);
}

function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Numbers of an escape in a piece: where it starts and ends, its character, its place in the decoded text. */
const perEscape = 4;

/** One piece while it grows. */
class Piece {
  /** End of the last escape. */
  last: number;
  readonly #text: string;
  readonly #start: number;
  #escapes = new Int32Array(64 * perEscape);
  /** Numbers in `#escapes` that are in use. */
  #used = 0;
  #length = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#start = Math.max(0, at - surroundings);
    this.last = this.#start;
  }

  add(start: number, end: number, code: number): void {
    if (this.#used === this.#escapes.length) {
      const larger = new Int32Array(this.#used * 2);
      larger.set(this.#escapes);
      this.#escapes = larger;
    }
    const at = this.#used;
    this.#length += start - this.last + 1;
    this.#escapes[at] = start;
    this.#escapes[at + 1] = end;
    this.#escapes[at + 2] = code;
    this.#escapes[at + 3] = this.#length - 1;
    this.#used = at + perEscape;
    this.last = end;
  }

  finish(): EncodedPiece {
    const end = Math.min(this.#text.length, this.last + surroundings);
    return {
      text: this.#decoded(end),
      end,
      cutStart: this.#start > 0,
      cutEnd: end < this.#text.length,
      span: (from, to) => [this.#source(from, false), this.#source(to - 1, true)],
    };
  }

  #decoded(end: number): string {
    const text = this.#text;
    const escapes = this.#escapes;
    const units = new Uint16Array(this.#length + end - this.last);
    let at = this.#start;
    let length = 0;
    for (let i = 0; i < this.#used; i += perEscape) {
      for (const stop = escapes[i] as number; at < stop; at++) units[length++] = text.charCodeAt(at);
      units[length++] = escapes[i + 2] as number;
      at = escapes[i + 1] as number;
    }
    for (; at < end; at++) units[length++] = text.charCodeAt(at);
    return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
  }

  /** Returns the source offset of the character at a decoded offset, or its end. */
  #source(place: number, ending: boolean): number {
    let low = 0;
    let high = this.#used / perEscape;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#escapes[middle * perEscape + 3] as number) <= place) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return this.#start + place + (ending ? 1 : 0);
    const before = (low - 1) * perEscape;
    const end = this.#escapes[before + 1] as number;
    const distance = place - (this.#escapes[before + 3] as number);
    if (distance === 0) return ending ? end : (this.#escapes[before] as number);
    return end + distance - (ending ? 0 : 1);
  }
}
