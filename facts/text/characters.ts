import type { TextOddity } from "../../schema/facts.ts";

/** Characters that look different from what they are. Source: threats row 16 and section 6. */

type Range = readonly [low: number, high: number];

/** Characters that show nothing. Source: threats section 6; Default_Ignorable_Code_Point. */
const invisible: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200d],
  [0x2028, 0x2029],
  [0x2060, 0x2065],
  [0x206a, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
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

/** Control characters, and lone halves of a surrogate pair with the flag `u`; without tab and line feed. */
const controls: readonly Range[] = [
  [0x0, 0x8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0xd800, 0xdfff],
];

/** Matches every character that can be odd (`oddityOf` decides by context). It is one class, so it is as fast as a loop. */
export const suspects: RegExp = new RegExp(
  `[${[...controls, ...invisible, ...bidiControls, ...bidiMarks]
    .map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-"))
    .join("")}]`,
  "u",
);

/** The character at an offset and its neighbours; -1 if there is none. `next` is the offset after it. */
export interface Glyph {
  readonly code: number;
  readonly before: number;
  readonly after: number;
  readonly text: string;
  readonly next: number;
}

/** Returns what is odd about a character in its place; undefined if nothing is. Scripts are compared by word (`scriptBits`). */
export function oddityOf({ code, before, after, text, next }: Glyph): TextOddity | undefined {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || (code >= 0xd800 && code <= 0xdfff))
    return controlKind(code, after);
  if (code < 0xa0) return undefined;
  if (code >= 0xe0000 && code <= 0xe007f) return isTag(code) && inFlag(text, next - 2) ? undefined : "tag";
  if (isHidden(code, before, after, next)) return "invisible";
  return isBidi(code, before, after) ? "bidi" : undefined;
}

/**
 * Returns the kind of a C0 or C1 control, delete, or half of a surrogate pair; undefined for tab, line feed, and a carriage
 * return before a line feed or at the end.
 */
function controlKind(code: number, after: number): TextOddity | undefined {
  if (code === 0x0d) return after === 0x0a || after === -1 ? undefined : "overwrite";
  // Each escape sequence begins with one of these.
  if (code === 0x1b || (code >= 0x80 && code <= 0x9f)) return "ansi";
  const plain = (code >= 0x20 && code !== 0x7f) || code === 0x09 || code === 0x0a;
  return plain && !(code >= 0xd800 && code <= 0xdfff) ? undefined : "control";
}

function isJamo(code: number): boolean {
  return (code >= 0x1100 && code <= 0x11ff) || (code >= 0xa960 && code <= 0xa97f) || (code >= 0xd7b0 && code <= 0xd7ff);
}

function isHidden(code: number, before: number, after: number, next: number): boolean {
  if (!inRanges(code, invisible)) return false;
  if (code === 0xfeff) return next !== 1;
  if (code === 0x200d || code === 0x200c)
    return (
      !(inRanges(before, joining) && inRanges(after, joining)) &&
      !(code === 0x200d && isPicture(before) && isPicture(after))
    );
  if (code >= 0xfe00 && code <= 0xfe0f)
    return !(inRanges(before, pictures) || inRanges(before, joining) || isIdeograph(before));
  if (code >= 0xe0100 && code <= 0xe01ef) return !isIdeograph(before);
  // Joiners and fillers that belong to the script of the letters beside them.
  if (code === 0x34f || (code >= 0x17b4 && code <= 0x17b5) || (code >= 0x180b && code <= 0x180f))
    return !inRanges(before, joining);
  if (code === 0x115f || code === 0x1160) return !isJamo(before) && !isJamo(after);
  return true;
}

/** True for a character whose form variation selectors choose. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0x20000 && code <= 0x323af)
  );
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
export function scriptBits(code: number, word: number): number {
  if (inRanges(code, latin)) return word | 1;
  if (inRanges(code, lookalikes)) return word | 2;
  // Digits, marks and invisible characters do not end a word.
  return (code >= 0x30 && code <= 0x39) || (code >= 0x300 && code <= 0x36f) || inRanges(code, invisible) ? word : 0;
}

function inRanges(code: number, ranges: readonly Range[]): boolean {
  for (const [low, high] of ranges) if (code >= low && code <= high) return true;
  return false;
}

const names: ReadonlyMap<number, string> = new Map([
  [0x00, "null"],
  [0x07, "bell"],
  [0x08, "backspace"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0x7f, "delete"],
  [0x9b, "control sequence introducer"],
  [0x9d, "operating system command"],
  [0xad, "soft hyphen"],
  [0x34f, "combining grapheme joiner"],
  [0x61c, "arabic letter mark"],
  [0x115f, "hangul choseong filler"],
  [0x1160, "hangul jungseong filler"],
  [0x180e, "mongolian vowel separator"],
  [0x200b, "zero width space"],
  [0x200c, "zero width non-joiner"],
  [0x200d, "zero width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "pop directional formatting"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "pop directional isolate"],
  [0x3164, "hangul filler"],
  [0xfeff, "zero width no-break space"],
  [0xffa0, "halfwidth hangul filler"],
]);

/** A character as `U+200B`. */
export function codePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Returns the name of an odd character; for a tag, with the letter that it hides. */
export function wordsFor(kind: TextOddity, code: number): string {
  if (kind === "tag")
    return code >= 0xe0020 && code < 0xe007f ? `tag \`${String.fromCharCode(code - 0xe0000)}\`` : "tag";
  if (kind === "mixed_script") return "letter of another script";
  if (code >= 0xd800 && code <= 0xdfff) return "half of a surrogate pair";
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return "variation selector";
  return names.get(code) ?? (kind === "invisible" || kind === "bidi" ? `${kind} character` : "control character");
}
