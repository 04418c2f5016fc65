import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Requirement } from "../requirement.ts";
import { type Mutant, mutantDigest } from "./mutant.ts";

/** Rows whose mutant made a test of theirs fail, each with the digest of that mutant. */
export type Killed = Readonly<Record<string, string>>;

const recorded = join(import.meta.dirname, "killed.json");

/** What the last recorded run of the mutants came to; empty where there was none. */
export function killedRows(file = recorded): Killed {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Killed) : {};
}

/** Writes what a run came to. Rows that it did not look at keep what they had, as long as they have that mutant. */
export function recordKilled(
  killed: Killed,
  looked: ReadonlySet<string>,
  mutants: readonly Mutant[],
  file = recorded,
): void {
  const kept = Object.entries(killedRows(file)).filter(([row]) => !looked.has(row));
  const all = [...kept, ...Object.entries(killed)].filter(([row, digest]) => isOf(row, digest, mutants));
  const sorted = all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** How a row is proven: by a mutant that its tests killed, by a case of a real host alone, or not: it is only touched. */
export function proofOf({ id, tests }: Requirement, killed: Killed): "killed" | "host" | "touched" {
  if (Object.hasOwn(killed, id)) return "killed";
  return tests.some((test) => test.startsWith("test/hosts/")) ? "host" : "touched";
}

/** What is wrong with recorded mutants: a row or text that is not there, or a result that is about another mutant. */
export function mutantFaults(
  rows: readonly Requirement[],
  mutants: readonly Mutant[],
  killed: Killed,
  read: (path: string) => string | undefined,
): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  return [
    ...mutants.flatMap(({ rows: of, file, before, after }) => [
      ...of.filter((row) => !ids.has(row)).map((row) => `there is no row ${row}`),
      ...(before === after ? [`${of}: the mutant changes nothing`] : []),
      ...placesFault(of, file, read(file)?.split(before).length),
    ]),
    ...Object.entries(killed)
      .filter(([row, digest]) => !isOf(row, digest, mutants))
      .map(([row]) => `${row}: its mutant is another one since the last run (\`npm run test:mutants -- --record\`)`),
  ];
}

function placesFault(rows: readonly string[], file: string, parts: number | undefined): string[] {
  if (parts === undefined) return [`${rows}: there is no file ${file}`];
  return parts === 2 ? [] : [`${rows}: the text of its mutant stands ${parts - 1} times in ${file}`];
}

function isOf(row: string, digest: string, mutants: readonly Mutant[]): boolean {
  return mutants.some((mutant) => mutant.rows.includes(row) && mutantDigest(mutant) === digest);
}
