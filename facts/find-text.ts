import { spend } from "./meter.ts";

/**
 * Searches for one text in another, in time that is linear in both.
 *
 * Native code looks for a text in the product of both lengths at worst, nothing interrupts it, and an agent chooses both: two
 * texts of 16 KB took a tenth of a second, and a command searches thousands of times. So native code searches only for the
 * beginning of a longer text. If that occurs too often without a match, the rest is read unit by unit (Knuth, Morris, Pratt).
 */

/** UTF-16 units that native code looks for at once; the place of each costs at most so many comparisons. */
const headLength = 16;

/** Units that may be compared for nothing, for each unit of the text. */
const patience = 4;

/** A repeated search for one text in another. */
class Search {
  readonly #text: string;
  readonly #part: string;
  readonly #head: string;
  #patience: number;
  #table: Int32Array | undefined;

  constructor(text: string, part: string) {
    this.#text = text;
    this.#part = part;
    this.#head = part.slice(0, headLength);
    this.#patience = patience * text.length;
  }

  /** Returns the first match at or after an offset; -1 if there is none. */
  next(from: number): number {
    const [text, part] = [this.#text, this.#part];
    if (part.length <= headLength) return text.indexOf(part, from);
    if (this.#table) return this.#read(from, text.length, false);
    for (let at = text.indexOf(this.#head, from); at >= 0; at = text.indexOf(this.#head, at + 1)) {
      if (text.length - at < part.length) return -1;
      if (text.startsWith(part, at)) return at;
      this.#patience -= part.length;
      if (this.#patience < 0) return this.#read(at + 1, text.length, false);
    }
    return -1;
  }

  /** Returns the last match at or before an offset; -1 if there is none. */
  last(from: number): number {
    const [text, part] = [this.#text, this.#part];
    const start = Math.min(from, text.length - part.length);
    if (start < 0) return -1;
    if (part.length <= headLength) return text.lastIndexOf(part, start);
    for (let at = text.lastIndexOf(this.#head, start); at >= 0; at = text.lastIndexOf(this.#head, at - 1)) {
      if (text.startsWith(part, at)) return at;
      this.#patience -= part.length;
      if (this.#patience < 0) return this.#read(0, Math.max(0, at - 1) + part.length, true);
      if (at === 0) return -1;
    }
    return -1;
  }

  /** Reads each unit of a stretch once, up to the first place or to the last. */
  #read(from: number, to: number, isLast: boolean): number {
    const [text, part] = [this.#text, this.#part];
    spend((to - from) >> 4);
    this.#table ??= tableOf(part);
    const table = this.#table;
    let found = -1;
    let held = 0;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      while (held > 0 && part.charCodeAt(held) !== unit) held = table[held - 1] as number;
      if (part.charCodeAt(held) === unit) held += 1;
      if (held < part.length) continue;
      found = at + 1 - part.length;
      if (!isLast) return found;
      held = table[held - 1] as number;
    }
    return found;
  }
}

/** Returns for each unit the length of the text's beginning that also ends there (Knuth, Morris, Pratt). */
function tableOf(part: string): Int32Array {
  spend(part.length >> 4);
  const table = new Int32Array(part.length);
  let held = 0;
  for (let at = 1; at < part.length; at++) {
    const unit = part.charCodeAt(at);
    while (held > 0 && part.charCodeAt(held) !== unit) held = table[held - 1] as number;
    if (part.charCodeAt(held) === unit) held += 1;
    table[at] = held;
  }
  return table;
}

/** Returns the first offset of a text in another, at or after an offset; -1 if there is none. */
export function indexOfText(text: string, part: string, from = 0): number {
  return part.length <= headLength ? text.indexOf(part, from) : new Search(text, part).next(from);
}

/** Returns the last offset of a text in another, at or before an offset; -1 if there is none. */
export function lastIndexOfText(text: string, part: string, from = Number.POSITIVE_INFINITY): number {
  return new Search(text, part).last(Math.max(0, from));
}

/** True if a text contains another. */
export function hasText(text: string, part: string): boolean {
  return indexOfText(text, part) >= 0;
}

/** Splits a text at another, non-empty text; each piece is charged to the meter. */
export function piecesOfText(text: string, part: string): string[] {
  const pieces: string[] = [];
  const search = new Search(text, part);
  let from = 0;
  for (let at = search.next(0); at >= 0; at = search.next(from)) {
    spend(1);
    pieces.push(text.slice(from, at));
    from = at + part.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

/** Replaces every occurrence of a non-empty text in another; undefined if the result is longer than `longest`. */
export function replacedText(text: string, part: string, by: string, longest: number): string | undefined {
  const pieces = piecesOfText(text, part);
  const length = text.length + (pieces.length - 1) * (by.length - part.length);
  if (length > longest) return undefined;
  spend(length >> 5);
  return pieces.join(by);
}
