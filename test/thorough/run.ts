import type { Row } from "../../authoring/thorough/judge.ts";
import { countRows } from "../../authoring/thorough/thorough.ts";
import { variationNames } from "../../authoring/thorough/variation.ts";
import { type Exception, faultsOf, isFailure, isFor, keyOf, readExceptions, readGaps, writeGaps } from "./known.ts";
import { packs, type Subject, specPages } from "./subjects.ts";

/**
 * `npm run test:thorough [-- <pack> …] [--update] [--ways]`: judges the examples of all packs and of the language manual in other
 * spellings, as `check --thorough` does. A row fails that does not hold, unless an exception with a reason is for it or it is one of
 * the gaps that are known (`gaps.tsv`). Exceptions are for at most 2 % of the rows, and one without use fails. `--update` writes the
 * gaps that are left. `--ways` shows the numbers of each way. The same text gives the same rows.
 */
function main(given: readonly string[]): number {
  const named = given.filter((word) => !word.startsWith("--"));
  const subjects = [...packs(), ...specPages()].filter(({ name }) => named.length === 0 || named.includes(name));
  const exceptions = readExceptions();
  const gaps = readGaps();
  const judged = subjects.map((subject) => [subject, subject.rows()] as const);
  const rows = judged.flatMap(([, found]) => found);
  for (const [subject, found] of judged) console.log(line(subject, found, exceptions));
  if (given.includes("--ways")) printWays(rows);
  const failing = rows.filter(isFailure).filter((row) => !exceptions.some((one) => isFor(one, row)));
  const fresh = failing.filter((row) => !gaps.has(keyOf(row)));
  for (const row of fresh) console.log(`not ok ${row.state}: ${keyOf(row)}`);
  const known = new Set(failing.map(keyOf));
  const mended = named.length > 0 ? [] : [...gaps].filter((key) => !known.has(key));
  if (mended.length > 0)
    console.log(`${mended.length} gaps hold now; \`npm run test:thorough -- --update\` takes them out`);
  if (given.includes("--update")) writeGaps([...known]);
  const faults = named.length > 0 ? [] : faultsOf(exceptions, rows);
  for (const fault of faults) console.log(`not ok ${fault}`);
  const { judged: all, hold, ignored, not_applicable } = countRows(rows);
  const percent = ((hold / all) * 100).toFixed(2);
  console.log(
    `${all} rows, ${hold} hold (${percent} %), ${ignored} ignored by \`unsure: ignore\`; ${not_applicable} cannot be made`,
  );
  console.log(
    `${failing.length - fresh.length} are known gaps, ${rows.filter(isFailure).length - failing.length} are exceptions`,
  );
  console.log(`${hold + ignored} passed, ${fresh.length + faults.length} failed`);
  return fresh.length + faults.length > 0 ? 1 : 0;
}

function line({ name }: Subject, rows: readonly Row[], exceptions: readonly Exception[]): string {
  const { examples, judged, hold, ignored, failed } = countRows(rows);
  const excepted = rows.filter((row) => isFailure(row) && exceptions.some((one) => isFor(one, row))).length;
  const cells = [`${examples} examples`, `${judged} rows`, `${hold} hold`, `${ignored} ignored`];
  return [name.padEnd(18), ...[...cells, `${failed} do not`, `${excepted} excepted`].map((cell) => cell.padEnd(14))]
    .join(" ")
    .trimEnd();
}

function printWays(rows: readonly Row[]): void {
  for (const way of variationNames) {
    const { judged, hold, ignored, failed } = countRows(rows.filter(({ name }) => name === way));
    console.log(`${way.padEnd(20)} ${judged} rows, ${hold} hold, ${ignored} ignored, ${failed} do not`);
  }
}

process.exitCode = main(process.argv.slice(2));
