import { spend } from "../meter.ts";
import { type RunLines, wrappedRun } from "./lines.ts";

/** A part of a text that encodes another text. */
export interface EncodedPiece {
  /** The decoded text. */
  readonly text: string;
  /** End of the encoded text. */
  readonly end: number;
  /** True where the piece begins or ends in the midst of more text of its kind, so that its edge means nothing. */
  readonly cutStart: boolean;
  readonly cutEnd: boolean;
  /** The encoded part for a span of the decoded text. */
  span(start: number, end: number): readonly [number, number];
}

/** Shortest run that is decoded: 18 bytes of base64, 12 of hexadecimal. */
const minRun = 24;
/** Characters of a stretch before it is decoded. */
const minStretch = 20;
const minHexStretch = 32;
/** Units of work for a run, which costs a quarter of a unit more for each character, and for a stretch of it that is decoded, an eighth. */
const runUnits = 8;
const stretchUnits = 32;
/** Blanks before the text in a wrapped line, as in YAML. */
const maxIndent = 8;

/** Base64 positions at which a character encodes ASCII, as bits; bit 4 for every character of either alphabet. */
const places = new Uint8Array(128);
"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".split("").forEach((c, index) => {
  const value = index < 64 ? index : index - 2;
  places[c.charCodeAt(0)] =
    16 | ((value & 32) === 0 ? 1 : 0) | ((value & 8) === 0 ? 2 : 0) | ((value & 2) === 0 ? 4 : 0) | 8;
});

function isBase64(code: number): boolean {
  return code < 128 && (places[code] as number) !== 0;
}

/**
 * Notes a place inside every run of at least 24 characters of base64 or hexadecimal. Reads backwards, so that only some
 * characters of other text are read. At the edges of a chunk every run counts as long enough.
 */
export function probeRuns(bytes: Uint8Array, length: number, from: number, found: number[]): void {
  if (from > 0 && length > 0 && inRun(bytes[0] as number)) found.push(from);
  let start = 0;
  while (start + minRun <= length) {
    let other = start + minRun - 1;
    while (other >= start && inRun(bytes[other] as number)) other -= 1;
    if (other >= start) start = other + 1;
    else {
      found.push(from + start + minRun - 1);
      start += minRun;
      while (start < length && inRun(bytes[start] as number)) start += 1;
    }
  }
  if (length > 0 && inRun(bytes[length - 1] as number)) found.push(from + length - 1);
}

function inRun(byte: number): boolean {
  return byte < 128 && (places[byte] as number) !== 0;
}

/**
 * Returns a place in every run of a text, from the noted places on. `probeRuns` sees one byte of each character, so some other
 * characters look like part of a run: a noted run may be several runs with such characters between them.
 */
function insideRuns(text: string, probes: readonly number[]): number[] {
  const found: number[] = [];
  let done = 0;
  for (const probe of probes) {
    if (probe < done) continue;
    let inside = false;
    for (done = probe; done < text.length && seemsInRun(text.charCodeAt(done)); done++) {
      const is = isBase64(text.charCodeAt(done));
      if (is && !inside) found.push(done);
      inside = is;
    }
  }
  return found;
}

/** True for a character that `probeRuns` takes for one of a run: by its low byte, or as `plainLetters` has it. */
function seemsInRun(code: number): boolean {
  return inRun(code & 255) || code === 0x17f || code === 0x212a;
}

/**
 * Finds base64, base64url and hexadecimal that encode ASCII text, wrapped over lines or not, at every alignment, in the runs at
 * given places, in UTF-16 too. The lines may stand behind their numbers and the like. Other binary data decodes to something else
 * than ASCII and is left alone. Source: threats section 5.3.
 */
