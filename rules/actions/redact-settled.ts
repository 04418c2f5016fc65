import type { Scanner } from "../../facts/secrets/scan.ts";
import type { Edit } from "../../facts/text/splice.ts";

/** Texts shorter than this are scanned as a whole instead. */
const leastLong = 65_536;

/** How much an encoding lengthens what is encoded, as in streams. */
const encodedFactor = 6;

/**
 * True if a long text has nothing more to find after edits. Only text near an edit can have become a find, so only that is
 * scanned again. `edits` are those that led to `text`, by the offsets of the text before them. False means that the whole
 * text must be scanned: so where the surroundings of edits are most of the text, or a token of it may reach beyond them.
 */
export function isSettled(scanner: Scanner | undefined, text: string, edits: readonly Edit[]): boolean {
  if (!scanner || text.length < leastLong) return false;
  const reach = scanner.reach * encodedFactor;
  const parts = surroundings(text, edits, reach);
  if (parts.reduce((sum, [start, end]) => sum + end - start, 0) > text.length / 2) return false;
  return parts.every(([start, end]) => {
    const { findings, together, open } = scanner.survey(text.slice(start, end));
    const first = start === 0 ? 0 : scanner.reach;
    const last = end - start - (end === text.length ? 0 : scanner.reach);
    // Matches one behind the other hang together, however many: with none near the edges they end in this part.
    return findings.length === 0 && open >= end - start && together.every((at) => first <= at && at <= last);
  });
}

/** Stretches of the text round the replacements, apart from each other. */
function surroundings(text: string, edits: readonly Edit[], reach: number): (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  let moved = 0;
  for (const edit of edits) {
    const at = edit.start + moved;
    moved += edit.text.length - (edit.end - edit.start);
    const start = Math.max(0, at - reach);
    const end = Math.min(text.length, at + edit.text.length + reach);
    const last = parts.at(-1);
    if (last && start <= last[1]) parts[parts.length - 1] = [last[0], end];
    else parts.push([start, end]);
  }
  return parts;
}
