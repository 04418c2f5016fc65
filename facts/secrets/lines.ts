import { spend } from "../meter.ts";

/** Longest text before and behind what a line holds of a secret, in UTF-16 units: an author and a date, the rest of a frame. */
const before = 200;
const behind = 120;
/** Longest number of a line, in digits. */
const digits = 9;

/** A line of a text, with the run of base64 at its end; marks behind the run, such as a quote and a comma, are passed over. */
export interface Line {
  readonly from: number;
  /** The run; empty if there is none, or if the text before it is too long. */
  readonly start: number;
  readonly end: number;
  /** Offset of the line break, or the text's end. */
  readonly stop: number;
}

const isRun = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") isRun[c.charCodeAt(0)] = 1;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for a letter of ASCII. */
export function isLetter(code: number): boolean {
  const small = code | 32;
  return small >= 97 && small <= 122;
}

/** True for a character that words end with. */
function isWord(code: number): boolean {
  return isDigit(code) || isLetter(code);
}

/** Reads the line that begins at an offset; something short may stand in the place of line breaks. */
export function readLine(text: string, from: number, lineBreak = "\n"): Line {
  const found = text.indexOf(lineBreak, from);
  const stop = found < 0 ? text.length : found;
  spend(4 + ((stop - from) >> 3));
  let end = lastWord(text, from, stop);
  let start = end;
  while (start > from && isRun[text.charCodeAt(start - 1)] === 1) start -= 1;
  for (let pads = 0; pads < 2 && end < stop && start < end && text[end] === "="; pads++) end += 1;
  while (start < end && end < stop && (text[end] === "+" || text[end] === "/")) end += 1;
  return start - from > before ? { from, start: stop, end: stop, stop } : { from, start, end, stop };
}

/** Returns the end of the last word of a line, before marks, escapes of line breaks (`\n`) and colours of a terminal. */
function lastWord(text: string, from: number, stop: number): number {
  const floor = Math.max(from, stop - behind);
  let at = stop;
  while (at > floor) {
    const code = text.charCodeAt(at - 1);
    if (!isWord(code)) at -= 1;
    else if ((code === 110 || code === 114) && text[at - 2] === "\\") at -= 2;
    else if (code === 109 || code === 75) {
      const colour = colourStart(text, at - 1);
      if (colour < from) return at;
      at = colour;
    } else return at;
  }
  return from;
}

/** Returns the start of a terminal sequence whose last letter is at an offset; -1 if there is none. */
function colourStart(text: string, last: number): number {
  let at = last - 1;
  while (at > last - behind && (isDigit(text.charCodeAt(at)) || text[at] === ";")) at -= 1;
  return text[at] === "[" && text.charCodeAt(at - 1) === 0x1b ? at - 1 : -1;
}

/** True if a line holds no word from an offset on. */
export function isOver(text: string, from: number, stop: number): boolean {
  return stop - from <= behind && lastWord(text, from, stop) <= from;
}

/** True if a line has no letters: it is empty, or a number stands in it alone. */
export function isBare(text: string, { from, stop }: Line): boolean {
  if (stop - from > before) return false;
  for (let at = from; at < stop; at++) if (isLetter(text.charCodeAt(at))) return false;
  return true;
}

/** True if there is something beside the run that is no blank. */
export function isDecorated(text: string, { from, start, end, stop }: Line): boolean {
  return hasMarks(text, from, start) || hasMarks(text, end, stop);
}

/** True if a stretch holds something other than blanks. */
export function hasMarks(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) > 32) return true;
  return false;
}

/** Marks that programs vary from line to line, or leave out: `1:` and `2-` of grep, `+` and `-` of diff, quotes, blanks. */
const varied = new Uint8Array(128);
for (const c of " \t\r\f\v.:-+|>#*\"',\\") varied[c.charCodeAt(0)] = 1;

