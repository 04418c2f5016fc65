import type { EncodedPiece } from "./encodings.ts";

/** Text round an escape that is decoded with it; escapes nearer to each other than this are decoded together. */
const surroundings = 400;

/**
 * Parts of a text in which percent signs or backslashes stand for ASCII characters (`%3D`, `\u003d`, `\x3d`, `\n`,
 * `\"`), decoded once, with the text round them. Other escapes stay as they are. Source: threats section 5.3.
 */
export function escapedPieces(text: string): EncodedPiece[] {
  const pieces: EncodedPiece[] = [];
  const next = new Starts(text);
  let builder: Piece | undefined;
  for (let at = next.from(0); at >= 0; ) {
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

/** The escape at a place as its length times 128 plus the code of its character; -1 if there is none. */
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

/** One piece while it grows. */
class Piece {
  /** End of the last escape. */
  last: number;
  readonly #text: string;
  readonly #start: number;
  /** Starts, ends and characters of the escapes, and their places in the decoded text. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #codes: number[] = [];
  readonly #places: number[] = [];
  #length = 0;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#start = Math.max(0, at - surroundings);
    this.last = this.#start;
  }

  add(start: number, end: number, code: number): void {
    this.#length += start - this.last + 1;
    this.#starts.push(start);
    this.#ends.push(end);
    this.#codes.push(code);
    this.#places.push(this.#length - 1);
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
    const units = new Uint16Array(this.#length + end - this.last);
    let at = this.#start;
    let length = 0;
    for (let i = 0; i < this.#starts.length; i++) {
      for (const stop = this.#starts[i] as number; at < stop; at++) units[length++] = text.charCodeAt(at);
      units[length++] = this.#codes[i] as number;
      at = this.#ends[i] as number;
    }
    for (; at < end; at++) units[length++] = text.charCodeAt(at);
    return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(units);
  }

  /** Where the character of a decoded offset stands, or where it ends. */
  #source(place: number, ending: boolean): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return this.#start + place + (ending ? 1 : 0);
    const before = low - 1;
    const end = this.#ends[before] as number;
    const distance = place - (this.#places[before] as number);
    if (distance === 0) return ending ? end : (this.#starts[before] as number);
    return end + distance - (ending ? 0 : 1);
  }
}
