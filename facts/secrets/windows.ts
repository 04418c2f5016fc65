import type { Detector } from "./detector.ts";
import type { Extent } from "./pattern-extent.ts";
import { isTokenCode } from "./pattern-extent.ts";

/** Longest head of an armoured key, in UTF-16 units: its first line, six header lines and the text between. */
const blockHead = 2_400;
const blockStart = "-----BEGIN";
/** Most rows that are searched one by one. */
const few = 12;

/**
 * Parts of one text in which patterns must run: the surroundings of each keyword, as far as a match can reach. State is kept from
 * keyword to keyword, so each row reads each character a bounded number of times.
 */
export class Windows {
  readonly #text: string;
  /** Starts and ends of the windows of each row, sorted and without overlap. */
  readonly #bounds: number[][] = [];
  readonly #rows: number[] = [];
  /** Starts and ends, by row, of keywords that a path follows; see `addPath`. */
  readonly #paths = new Map<number, number[]>();
  /** Indexes in `#bounds` by row, once there are many rows; a few are found faster by a linear search. */
  #places: Map<number, number> | undefined;
  #runStart = 0;
  #runEnd = 0;
  #blockFrom = 0;
  #blockEnd = 0;
  readonly #heads: number[] = [];
  readonly #names = { from: 0, end: 0 };
  #askedAt = -1;
  /** Offset of the assignment sign after the keyword at `#askedAt`; -1 if there is none. */
  #sign = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Rows that have windows, in the order of the table. */
  get rows(): readonly number[] {
    return [...this.#rows].sort((a, b) => a - b);
  }

  /** Offsets of first lines of armoured keys, ascending; the same one may come again. */
  get heads(): readonly number[] {
    return this.#heads;
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
   * Adds the window of a row's keyword at `start` to `end` that passed `isFollowed`; false if no match can contain it. Keywords
   * must come from left to right.
   */
  add(row: number, detector: Detector, extent: Extent, start: number, end: number): boolean {
    if (detector.window === "block") return this.#addBlock(row, start);
    if (extent.solid) return this.#addRun(row, extent, start, end);
    this.#join(row, start - extent.max, end + extent.max);
    return true;
  }

  /**
   * Records a keyword that a path follows, for a row that never takes a path for a secret (`noPath`). The keyword needs no window
   * of its own. In a window that reaches it, a match there still decides where the pattern matches next.
   */
  addPath(row: number, start: number, end: number): void {
    const spans = this.#paths.get(row);
    if (spans) spans.push(start, end);
    else this.#paths.set(row, [start, end]);
  }

  /** Rows that have both windows and recorded paths. */
  get pathRows(): readonly number[] {
    return [...this.#paths.keys()].filter((row) => this.#placeOf(row) >= 0);
  }

  /** Extends the windows of a row over the recorded paths that they reach. To be called after the last keyword. */
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

  /** True if an assignment sign follows the name whose keyword ends at an offset. The last answer is kept, because rows share keywords. */
  isAssigned(end: number): boolean {
    if (this.#askedAt !== end) {
      this.#askedAt = end;
      this.#sign = assignmentBehind(this.#text, end, this.#names);
    }
    return this.#sign >= 0;
  }

  /** True if the text that a row requires after its keywords may follow the keyword at `start` to `end`. */
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

  /** Finds the run of token characters around an offset. After the last run, the search back ends at that run's end. */
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
    const floor = Math.max(0, keyword - 80);
    const before = text.slice(floor, keyword);
    const head = before.indexOf(blockStart);
    const armoured = text.startsWith("PRIVATE KEY", keyword);
    if (armoured && head < 0) return false;
    const start = armoured ? floor + head : keyword;
    this.#heads.push(armoured ? floor + before.lastIndexOf(blockStart) : keyword);
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
 * Returns the offset of the `=` or `:` after the rest of a name, its closing quote and spaces; -1 if there is none. `names` keeps
 * the end of the last name, so that a name with many keywords is read once.
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
 * True if the value after an assignment sign begins like an absolute path, as that of `PWD` does in every shell. The value begins
 * where `assigned` and `assign` (`detector.ts`) let it begin, so no pattern reads it differently.
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

/** Most characters of a name after its keyword. */
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

/** True if an `@` follows before the authority of a URL ends. */
function userinfoFollows(text: string, end: number): boolean {
  const at = skip(
    text,
    end,
    700,
    (code) => !isSpaceCode(code) && code !== 47 && code !== 64 && code !== 34 && code !== 39,
  );
  return text.charCodeAt(at) === 64;
}

/** True if at least 13 digits begin at `start`, within 40 characters and with only blanks or hyphens between them. */
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
