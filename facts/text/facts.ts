import type { TextFacts } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { textPlaces } from "./places.ts";
import { mapTexts } from "./walk.ts";

/** Version of the character tables, for plans and audit records. Raised whenever a range changes. */
export const textTablesVersion = "1";

type Range = readonly [low: number, high: number];

/** Characters that show nothing. Source: threats section 6. */
const invisible: readonly Range[] = [
  [0xad, 0xad],
  [0x180e, 0x180e],
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
];

/** Controls that reorder what is shown; the marks count only away from text written right to left. */
const bidiControls: readonly Range[] = [
  [0x202a, 0x202e],
  [0x2066, 0x2069],
];
const bidiMarks: readonly Range[] = [
  [0x61c, 0x61c],
  [0x200e, 0x200f],
];
const rightToLeft: readonly Range[] = [
  [0x590, 0x8ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10800, 0x10fff],
  [0x1e800, 0x1eeff],
];

/** Pictures that a joiner or a variation selector may follow. */
const pictures: readonly Range[] = [
  [0x23, 0x23],
  [0x2a, 0x2a],
  [0x30, 0x39],
  [0xa9, 0xae],
  [0x203c, 0x3299],
  [0x1f000, 0x1faff],
];

/** Scripts in which joiners shape letters. */
const joining: readonly Range[] = [
  [0x600, 0x109f],
  [0x1780, 0x18af],
  [0xa840, 0xabff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0x11000, 0x11fff],
  [0x1e900, 0x1e95f],
];

const latin: readonly Range[] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x24f],
  [0x1e00, 0x1eff],
];

/** Letters of other scripts that pass for Latin ones: Greek look-alikes only, since Greek letters are units and symbols too. */
const lookalikes: readonly Range[] = [
  [0x391, 0x392],
  [0x395, 0x397],
  [0x399, 0x39a],
  [0x39c, 0x39d],
  [0x39f, 0x39f],
  [0x3a1, 0x3a1],
  [0x3a4, 0x3a5],
  [0x3a7, 0x3a7],
  [0x3bd, 0x3bd],
  [0x3bf, 0x3bf],
  [0x400, 0x52f],
  [0x531, 0x587],
  [0x13a0, 0x13fd],
  [0x1c80, 0x1c8f],
  [0x2c80, 0x2cff],
  [0xa4d0, 0xa4ff],
  [0xa640, 0xa69f],
  [0xab70, 0xabbf],
];

/** What is odd about the text of an event, counted over all its places (threats row 16 and section 6). */
export function textFacts(event: JudgedEvent): TextFacts {
  const count = { invisible: 0, bidi: 0, ansi: 0, mixed_scripts: false };
  for (const [root, value] of textPlaces(event)) {
    const walked = mapTexts(value, (text) => add(count, text), { root, keys: true });
    // What is too deep or too large to be looked at counts as odd.
    if (walked instanceof EvaluationError) count.invisible += 1;
  }
  return count;
}

type Count = { invisible: number; bidi: number; ansi: number; mixed_scripts: boolean };

/** Facts of one text. */
export function oddities(text: string): TextFacts {
  const count = { invisible: 0, bidi: 0, ansi: 0, mixed_scripts: false };
  add(count, text);
  return count;
}

function add(count: Count, text: string): string {
  if (!/[^\t\n\x20-\x7e]/.test(text)) return text;
  let before = -1;
  let word = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    const after = text.codePointAt(at) ?? -1;
    if (isControl(code, after)) count.ansi += 1;
    else if (code > 0x7f && isHidden(code, before, after, text, at)) count.invisible += 1;
    else if (code > 0x7f && isBidi(code, before, after)) count.bidi += 1;
    word = scriptBits(code, word);
    if (word === 3) count.mixed_scripts = true;
    before = code;
  }
  return text;
}

/** C0 but tab, line feed and a carriage return before it; delete; C1. Each escape sequence begins with one. */
function isControl(code: number, after: number): boolean {
  if (code === 0x0d) return after !== 0x0a && after !== -1;
  return (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
}

function isHidden(code: number, before: number, after: number, text: string, next: number): boolean {
  if (!inRanges(code, invisible)) return false;
  if (code === 0xfeff) return next !== 1;
  if (code === 0x200d || code === 0x200c)
    return (
      !(inRanges(before, joining) && inRanges(after, joining)) &&
      !(code === 0x200d && isPicture(before) && isPicture(after))
    );
  if (code >= 0xfe00 && code <= 0xfe0f) return !(inRanges(before, pictures) || inRanges(before, joining));
  if (code >= 0xe0100 && code <= 0xe01ef) return !(before >= 0x3400 && before <= 0x323af);
  if (code >= 0xe0020 && code <= 0xe007f) return !inFlag(text, next - 2);
  return true;
}

/** A picture, or a selector or skin tone that follows one. */
function isPicture(code: number): boolean {
  return inRanges(code, pictures) || code === 0xfe0f || code === 0x20e3;
}

/** True inside a subdivision flag: a black flag, up to six tag characters, and the cancel tag. */
function inFlag(text: string, at: number): boolean {
  let start = at;
  for (let n = 0; n < 7 && start >= 2 && isTag(text.codePointAt(start - 2)); n++) start -= 2;
  if (text.codePointAt(start - 2) !== 0x1f3f4) return false;
  let end = start;
  for (let n = 0; n < 7 && isTag(text.codePointAt(end)); n++, end += 2)
    if (text.codePointAt(end) === 0xe007f) return at <= end;
  return false;
}

function isTag(code: number | undefined): boolean {
  return code !== undefined && code >= 0xe0020 && code <= 0xe007f;
}

function isBidi(code: number, before: number, after: number): boolean {
  return (
    inRanges(code, bidiControls) ||
    (inRanges(code, bidiMarks) && !inRanges(before, rightToLeft) && !inRanges(after, rightToLeft))
  );
}

/** Scripts seen in the word so far: 1 Latin, 2 a look-alike; a character that is no letter ends the word. */
function scriptBits(code: number, word: number): number {
  if (inRanges(code, latin)) return word | 1;
  if (inRanges(code, lookalikes)) return word | 2;
  // Digits, marks and invisible characters do not end a word.
  return (code >= 0x30 && code <= 0x39) || (code >= 0x300 && code <= 0x36f) || inRanges(code, invisible) ? word : 0;
}

function inRanges(code: number, ranges: readonly Range[]): boolean {
  for (const [low, high] of ranges) if (code >= low && code <= high) return true;
  return false;
}
