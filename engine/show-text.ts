/** Blanks in a row that are shown as they are; more could push the rest of a text out of view. */
const shownBlanks = /\s{9,}/g;

type Range = readonly [low: number, high: number];

/** Characters that show nothing of their own, reorder text or move the cursor; line feed and tab are as good as a blank. */
const hidden: readonly Range[] = [
  [0x0, 0x8],
  [0xb, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
];

/** Matches runs of characters that are written out; whole runs, since a text may consist of them. */
const written = new RegExp(`[${hidden.map(([low, high]) => `${escaped(low)}-${escaped(high)}`).join("")}]+`, "gu");

/**
 * Returns a text for a human: invisible characters are written out, and long runs of blanks are counted, so that the human sees
 * everything that is approved. Source: threats page, "Prompt hides the command".
 */
export function showText(text: string): string {
  return text
    .replace(shownBlanks, (run) => ` …(${run.length} blanks)… `)
    .replace(written, (run) => {
      return Array.from(run, (character) => escaped(character.codePointAt(0) as number)).join("");
    });
}

function escaped(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
