import type { Detector } from "./detector.ts";
import type { Extent } from "./pattern-extent.ts";
import { isTokenCode } from "./pattern-extent.ts";

/** Furthest that the head of an armoured key reaches: its first line, six header lines and the text between. */
const blockHead = 2_400;
const blockStart = "-----BEGIN";
/** Rows that are looked through one by one. */
const few = 12;

/**
 * The parts of one text in which patterns must run: round every keyword as far as a match with it can reach. Everything
 * is remembered from keyword to keyword, so that each character is looked at a bounded number of times for each row.
 */
export class Windows {
  readonly #text: string;
  /** Starts and ends by row, sorted and apart from each other. */
  readonly #bounds: number[][] = [];
  readonly #rows: number[] = [];
  /** Starts and ends by row of keywords with a path behind them; see `addPath`. */
  readonly #paths = new Map<number, number[]>();
  /** Places in `#bounds` by row, once there are many; a few are found faster by looking through them. */
  #places: Map<number, number> | undefined;
  #runStart = 0;
  #runEnd = 0;
  #blockFrom = 0;
  #blockEnd = 0;
  readonly #names = { from: 0, end: 0 };
  #askedAt = -1;
  /** Offset of the assignment sign that was asked for last; -1 if there is none. */
  #sign = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Rows that have windows, in the order of the table. */
  get rows(): readonly number[] {
    return [...this.#rows].sort((a, b) => a - b);
  }

  /** Starts and ends of the windows of a row, alternating. */
  of(row: number): readonly number[] {
    return this.#bounds[this.#placeOf(row)] ?? [];
  }

  /** UTF-16 units of all windows together. */
  get size(): number {
    let size = 0;
    for (const bounds of this.#bounds) {
      for (let i = 0; i < bounds.length; i += 2) size += (bounds[i + 1] as number) - (bounds[i] as number);
    }
    return size;
  }

  /**
   * Notes a keyword of a row at `start` to `end`, followed by the required text (`isFollowed`); false if no match can surround
   * it. Keywords come from left to right.
   */
  add(row: number, detector: Detector, extent: Extent, start: number, end: number): boolean {
    if (detector.window === "block") return this.#addBlock(row, start);
    if (extent.solid) return this.#addRun(row, extent, start, end);
    this.#join(row, start - extent.max, end + extent.max);
    return true;
  }

  /**
   * Notes that a path follows a keyword of a row that never takes a path for a secret (`noPath`). That place needs no scan of its
   * own; but in a window that reaches it, the pattern's match there decides where it matches next.
   */
  addPath(row: number, start: number, end: number): void {
    const spans = this.#paths.get(row);
    if (spans) spans.push(start, end);
    else this.#paths.set(row, [start, end]);
  }

  /** Rows that have windows and paths, which the windows may reach. */
  get pathRows(): readonly number[] {
    return [...this.#paths.keys()].filter((row) => this.#placeOf(row) >= 0);
  }

  /** Lets the windows of a row take in those of its paths that they reach, once there are no more keywords. */
  reachPaths(row: number, { max }: Extent): void {
    const spans = this.#paths.get(row) ?? [];
    const bounds = this.#boundsOf(row);
    const all: { start: number; end: number; counts: boolean }[] = [];
    for (let i = 0; i < bounds.length; i += 2)
      all.push({ start: bounds[i] as number, end: bounds[i + 1] as number, counts: true });
    for (let i = 0; i < spans.length; i += 2)
      all.push({ start: (spans[i] as number) - max, end: (spans[i + 1] as number) + max, counts: false });
    all.sort((a, b) => a.start - b.start);
    const joined: typeof all = [];
    for (const next of all) {
      const last = joined.at(-1);
      if (!last || next.start > last.end + 2) joined.push(next);
      else {
        last.end = Math.max(last.end, next.end);
        last.counts ||= next.counts;
      }
    }
    bounds.length = 0;
    for (const { start, end, counts } of joined) if (counts) this.#join(row, start, end);
  }

  /** True if a value may be assigned to a name whose keyword ends at an offset. Several rows have one keyword. */
  isAssigned(end: number): boolean {
    if (this.#askedAt !== end) {
      this.#askedAt = end;
      this.#sign = assignmentBehind(this.#text, end, this.#names);
    }
    return this.#sign >= 0;
  }

  /** True if the text that a row requires behind its keywords may follow the one at `start` to `end`. */
  isFollowed(start: number, end: number, { follows }: Detector): boolean {
    if (follows === undefined) return true;
    if (follows === "assignment") return this.isAssigned(end);
    return follows === "userinfo" ? userinfoFollows(this.#text, end) : digitsFollow(this.#text, start);
  }

  /** True if a path is assigned to a name whose keyword ends at an offset. */
  isPathAssigned(end: number): boolean {
    return this.isAssigned(end) && isPathBehind(this.#text, this.#sign);
  }

  #addRun(row: number, { min, max }: Extent, start: number, end: number): boolean {
    if (start >= this.#runEnd || start < this.#runStart) this.#readRun(start);
    if (this.#runEnd - this.#runStart < min) return false;
    this.#join(row, Math.max(this.#runStart, start - max), Math.min(Math.max(this.#runEnd, end), end + max));
    return true;
  }

  /** The run of token characters round a place; begins where the last one ended at the earliest. */
  #readRun(at: number): void {
    const text = this.#text;
    let start = at;
    const floor = at >= this.#runEnd ? this.#runEnd : 0;
    while (start > floor && isTokenCode(text.charCodeAt(start - 1))) start -= 1;
    let end = at;
    while (end < text.length && isTokenCode(text.charCodeAt(end))) end += 1;
    this.#runStart = start;
    this.#runEnd = end;
  }

  #addBlock(row: number, keyword: number): boolean {
    const text = this.#text;
    const head = text.slice(Math.max(0, keyword - 80), keyword).indexOf(blockStart);
    const armoured = text.startsWith("PRIVATE KEY", keyword);
    if (armoured && head < 0) return false;
    const start = armoured ? Math.max(0, keyword - 80) + head : keyword;
    let end = Math.min(text.length, start + blockHead);
    if (end >= this.#blockFrom && end < this.#blockEnd) end = this.#blockEnd;
    else {
      this.#blockFrom = end;
      while (end < text.length && isBlockCode(text.charCodeAt(end))) end += 1;
      this.#blockEnd = end;
    }
    this.#join(row, start, end);
    return true;
  }

  #boundsOf(row: number): number[] {
    const place = this.#placeOf(row);
    if (place >= 0) return this.#bounds[place] as number[];
    const bounds: number[] = [];
    this.#bounds.push(bounds);
    this.#rows.push(row);
    if (this.#places) this.#places.set(row, this.#rows.length - 1);
    else if (this.#rows.length > few) this.#places = new Map(this.#rows.map((one, index) => [one, index]));
    return bounds;
  }

  #placeOf(row: number): number {
    return this.#places ? (this.#places.get(row) ?? -1) : this.#rows.indexOf(row);
  }

  #join(row: number, from: number, to: number): void {
    let start = Math.max(0, from);
    let end = Math.min(this.#text.length, to);
    const bounds = this.#boundsOf(row);
    const last = bounds.length - 1;
    if (last > 0 && start >= (bounds[last - 1] as number) && start <= (bounds[last] as number) + 2) {
      if (end > (bounds[last] as number)) bounds[last] = end;
      return;
    }
    while (bounds.length > 0 && start <= (bounds[bounds.length - 1] as number) + 2) {
      end = Math.max(end, bounds.pop() as number);
      start = Math.min(start, bounds.pop() as number);
    }
    bounds.push(start, end);
  }
}

const blockCodes = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\\"',|>#*-_: \t\n\r\f") {
  blockCodes[c.charCodeAt(0)] = 1;
}

function isBlockCode(code: number): boolean {
  return code < 128 && blockCodes[code] === 1;
}

/**
 * Returns the place of `=` or `:` behind the rest of a name, its closing quote and spaces; -1 if there is none. `names`
 * remembers the end of the last name read, so that a name with many keywords is read once.
 */
function assignmentBehind(text: string, end: number, names: { from: number; end: number }): number {
  if (end < names.from || end > names.end) {
    names.from = end;
    names.end = skip(text, end, text.length, isNameCode);
  }
  if (names.end > end + nameRest) return -1;
  let at = names.end;
  at = skip(text, at, 3, (code) => code === 92 || code === 34 || code === 39 || code === 93);
  at = skip(text, at, 8, isSpaceCode);
  const code = text.charCodeAt(at);
  return code === 58 || code === 61 ? at : -1;
}

/**
 * True if the value behind an assignment sign begins like an absolute path, as behind `PWD` in every shell. The value begins
 * where `assigned` and `assign` (`detector.ts`) let it begin, so that there is no other way to read it.
 */
function isPathBehind(text: string, sign: number): boolean {
  let at = skip(text, sign + 1, 5, isSpaceCode);
  if (text.charCodeAt(at) === 92) at += 1;
  const code = text.charCodeAt(at);
  if (code === 34 || code === 39 || code === 96) at += 1;
  else if (text.charCodeAt(at - 1) === 92) return false;
  return text.charCodeAt(at) === 47;
}

/** True for a character that `\\s` matches in a pattern. */
function isSpaceCode(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13 && code !== 11);
}

/** Furthest that a name goes on behind its keyword. */
const nameRest = 60;

function isNameCode(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** A `@` before the authority of a URL ends. */
function userinfoFollows(text: string, end: number): boolean {
  const at = skip(
    text,
    end,
    700,
    (code) => !isSpaceCode(code) && code !== 47 && code !== 64 && code !== 34 && code !== 39,
  );
  return text.charCodeAt(at) === 64;
}

/** Thirteen digits or more, with single blanks or hyphens between. */
function digitsFollow(text: string, start: number): boolean {
  let digits = 0;
  let at = start;
  for (; at < text.length && at < start + 40 && digits < 13; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) digits += 1;
    else if (code !== 32 && code !== 45) break;
  }
  return digits >= 13;
}

function skip(text: string, from: number, most: number, wanted: (code: number) => boolean): number {
  const limit = Math.min(text.length, from + most);
  let at = from;
  while (at < limit && wanted(text.charCodeAt(at))) at += 1;
  return at;
}