export function armouredPieces(text: string, probes: readonly number[]): EncodedPiece[] {
  const pieces: EncodedPiece[] = [];
  let done = 0;
  let wrapped = 0;
  for (const at of insideRuns(text, probes)) {
    if (at < done || !isBase64(text.charCodeAt(at))) continue;
    const lines = at < wrapped ? undefined : wrappedRun(text, at);
    if (lines) {
      wrapped = lines.at(-1) as number;
      readLines(text, lines, pieces);
    }
    const start = runStart(text, at, done);
    const end = runEnd(text, at);
    done = end;
    spend(runUnits + ((end - start) >> 2));
    if (end - start >= minRun) readRun(text, start, end, pieces);
  }
  return pieces;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function runStart(text: string, from: number, floor: number): number {
  let at = from;
  for (;;) {
    while (at > floor && isBase64(text.charCodeAt(at - 1))) at -= 1;
    let before = at;
    while (before > floor && at - before < maxIndent && isBlank(text.charCodeAt(before - 1))) before -= 1;
    if (before <= floor || text.charCodeAt(before - 1) !== 10) return at;
    before -= text.charCodeAt(before - 2) === 13 ? 2 : 1;
    if (before <= floor || !isBase64(text.charCodeAt(before - 1))) return at;
    at = before;
  }
}

function runEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && isBase64(text.charCodeAt(at))) at += 1;
    let after = text.charCodeAt(at) === 13 ? at + 1 : at;
    if (text.charCodeAt(after) !== 10) return at;
    after += 1;
    const line = after;
    while (after - line < maxIndent && isBlank(text.charCodeAt(after))) after += 1;
    if (after >= text.length || !isBase64(text.charCodeAt(after))) return at;
    at = after;
  }
}

/** The characters of one run without its line wrapping. */
interface Run {
  readonly text: string;
  readonly codes: Uint8Array;
  readonly count: number;
  /** Offset in the text of the n-th character. */
  at(n: number): number;
  /** The characters of a stretch, with line breaks and blanks or without. */
  slice(first: number, last: number): string;
}

function readRun(text: string, start: number, end: number, pieces: EncodedPiece[]): void {
  const codes = Buffer.from(text.slice(start, end), "latin1");
  const count = codes.includes(10) ? unwrapped(codes) : codes.length;
  const at = offsets(text, start, end, count);
  readPhases({ text, codes, count, at, slice: (first, last) => text.slice(at(first), at(last - 1) + 1) }, pieces);
}

/** Reads a run whose lines stand behind something else. */
function readLines(text: string, lines: RunLines, pieces: EncodedPiece[]): void {
  const length = (lines[1] as number) - (lines[0] as number);
  const codes = Buffer.allocUnsafe((lines.length / 2) * length);
  let count = 0;
  for (let i = 0; i < lines.length; i += 2) count += codes.write(text.slice(lines[i], lines[i + 1]), count, "latin1");
  spend(runUnits + (count >> 2));
  const slice = (first: number, last: number): string => codes.toString("latin1", first, last);
  const at = (n: number): number => (lines[2 * Math.floor(n / length)] as number) + (n % length);
  readPhases({ text, codes, count, at, slice }, pieces);
}

function readPhases(run: Run, pieces: EncodedPiece[]): void {
  for (let phase = 0; phase < 4; phase++) readBase64(run, phase, pieces);
  for (let phase = 0; phase < 2; phase++) readHex(run, phase, pieces);
}

/** Moves the characters of a run together; gives how many they are. */
function unwrapped(codes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number;
    if (isBase64(code)) codes[count++] = code;
  }
  return count;
}

/** Finds stretches of groups of four that encode ASCII, from one alignment; a shortest stretch is checked from its end. */
function readBase64(run: Run, phase: number, pieces: EncodedPiece[]): void {
  for (let first = phase; run.count - first >= minStretch; ) {
    let other = first + minStretch - 4;
    while (other >= first && isAsciiGroup(run, other)) other -= 4;
    if (other >= first) {
      first = other + 4;
      continue;
    }
    let last = first + minStretch;
    while (last < run.count && isAsciiGroup(run, last)) last += 4;
    addBase64(run, first, Math.min(last, run.count), pieces);
    first = last + 4;
  }
}

/** True for four characters that encode three of ASCII, and for a group that the end cuts off. */
function isAsciiGroup({ codes, count }: Run, at: number): boolean {
  if (at + 3 > count) return true;
  const one = places[codes[at] as number] as number;
  const two = places[codes[at + 1] as number] as number;
  const three = places[codes[at + 2] as number] as number;
  return (one & (two >> 1) & (three >> 2) & 1) === 1;
}

function addBase64(run: Run, first: number, last: number, pieces: EncodedPiece[]): void {
  const stop = run.at(last - 1) + 1;
  const decoded = Buffer.from(run.slice(first, last), "base64").toString("latin1");
  addText(decoded, stop, pieces, (from, to) => {
    const end = first + Math.ceil(to / 3) * 4;
    return [run.at(first + Math.floor(from / 3) * 4), end >= last ? padded(run.text, stop) : run.at(end - 1) + 1];
  });
}

