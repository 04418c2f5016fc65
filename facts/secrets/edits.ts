import type { Edit } from "../text/edit.ts";
import type { Finding } from "./finding.ts";
import type { Scanner } from "./scan.ts";

/** Longest value of a field that is read together with the name of the field. */
const namedLength = 512;

/** Characters that a field name must not hold if it is to tell what the value is. */
const unnameable = /["\\\r\n]/;

/**
 * Returns the findings in the value of a field: those of the text itself, otherwise those that the field's name causes
 * (`password`, `api_key`). A quote in the text does not end the value.
 */
export function findNamed(scanner: Scanner, text: string, key: string | undefined): Finding[] {
  const { findings, quiet } = scanner.survey(text);
  const found = [...findings];
  if (found.length > 0 || key === undefined || text.length > namedLength || unnameable.test(key) || /[\r\n]/.test(text))
    return found;
  // Every match holds a keyword: without one in the name or the value there is no match.
  if (quiet && !scanner.tells(key)) return found;
  const head = `"${key}": "`;
  return scanner
    .find(`${head}${text.replace(/["'`\\]/g, "~")}"`)
    .filter((finding) => finding.start >= head.length && finding.end <= head.length + text.length)
    .map((finding) => ({ ...finding, start: finding.start - head.length, end: finding.end - head.length }));
}

/** Edits sorted and without overlaps: of overlapping ones the leftmost, then the longest stays and takes in the others' text. */
export function mergeEdits(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Edit[] = [];
  for (const next of sorted) {
    const last = merged.at(-1);
    if (!last || next.start >= last.end) merged.push(next);
    else if (next.end > last.end) merged[merged.length - 1] = { ...last, end: next.end };
  }
  return merged;
}
