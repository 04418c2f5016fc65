import type { Requirement } from "./requirement.ts";
import type { SeedSentence } from "./seed-sentences.ts";
import listed from "./sentences.json" with { type: "json" };

/** What stands for a sentence that asks for nothing. */
export const idleReasons = [
  "about the text",
  "leads to what follows",
  "advice",
  "plan of its authors",
  "status",
] as const;

/** One sentence of a seed, known by its digest: the rows that it has, or why it has none. */
export interface KnownSentence {
  readonly id: string;
  readonly digest: string;
  readonly rows: readonly string[];
  /** Why no row is owed; absent where there are rows. */
  readonly idle?: string;
}

/** Sentences by seed, each as `<digest> <row> …` or `<digest> - <reason>`. */
export type Listed = Readonly<Record<string, readonly string[]>>;

/** Every sentence of the seeds, in its order. Their texts are not ours to copy. */
export function knownSentences(from: Listed = listed): KnownSentence[] {
  return Object.entries(from).flatMap(([seed, lines]) =>
    lines.map((line, at) => {
      const [digest = "", ...said] = line.split(" ");
      const id = `${seed} ${at + 1}`;
      return said[0] === "-" ? { id, digest, rows: [], idle: said.slice(1).join(" ") } : { id, digest, rows: said };
    }),
  );
}

/** Rows that stand for a code block or a heading of a seed rather than for a sentence. */
export const rowsOfBlocks: Readonly<Record<string, readonly string[]>> = {
  "omp-hooks 3": ["omp-example-block"],
  "omp-hooks 4": ["omp-example-redact"],
  "omp-hooks 6": ["omp-example-command"],
  "opta-hook-system 2": ["opta.events"],
  "opta-hook-system 3": [
    "opta.schema.event",
    "opta.schema.command",
    "opta.schema.matcher",
    "opta.schema.timeout",
    "opta.schema.background",
  ],
  "opta-hook-system 4": ["opta.example"],
};

/** What is wrong with the list: a sentence without a row and without a reason, a row that is not there, or one that no seed asks for. */
export function sentenceFaults(
  sentences: readonly KnownSentence[],
  rows: readonly Pick<Requirement, "id" | "seed">[],
  blocks: Readonly<Record<string, readonly string[]>> = rowsOfBlocks,
): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  const asked = new Set([...sentences.flatMap((one) => one.rows), ...Object.values(blocks).flat()]);
  return [
    ...sentences.flatMap(({ id, rows: of, idle }) => [
      ...(of.length === 0 && idle === undefined ? [`${id} has no row`] : []),
      ...(idle !== undefined && !(idleReasons as readonly string[]).includes(idle)
        ? [`${id}: \`${idle}\` is no reason`]
        : []),
      ...of.filter((row) => !ids.has(row)).map((row) => `${id}: there is no row ${row}`),
    ]),
    ...Object.entries(blocks).flatMap(([id, of]) =>
      of.filter((row) => !ids.has(row)).map((row) => `${id}: there is no row ${row}`),
    ),
    ...[...ids].filter((row) => !asked.has(row)).map((row) => `no sentence asks for ${row}`),
  ];
}

/** Where a seed's own sentences are others than those in the list. */
export function changedSentences(known: readonly KnownSentence[], found: readonly SeedSentence[]): string[] {
  const by = new Map(found.map((one) => [one.id, one]));
  return [
    ...known.flatMap(({ id, digest }) => {
      const there = by.get(id);
      if (there === undefined) return [`${id} is gone`];
      return there.digest === digest ? [] : [`${id} is another sentence: ${there.text}`];
    }),
    ...found.filter(({ id }) => !known.some((one) => one.id === id)).map(({ id, text }) => `${id} is new: ${text}`),
  ];
}
