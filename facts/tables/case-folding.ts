import { caseFolds } from "./case-folding.data.ts";
import { composed } from "./settled.ts";

/** Version of the case folding table, for plans and audit records. */
export const caseFoldingVersion = "unicode-17.0";

let table: ReadonlyMap<number, string> | undefined;

/** Folds by code point, out of runs `start.count.step.delta` and single rows `code>text,text`. */
function folds(): ReadonlyMap<number, string> {
  if (table) return table;
  const made = new Map<number, string>();
  for (const row of caseFolds.split(" ")) {
    const arrow = row.indexOf(">");
    if (arrow >= 0)
      made.set(
        number(row.slice(0, arrow)),
        row
          .slice(arrow + 1)
          .split(",")
          .map(character)
          .join(""),
      );
    else {
      const [start = 0, count = 0, step = 1, delta = 0] = row.split(".").map(number);
      for (let i = 0; i < count; i++) made.set(start + i * step, String.fromCodePoint(start + i * step + delta));
    }
  }
  table = made;
  return made;
}

const number = (text: string): number => Number.parseInt(text, 36);
const character = (text: string): string => String.fromCodePoint(number(text));

/** Full case folding by our own table: `ß` and `ẞ` are `ss`, final and other sigma are one. Idempotent. */
export function foldCase(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const rows = folds();
  let out = "";
  for (const c of text) out += rows.get(c.codePointAt(0) as number) ?? c;
  return out;
}

/** A file name as volumes that fold letter case compare it: composed, folded, composed. Idempotent. */
export function foldName(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return composed(foldCase(composed(text)));
}
