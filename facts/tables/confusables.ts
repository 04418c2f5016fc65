import { foldCase } from "./case-folding.ts";
import { asciiLooks } from "./confusables.data.ts";
import { decomposed } from "./settled.ts";

/** Version of the table of look-alikes, for plans and audit records: UTS 39 data, and compatible forms of newer versions. */
export const confusablesVersion = "uts39-10.0+unicode-17.0+2";

let table: ReadonlyMap<number, string> | undefined;

/** Returns the look of each character, read from rows `text:gap.gap.…` in base 36. */
function looks(): ReadonlyMap<number, string> {
  if (table) return table;
  const made = new Map<number, string>();
  for (const row of asciiLooks.split(" ")) {
    const colon = row.lastIndexOf(":");
    let code = 0;
    for (const gap of row.slice(colon + 1).split(".")) {
      code += Number.parseInt(gap, 36);
      made.set(code, row.slice(0, colon));
    }
  }
  table = made;
  return made;
}

/**
 * Returns the text as it looks in ASCII letters, digits, dots and hyphens. Every character that passes for some of them is
 * replaced, marks on a letter are dropped, letter case is folded. Characters that look like nothing in ASCII stay. ASCII text
 * is only folded. Idempotent.
 */
export function asciiSkeleton(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const rows = looks();
  let out = "";
  // Character by character, so that one that is left as it is does not keep the others from being taken apart.
  for (const c of text) for (const part of decomposed(c)) out += lookOf(part, rows);
  return out;
}

/** Returns the ASCII look of one character or of its folded form; empty for a mark. */
function lookOf(c: string, rows: ReadonlyMap<number, string>): string {
  if (isMark(codeOf(c))) return "";
  const look = rows.get(codeOf(c));
  if (look !== undefined) return look;
  let out = "";
  for (const folded of foldCase(c))
    for (const part of decomposed(folded)) if (!isMark(codeOf(part))) out += rows.get(codeOf(part)) ?? part;
  return out;
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number;
}

/** True for a combining mark of Latin, Greek and Cyrillic letters, and for an invisible character. */
function isMark(code: number): boolean {
  return (
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xad ||
    code === 0x34f
  );
}

/** As `asciiSkeleton`, and with ASCII that looks alike made one: `0` and `o`, `1`, `i` and `l`, `rn` and `m`, `vv` and `w`. */
export function fullSkeleton(text: string): string {
  return asciiSkeleton(text).replaceAll("0", "o").replace(/[1i|]/g, "l").replaceAll("rn", "m").replaceAll("vv", "w");
}
