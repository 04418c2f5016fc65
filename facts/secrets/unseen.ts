import { spend } from "../meter.ts";
import type { EncodedPiece } from "./encodings.ts";
import { LeftOut } from "./left-out.ts";

/** UTF-16 units scanned on each side of invisible characters: the longest bounded match. Nearer ones form one piece. */
const surroundings = 1_300;

/** Units of work for one run of invisible characters. */
const runUnits = 12;

/** Invisible characters that do not separate words; `pairs` begins the others. */
const characters =
  "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb";

/** High surrogates of tags and variation selectors: U+E0000 to U+E0FFF. */
const pairs = "\udb40-\udb43";

/** A single class of characters beyond Latin-1, so that the regex engine need not search a Latin-1 text. */
let farCharacter: RegExp | undefined;

/** Returns the offset of the next possibly invisible character beyond Latin-1; infinity if there is none. */
function farFrom(text: string, at: number): number {
  farCharacter ??= new RegExp(`[${characters}${pairs}]`, "g");
  farCharacter.lastIndex = at;
  return farCharacter.test(text) ? farCharacter.lastIndex - 1 : Number.POSITIVE_INFINITY;
}

const softHyphen = "\u00ad";
const escape = "\u001b";

/** Longest parameters of a terminal sequence, and longest address of a terminal link, in UTF-16 units. */
const parameters = 40;
const address = 2_048;

/** 1 at the code of each invisible character; built when a text first has one. */
let unseenCodes: Uint8Array | undefined;

function isCharacter(code: number): boolean {
  unseenCodes ??= codesOf(characters);
  return unseenCodes[code] === 1;
}

function codesOf(ranges: string): Uint8Array {
  const codes = new Uint8Array(0x10000);
  for (const [, low = "", high = low] of ranges.matchAll(/(.)(?:-(.))?/gs))
    codes.fill(1, low.charCodeAt(0), high.charCodeAt(0) + 1);
  codes[0xad] = 1;
  return codes;
}

/** True if a text may hold invisible characters or terminal sequences. Cheap for a text without any. */
function mayBeUnseen(text: string): boolean {
  return text.includes(escape) || text.includes(softHyphen) || farFrom(text, 0) !== Number.POSITIVE_INFINITY;
}

/** Adds to `found` the offset of each invisible run that splits a word. */
export function unseenPlaces(text: string, found: number[]): void {
  if (!mayBeUnseen(text)) return;
  const runs = new Runs(text);
  for (let run = runs.next(0); run; run = runs.next(run.end)) {
    spend(runUnits);
    if (partsWords(text, run)) found.push(run.start);
  }
}

/**
 * Returns parts of a text as a reader sees them: without the colours of a program's matches and without invisible characters, so
 * that a secret split by them is whole. Invisible characters beside non-ASCII ones stay, as in emoji and joining scripts. Linear.
 * Source: threats sections 5.3 and 6.
 */
export function seenPieces(text: string): EncodedPiece[] {
  if (!mayBeUnseen(text)) return [];
  const pieces: EncodedPiece[] = [];
  const runs = new Runs(text);
  let piece: LeftOut | undefined;
  const ended = (one: LeftOut): EncodedPiece => one.finish(Math.min(text.length, one.last + surroundings));
  for (let run = runs.next(0); run; run = runs.next(run.end)) {
    spend(runUnits);
    if (!partsWords(text, run)) continue;
    if (piece && run.start - piece.last > surroundings) {
      pieces.push(ended(piece));
      piece = undefined;
    }
    piece ??= new LeftOut(text, Math.max(0, run.start - surroundings));
    piece.leaveOut(run.start, run.end);
  }
  if (piece) pieces.push(ended(piece));
  return pieces;
}

/** A run of adjacent invisible characters and terminal sequences. */
interface Run {
  readonly start: number;
  readonly end: number;
}

/** True for a run between ASCII characters, at least one of them visible, because secrets consist of visible ASCII. */
function partsWords(text: string, { start, end }: Run): boolean {
  const before = start > 0 ? text.charCodeAt(start - 1) : 32;
  const after = end < text.length ? text.charCodeAt(end) : 32;
  return before < 127 && after < 127 && (before > 32 || after > 32);
}

/** Iterator over the runs of a text, from left to right. Each kind of first character is searched for once. */
class Runs {
  readonly #text: string;
  /** Next offset of each kind; infinity if there are no more. */
  #escape: number;
  #hyphen: number;
  #character: number;

  constructor(text: string) {
    this.#text = text;
    this.#escape = this.#next(escape, 0);
    this.#hyphen = this.#next(softHyphen, 0);
    this.#character = farFrom(text, 0);
  }

  next(from: number): Run | undefined {
    const text = this.#text;
    for (let at = from; ; at++) {
      if (this.#escape < at) this.#escape = this.#next(escape, at);
      if (this.#hyphen < at) this.#hyphen = this.#next(softHyphen, at);
      if (this.#character < at) this.#character = isCharacter(text.charCodeAt(at)) ? at : farFrom(text, at);
      at = Math.min(this.#escape, this.#hyphen, this.#character);
      if (at === Number.POSITIVE_INFINITY) return undefined;
      const end = runEnd(text, at);
      if (end > at) return { start: at, end };
    }
  }

  #next(character: string, from: number): number {
    const at = this.#text.indexOf(character, from);
    return at < 0 ? Number.POSITIVE_INFINITY : at;
  }
}

function runEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const end = code === 0x1b ? sequenceEnd(text, at) : at + unseenLength(text, at, code);
    if (end === at) break;
    at = end;
  }
  return at;
}

function unseenLength(text: string, at: number, code: number): number {
  if (isCharacter(code)) return 1;
  if (code < 0xdb40 || code > 0xdb43) return 0;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 0;
}

/**
 * Returns the end of a sequence that changes a colour, erases the rest of a line or makes a link. For any other sequence it
 * returns the start: those move the cursor, so they separate words.
 */
function sequenceEnd(text: string, start: number): number {
  const kind = text.charCodeAt(start + 1);
  if (kind === 0x5b) {
    let at = start + 2;
    for (; at < start + parameters; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x30 || code > 0x3b) break;
    }
    const last = text.charCodeAt(at);
    return last === 0x6d || last === 0x4b ? at + 1 : start;
  }
  if (!text.startsWith("]8;", start + 1)) return start;
  for (let at = start + 4; at < start + address && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x07) return at + 1;
    if (code === 0x1b) return text[at + 1] === "\\" ? at + 2 : start;
    if (code === 0x0a) return start;
  }
  return start;
}
