import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Row } from "../../authoring/thorough/judge.ts";
import { type VariationName, variationNames } from "../../authoring/thorough/variation.ts";

/** A way of some examples that need not hold, and why. Without a call it is for every example of the rule. */
export interface Exception {
  readonly rule: string;
  readonly ways: readonly VariationName[];
  readonly call?: string;
  readonly reason: string;
}

/** The exceptions that are checked in. Throws for one without a reason or with a way that there is not. */
export function readExceptions(path = join(import.meta.dirname, "exceptions.yaml")): readonly Exception[] {
  const found = parse(readFileSync(path, "utf8")) as readonly Exception[];
  for (const { rule, ways, reason } of found) {
    const unknown = ways.find((way) => !variationNames.includes(way));
    if (unknown !== undefined) throw new Error(`exception for ${rule}: there is no way \`${unknown}\``);
    if (reason.trim().length < 20) throw new Error(`exception for ${rule}: it has no reason`);
  }
  return found;
}

/** True for a row that an exception is for. */
export function isFor(exception: Exception, row: Row): boolean {
  const { rule, ways, call } = exception;
  return rule === row.rule.id && ways.includes(row.name) && (call === undefined || call === row.variation?.shown);
}

const gapsPath = join(import.meta.dirname, "gaps.tsv");

/** Rows that are to hold and do not yet. The list may only become shorter. */
export function readGaps(): ReadonlySet<string> {
  return new Set(
    readFileSync(gapsPath, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  );
}

/** Writes the gaps that are left. */
export function writeGaps(gaps: readonly string[]): void {
  const head =
    "# Spellings of examples that are to hold and do not yet: rule, way, call. `npm run test:thorough -- --update`\n";
  writeFileSync(gapsPath, `${head}${[...new Set(gaps)].sort().join("\n")}\n`);
}

/** Names a row. */
export function keyOf({ rule, name, variation }: Row): string {
  return [rule.id, name, JSON.stringify(variation?.shown ?? "").slice(1, -1)].join("\t");
}

/** True for a row that does not hold, and that nobody said need not. */
export function isFailure({ state }: Row): boolean {
  return state === "through" || state === "weaker" || state === "unjudged";
}

/** Reports exceptions that nothing uses, and too many of them. */
export function faultsOf(exceptions: readonly Exception[], rows: readonly Row[]): string[] {
  const judged = rows.filter(({ state }) => state !== "not applicable").length;
  const used = (one: Exception): number => rows.filter((row) => isFailure(row) && isFor(one, row)).length;
  const total = exceptions.reduce((sum, one) => sum + used(one), 0);
  const unused = exceptions.filter((one) => used(one) === 0);
  return [
    ...unused.map(({ rule, ways }) => `exception for ${rule} (${ways.join(", ")}) is used by nothing; take it out`),
    ...(total * 50 > judged ? [`exceptions are for ${total} of ${judged} rows, and may be for 2 %`] : []),
  ];
}
