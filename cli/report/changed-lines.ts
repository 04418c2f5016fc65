import type { Palette } from "../../diagnostics/render.ts";

/** Maximum lines shown of each side of one file. */
const mostLines = 12;
/** Maximum distance to the next equal line of two texts. */
const window = 60;

/**
 * Returns an excerpt of the changes between two texts, as `-` and `+` lines with line numbers of the old text; only the
 * first few places.
 */
export function changedLines(before: string, after: string, colors: Palette): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const shown: string[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && old[i] === fresh[j]) {
      i++;
      j++;
      continue;
    }
    const [oldEnd, freshEnd] = meeting(old, i, fresh, j);
    if (shown.length >= mostLines) return `${shown.join("")}  …\n`;
    shown.push(`  line ${i + 1}\n`);
    for (const line of old.slice(i, oldEnd)) shown.push(colors.error(`  - ${visibleEnd(line)}`), "\n");
    for (const line of fresh.slice(j, freshEnd)) shown.push(colors.info(`  + ${visibleEnd(line)}`), "\n");
    i = oldEnd;
    j = freshEnd;
  }
  return shown.join("");
}

/** Finds the nearest pair of equal lines after two places; the ends if none is in reach. */
function meeting(old: readonly string[], i: number, fresh: readonly string[], j: number): readonly [number, number] {
  for (let distance = 1; distance <= window; distance++) {
    for (let back = 0; back <= distance; back++) {
      const [a, b] = [i + distance - back, j + back];
      if (a < old.length && b < fresh.length && old[a] === fresh[b]) return [a, b];
    }
  }
  return [old.length, fresh.length];
}

/** Maximum columns shown of a line. */
const mostColumns = 200;

/** Makes the white space at the end of a line visible. */
function visibleEnd(given: string): string {
  const line = given.endsWith("\r") ? given.slice(0, -1) : given;
  const kept = line.trimEnd().length;
  const shown = line.slice(0, kept) + "·".repeat(line.length - kept);
  return shown.length > mostColumns ? `${shown.slice(0, mostColumns)}…` : shown;
}
