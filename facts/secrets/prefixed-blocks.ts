import { spend } from "../meter.ts";
import type { EncodedPiece } from "./encodings.ts";
import { LeftOut } from "./left-out.ts";
import type { Line } from "./lines.ts";
import { hasMarks, isBare, isDecorated, isLetter, isOver, numberBefore, readLine, shapeOf } from "./lines.ts";

/** First line of an armoured key, and the line before the secret part of a PuTTY key. */
const heads = /^(?:-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d{1,4})/;
const endMark = "-----END";
/** Separators of lines, also where the lines are texts of a list. */
const breaks = /\n|",[ ]{0,4}"/;
/** Longest first or last line of a key, in characters; longer lines are not searched. */
const markLength = 120;
const markPlace = 400;

/** Lines between the first line and the key: so many headers, so many in all. */
const mostHeaders = 6;
const mostBetween = 16;
/** Characters of the key's first line and of others at least, and how many shorter lines stand before the last line. */
const firstRun = 24;
const laterRun = 16;
const mostShort = 2;
/** Units of work for a head. */
const headUnits = 16;

/**
 * Returns keys of several lines without what stands before and behind each line: its number, the name of its file, an author and a
 * date, a mark of a diff, a frame. `starts` are the offsets of first lines, ascending. A key with its last line may have anything
 * there. In one that is cut off, the lines must be of one listing: what stands before them is alike, or their numbers follow each
 * other. Linear, since only a few lines are read for two keys: headers and short ones.
 */
export function prefixedBlocks(text: string, starts: readonly number[]): EncodedPiece[] {
  const pieces: EncodedPiece[] = [];
  let done = 0;
  for (const start of starts) {
    if (start < done) continue;
    spend(headUnits);
    const block = new Block(text, start);
    const piece = block.read();
    done = block.done;
    if (piece) pieces.push(piece);
  }
  return pieces;
}