/** Adds decoded bytes if they are text, of one or of two bytes a character. `span` is of bytes. */
function addText(decoded: string, end: number, pieces: EncodedPiece[], span: EncodedPiece["span"]): void {
  spend(stretchUnits + (decoded.length >> 3));
  const piece = { end, cutStart: false, cutEnd: false };
  if (isText(decoded)) pieces.push({ ...piece, text: decoded, span });
  else {
    const first = firstOfPairs(decoded);
    const text = first < 0 ? "" : everySecond(decoded, first);
    if (text !== "" && isText(text))
      pieces.push({ ...piece, text, span: (from, to) => span(first + 2 * from, first + 2 * to - 1) });
  }
}

/** Returns the offset of the first character of ASCII in UTF-16, which has a null in every second byte; -1 if it is no such text. */
function firstOfPairs(decoded: string): number {
  const nulls = [0, 0];
  for (let at = 0; at < decoded.length; at++) if (decoded.charCodeAt(at) === 0) (nulls[at & 1] as number)++;
  const [even = 0, odd = 0] = nulls;
  if (Math.max(even, odd) * 8 < decoded.length * 3) return -1;
  return even > odd ? 1 : 0;
}

function everySecond(decoded: string, first: number): string {
  const bytes = Buffer.from(decoded, "latin1");
  let count = 0;
  for (let at = first; at < bytes.length; at += 2) bytes[count++] = bytes[at] as number;
  return bytes.toString("latin1", 0, count);
}

function padded(text: string, end: number): number {
  let at = end;
  while (at < end + 2 && text[at] === "=") at += 1;
  return at;
}

/** Offset in the text of the n-th character of a run; a table is made only where others stand between. */
function offsets(text: string, start: number, end: number, count: number): (n: number) => number {
  if (end - start === count) return (n) => start + n;
  let table: Int32Array | undefined;
  return (n) => {
    if (!table) {
      table = new Int32Array(count);
      for (let at = start, next = 0; at < end; at++) if (isBase64(text.charCodeAt(at))) table[next++] = at;
    }
    return table[Math.min(n, count - 1)] as number;
  };
}

/** Values of hexadecimal digits, -1 for others. */
const nibbleOf = new Int8Array(128).fill(-1);
"0123456789".split("").forEach((c, value) => {
  nibbleOf[c.charCodeAt(0)] = value;
});
"abcdef".split("").forEach((c, index) => {
  nibbleOf[c.charCodeAt(0)] = nibbleOf[c.toUpperCase().charCodeAt(0)] = index + 10;
});

/** Finds stretches of hexadecimal pairs whose first digit begins a byte of ASCII text: letters, digits, marks, line breaks. */
function readHex(run: Run, phase: number, pieces: EncodedPiece[]): void {
  for (let first = phase; run.count - first >= minHexStretch; ) {
    let other = first + minHexStretch - 2;
    while (other >= first && isAsciiPair(run, other)) other -= 2;
    if (other >= first) {
      first = other + 2;
      continue;
    }
    let last = first + minHexStretch;
    while (last + 1 < run.count && isAsciiPair(run, last)) last += 2;
    addHex(run, first, last, pieces);
    first = last + 2;
  }
}

function isAsciiPair({ codes }: Run, at: number): boolean {
  const leading = nibbleOf[codes[at] as number] as number;
  return leading >= 0 && leading < 8 && leading !== 1 && (nibbleOf[codes[at + 1] as number] as number) >= 0;
}

function addHex(run: Run, first: number, last: number, pieces: EncodedPiece[]): void {
  const stop = run.at(last - 1) + 1;
  const source = run.slice(first, last);
  const decoded = Buffer.from(source.length === last - first ? source : source.replace(/\s/g, ""), "hex");
  addText(decoded.toString("latin1"), stop, pieces, (from, to) => [
    run.at(first + from * 2),
    run.at(first + to * 2 - 1) + 1,
  ]);
}

/** False for binary data: more than a few control characters. */
function isText(decoded: string): boolean {
  let odd = 0;
  for (let at = 0; at < decoded.length; at++) {
    const code = decoded.charCodeAt(at);
    if (code < 32 && code !== 10 && code !== 13 && code !== 9) odd += 1;
    if (odd > 16 && odd * 8 > at) return false;
  }
  return odd * 8 <= decoded.length;
}
