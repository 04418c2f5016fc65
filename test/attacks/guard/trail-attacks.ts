/** What somebody does to the records of a session that a real host had. */
export interface TrailAttack {
  readonly id: string;
  readonly title: string;
  /** The lines of the session's first segment as they then are. */
  readonly change: (lines: readonly string[]) => readonly string[];
}

const middle = (lines: readonly string[]): number => Math.floor(lines.length / 2);

export const trailAttacks: readonly TrailAttack[] = [
  {
    id: "trail-outcome",
    title: "a refusal made a pass in the records of the session",
    change: (lines) => {
      const at = lines.findIndex((line) => line.includes('"outcome":"block"'));
      return lines.map((line, n) => (n === at ? line.replace('"outcome":"block"', '"outcome":"allow"') : line));
    },
  },
  {
    id: "trail-removed",
    title: "a record taken out of the session",
    change: (lines) => lines.filter((_, n) => n !== middle(lines)),
  },
  {
    id: "trail-swapped",
    title: "two records of the session swapped",
    change: (lines) =>
      lines.map((line, n) => lines[n === middle(lines) ? n + 1 : n === middle(lines) + 1 ? n - 1 : n] ?? line),
  },
  {
    id: "trail-twice",
    title: "a record of the session twice",
    change: (lines) => lines.flatMap((line, n) => (n === middle(lines) ? [line, line] : [line])),
  },
  {
    id: "trail-cut",
    title: "the session's records cut off, which a checkpoint covers",
    change: (lines) => lines.slice(0, 2),
  },
];
