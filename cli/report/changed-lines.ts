import type { Palette } from "../../diagnostics/render.ts";

/** Lines of each side that are shown of one file. */
const mostLines = 12;
/** How far two texts are searched for the line where they meet again. */
const window = 60;

/**
 * An excerpt of what changes between two texts, as `-` and `+` lines with line numbers of the old text; the first few
 * places only.
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

/** The nearest pair of equal lines behind two places; the ends where there is none in reach. */
function meeting(old: readonly string[], i: number, fresh: readonly string[], j: number): readonly [number, number] {
  for (let distance = 1; distance <= window; distance++) {
    for (let back = 0; back <= distance; back++) {
      const [a, b] = [i + distance - back, j + back];
      if (a < old.length && b < fresh.length && old[a] === fresh[b]) return [a, b];
    }
  }
  return [old.length, fresh.length];
}

/** Columns of a line that are shown. */
const mostColumns = 200;

/** A line with the white space at its end made visible, which nobody would see otherwise. */
function visibleEnd(given: string): string {
  const line = given.endsWith("\r") ? given.slice(0, -1) : given;
  const kept = line.trimEnd().length;
  const shown = line.slice(0, kept) + "·".repeat(line.length - kept);
  return shown.length > mostColumns ? `${shown.slice(0, mostColumns)}…` : shown;
}