/** One key while it is read. */
class Block {
  /** End of what was read of the key. */
  done: number;
  readonly #text: string;
  readonly #start: number;
  /** End of the mark on the first line, and that line's start. */
  #markEnd = 0;
  #from = 0;
  /** Lines of the key, and how many of them are surely of one listing. */
  readonly #lines: Line[] = [];
  #alike = 0;
  #isAlike = true;
  #lineBreak = "\n";
  /** Line number before the last line that had one, and lines read since. */
  #number = -1;
  #distance = 0;
  /** The mark on the last line, where the key has one. */
  #close: readonly [start: number, end: number] | undefined;
  /** True if something other than blanks stands beside a line. */
  #isMarked = false;
  /** True if more of the key may follow behind the text. */
  #isOpen = false;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.done = start + 1;
  }

  read(): EncodedPiece | undefined {
    const text = this.#text;
    const mark = heads.exec(text.slice(this.#start, this.#start + markLength));
    if (!mark) return undefined;
    this.#markEnd = this.#start + mark[0].length;
    const rest = text.slice(this.#markEnd, this.#markEnd + markLength);
    const found = breaks.exec(rest);
    const stop = this.#markEnd + (found?.index ?? 0);
    if (!found || !isOver(text, this.#markEnd, stop)) return undefined;
    this.#lineBreak = found[0];
    const floor = Math.max(0, this.#start - markPlace);
    this.#from = floor + text.slice(floor, this.#start).lastIndexOf(this.#lineBreak.slice(-1)) + 1;
    this.#isMarked = hasMarks(text, this.#from, this.#start) || hasMarks(text, this.#markEnd, stop);
    this.#number = numberBefore(text, this.#from, this.#start);
    const first = this.#firstLine(stop + this.#lineBreak.length);
    if (first) this.#readLines(first);
    return this.#piece(stop);
  }

  /** Passes over the headers; returns the first line of the key itself. */
  #firstLine(from: number): Line | undefined {
    const text = this.#text;
    const shape = shapeOf(text, this.#from, this.#start);
    let at = from;
    for (let count = 0, headers = 0; count < mostBetween && at < text.length; count++) {
      const line = this.#line(at);
      at = line.stop + this.#lineBreak.length;
      this.#distance += 1;
      const isLong = line.end - line.start >= firstRun;
      const isNext = isLong && (shape.startsWith(shapeOf(text, line.from, line.start)) || this.#isNumbered(line));
      if (isNext) return line;
      const isEmpty =
        isBare(text, line) ||
        shapeOf(text, line.from, line.stop) === shape ||
        this.#isNumbered({ ...line, start: line.stop });
      if (!isEmpty && isHeader(text, line)) headers += 1;
      else if (!isEmpty && isLong && line.stop < text.length) {
        this.#isAlike = false;
        return line;
      } else if (!isEmpty) {
        this.#isOpen = line.stop >= text.length;
        return undefined;
      }
      if (headers > mostHeaders) return undefined;
      this.#isMarked ||= hasMarks(text, line.from, line.stop);
    }
    this.#isOpen = at >= text.length;
    return undefined;
  }

  /** Reads the lines of the key up to its last one, or as far as they look like lines of a key. */
  #readLines(first: Line): void {
    const text = this.#text;
    const shape = shapeOf(text, first.from, first.start);
    let empty = 0;
    let short = 0;
    for (let line = first; ; line = this.#line(line.stop + this.#lineBreak.length), this.#distance += 1) {
      const length = line.end - line.start;
      if (length < laterRun && hasDashes(text, line)) {
        this.#close = closeOf(text, line);
        return;
      }
      if (length >= laterRun || (length > 0 && !isBare(text, line))) {
        empty = 0;
        short = length >= laterRun ? 0 : short + 1;
        if (short > mostShort) return;
        this.#add(line, line === first || shapeOf(text, line.from, line.start) === shape);
      } else if (++empty > mostShort || !isBare(text, line)) return;
      if (line.stop + this.#lineBreak.length >= text.length) {
        this.#isOpen = true;
        return;
      }
    }
  }

  /** Reads the line that begins at an offset. */
  #line(from: number): Line {
    return readLine(this.#text, from, this.#lineBreak);
  }

  #add(line: Line, isShaped: boolean): void {
    const isNumbered = this.#isNumbered(line);
    this.#isAlike &&= line.end - line.start >= laterRun && (isShaped || isNumbered);
    this.#isMarked ||= isDecorated(this.#text, line);
    this.#lines.push(line);
    if (this.#isAlike) this.#alike = this.#lines.length;
  }

  /** True if a line's number follows the number of the last line that had one. */
  #isNumbered(line: Line): boolean {
    const number = numberBefore(this.#text, line.from, line.start);
    const more = number - this.#number;
    if (number < 0 || this.#number < 0 || more <= 0 || more > this.#distance) return false;
    this.#number = number;
    this.#distance = 0;
    return true;
  }

  /** Returns the key without what stands beside its lines; undefined if nothing does, or if there is no key. */
  #piece(headStop: number): EncodedPiece | undefined {
    const count = this.#close ? this.#lines.length : this.#alike;
    const hasPart = count > 0 || this.#isOpen;
    if (!this.#isMarked || !hasPart) return undefined;
    const piece = new LeftOut(this.#text, this.#start);
    let end = this.#markEnd;
    let stop = headStop;
    const keep = (start: number, next: number): void => {
      if (end < stop) piece.leaveOut(end, stop);
      if (stop + 1 < start) piece.leaveOut(stop + 1, start);
      end = next;
    };
    for (const line of this.#lines.slice(0, count)) {
      keep(line.start, line.end);
      stop = line.stop;
    }
    if (this.#close) keep(...this.#close);
    this.done = end;
    return { ...piece.finish(end), end: this.#isOpen ? this.#text.length : end, cutStart: false, cutEnd: false };
  }
}

/** True for a line of a name, a colon, a blank and a value. */
function isHeader(text: string, line: Line): boolean {
  const part = text.slice(line.from, Math.min(line.stop, line.from + markPlace));
  if (part.includes("-----")) return false;
  for (let at = part.indexOf(": "); at >= 0; at = part.indexOf(": ", at + 1))
    if (isLetter(part.charCodeAt(at - 1))) return true;
  return false;
}

/** True for a line that may be the first or the last of a key. */
function hasDashes(text: string, { from, stop }: Line): boolean {
  return text.slice(from, Math.min(stop, from + markPlace)).includes("-----");
}

/** Returns where the mark on the last line of a key starts and ends. */
function closeOf(text: string, { from, stop }: Line): readonly [start: number, end: number] | undefined {
  const part = text.slice(from, Math.min(stop, from + markPlace));
  const start = part.indexOf(endMark);
  const end = start < 0 ? -1 : part.indexOf("-----", start + endMark.length);
  return end < 0 ? undefined : [from + start, from + end + 5];
}
