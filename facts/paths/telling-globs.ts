import type { PathValue } from "../../schema/facts.ts";
import { spend, unmetered } from "../meter.ts";
import { type Part, policyComponents, shellComponents } from "./pattern.ts";

/** Characters of a name that a glob must spell: `*.json` names no `credentials.json`, `cred*` does. */
const spelled = 2;

/**
 * True if the last component of a glob contains a part that distinguishes a row's names: the stem of `credentials.json`, the
 * ending of `*.pem`. A wildcard matches any name, even a key's, so without this test each search through `src/*.json` would count
 * as one for secrets. Only rows without a folder are tested. For a glob that matches only hidden names, their dot suffices.
 */
export function spellsName(path: PathValue, rows: readonly string[]): boolean {
  return [path.lexical, path.real].some((form) => {
    const [glob] = shellComponents(form.slice(form.lastIndexOf("/")).toLowerCase());
    if (glob?.kind !== "part") return false;
    const least = glob.hidden ? 1 : spelled;
    return namesOf(rows).some((name) => mostSpelled(glob, name) >= least);
  });
}

/** Names of rows without a folder, by the rows: only ever a repetition of the same pure work. */
const names = new WeakMap<readonly string[], readonly Part[]>();

function namesOf(rows: readonly string[]): readonly Part[] {
  const known = names.get(rows);
  if (known) return known;
  const made = unmetered(() =>
    rows
      .filter((row) => !row.startsWith("!") && !row.includes("/"))
      .flatMap((row) => policyComponents(row.toLowerCase()) ?? []),
  ).flatMap(([name]) => (name?.kind === "part" ? [name] : []));
  names.set(rows, made);
  return made;
}

type Item = ReturnType<Part["items"]>[number];

/** Returns the most distinguishing characters of a name that a glob spells in any match of the name; -1 if it cannot match. */
function mostSpelled(glob: Part, name: Part): number {
  const [own, other] = [glob.items(), name.items()];
  spend(1 + ((own.length * other.length) >> 4));
  const telling = tellingOf(other);
  let row = new Int32Array(other.length + 1).fill(-1);
  row[0] = 0;
  for (let i = 0; i <= own.length; i++) {
    const next = new Int32Array(other.length + 1).fill(-1);
    for (let j = 0; j <= other.length; j++) {
      const so = row[j] as number;
      if (so < 0) continue;
      const [x, y] = [own[i], other[j]];
      if (y === "star" || (y !== undefined && x === "star")) raise(row, j + 1, so);
      if (x !== undefined && (x === "star" || y === "star")) raise(next, j, so);
      if (x === undefined || y === undefined || x === "star" || y === "star" || !overlap(x, y)) continue;
      raise(next, j + 1, so + (telling[j] && isLetter(x) ? 1 : 0));
    }
    if (i === own.length) break;
    row = next;
  }
  return row[other.length] as number;
}

function raise(row: Int32Array, at: number, to: number): void {
  if ((row[at] as number) < to) row[at] = to;
}

/** Marks the items that distinguish a name: its stem, or its ending if the stem is a wildcard. */
function tellingOf(items: readonly Item[]): readonly boolean[] {
  const dot = items.findLastIndex((item, i) => i > 0 && item !== "star" && item[0]?.[0] === 0x2e && isLetter(item));
  const isStem = (i: number): boolean => dot < 0 || i < dot;
  const inStem = items.some((item, i) => isStem(i) && isLetter(item));
  return items.map((item, i) => isLetter(item) && isStem(i) === inStem);
}

/** True for an item that is one letter. */
function isLetter(item: Item): boolean {
  return item !== "star" && item.length === 1 && item[0]?.[0] === item[0]?.[1];
}

function overlap(a: Exclude<Item, "star">, b: Exclude<Item, "star">): boolean {
  return a.some((x) => b.some((y) => x[0] <= y[1] && y[0] <= x[1]));
}