/** Returns the text before a run as other lines of one listing have it too: a 0 stands for any number, and some marks do not count. */
export function shapeOf(text: string, from: number, to: number): string {
  let shape = "";
  for (let at = from; at < Math.min(to, from + before); at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      if (!shape.endsWith("0")) shape += "0";
    } else if (code >= 128 || varied[code] !== 1) shape += text[at];
  }
  return shape;
}

/** Returns the number before a run, which only marks and blanks follow; -1 if there is none. */
export function numberBefore(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && !isWord(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > from && end - start <= digits && isDigit(text.charCodeAt(start - 1))) start -= 1;
  return start === end || end - start > digits ? -1 : Number(text.slice(start, end));
}

/**
 * A run of base64 in lines that stand behind something: starts and ends of its parts, alternating. The last part may be shorter
 * than the others.
 */
export type RunLines = readonly number[];

/** True for a character of base64 but the one that fills up. */
function isBase64(code: number): boolean {
  return isRun[code] === 1 && code !== 61;
}

/** Characters of the first part at least, and of blanks that may stand before a line of a run that is read without this. */
const leastPart = 24;
const usualIndent = 8;

/**
 * Returns the parts of a run of base64 that is wrapped over lines of one length, each behind something that is alike, such as its
 * number. `at` is an offset in the first line's part. Undefined if it is no such run.
 */
export function wrappedRun(text: string, at: number): RunLines | undefined {
  const first = firstPart(text, at);
  if (!first) return undefined;
  const length = first.end - first.start;
  const shape = shapeOf(text, first.from, first.start);
  const second = nextPart(text, first.stop + 1);
  const plus = second && text[first.start] === "+" && text[second.start] === "+" ? 1 : 0;
  if (plus === 0 && isUsual(text, first)) return undefined;
  const parts = [first.start + plus, first.end];
  let last = first;
  for (let next = second; next && isNext(text, last, next, shape); next = nextPart(text, last.stop + 1)) {
    if (next.end - next.start > length || (plus === 1 && text[next.start] !== "+")) break;
    parts.push(next.start + plus, next.end);
    last = next;
    if (next.end - next.start < length) break;
  }
  return parts.length > 2 ? parts : undefined;
}

/** True if nothing stands beside a part but a few blanks. */
function isUsual(text: string, line: Line): boolean {
  return line.start - line.from <= usualIndent && !isDecorated(text, line);
}

function firstPart(text: string, at: number): Line | undefined {
  let end = at;
  while (isBase64(text.charCodeAt(end))) end += 1;
  if (!text.slice(end, end + behind).includes("\n")) return undefined;
  let start = at;
  while (start > 0 && isBase64(text.charCodeAt(start - 1))) start -= 1;
  spend(8 + ((end - start) >> 3));
  const floor = Math.max(0, start - before);
  const from = floor + text.slice(floor, start).lastIndexOf("\n") + 1;
  if (end - start < leastPart || (from === floor && floor > 0)) return undefined;
  const line = partOf(text, readLine(text, from));
  return line.end === end && (text[line.start] === "+" || !isUsual(text, line)) ? line : undefined;
}

/** Returns the next line that has a part; a line between may hold a number alone. */
function nextPart(text: string, from: number): Line | undefined {
  for (let at = from, count = 0; at < text.length && count < 2; count++) {
    const line = readLine(text, at);
    if (!isBare(text, line)) return line.start < line.end ? partOf(text, line) : undefined;
    at = line.stop + 1;
  }
  return undefined;
}

/** The line with a part that has nothing of what fills it up. */
function partOf(text: string, line: Line): Line {
  let { end } = line;
  while (end > line.start && text[end - 1] === "=") end -= 1;
  let start = end;
  while (start > line.start && isBase64(text.charCodeAt(start - 1))) start -= 1;
  return { ...line, start, end };
}

function isNext(text: string, last: Line, next: Line, shape: string): boolean {
  if (shapeOf(text, next.from, next.start) === shape) return true;
  const number = numberBefore(text, last.from, last.start);
  return number >= 0 && numberBefore(text, next.from, next.start) === number + 1;
}
