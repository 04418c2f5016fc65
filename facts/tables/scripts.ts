import { type CodeRanges, rankOf, unpackRanges } from "./ranges.ts";
import { scriptRanges } from "./scripts.data.ts";

/** Version of the table of scripts, for plans and audit records. */
export const scriptsVersion = "unicode-17.0";

interface Table {
  /** Bounds of the ranges, ascending. */
  readonly bounds: CodeRanges;
  /** Script of the range that begins at each bound; empty between ranges. */
  readonly names: readonly string[];
}

let table: Table | undefined;

function scripts(): Table {
  if (table) return table;
  const rows: [number, number, string][] = [];
  for (const row of scriptRanges.split(";")) {
    const [name = "", packed = ""] = row.split("=");
    const ranges = unpackRanges(packed);
    for (let i = 0; i < ranges.length; i += 2) rows.push([ranges[i] as number, ranges[i + 1] as number, name]);
  }
  rows.sort(([a], [b]) => a - b);
  const bounds = Uint32Array.from(rows.flatMap(([begin, end]) => [begin, end] as const));
  table = { bounds, names: rows.flatMap(([, , name]) => [name, ""]) };
  return table;
}

/**
 * Returns the script of a character by its Unicode name (`Latin`, `Cyrillic`); empty for a character that all scripts share or
 * that has none.
 */
export function scriptOf(code: number): string {
  const { bounds, names } = scripts();
  return names[rankOf(code, bounds) - 1] ?? "";
}

/** Sets of scripts that are written together (UTS 39, highly restrictive), by a set that holds them all. */
const together: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

/** The scripts of a text's letters, in the order in which they appear. */
export function scriptsOf(text: string): readonly string[] {
  const found = new Set<string>();
  for (const c of text) {
    const name = scriptOf(c.codePointAt(0) as number);
    if (name !== "") found.add(name);
  }
  return [...found];
}

/** True if a word mixes scripts that are not written together: Latin and Cyrillic, but not Latin and Japanese. */
export function mixesScripts(word: string): boolean {
  if (/^[\x00-\x7f]*$/.test(word)) return false;
  const found = scriptsOf(word);
  return found.length > 1 && !together.some((set) => found.every((name) => set.has(name)));
}
