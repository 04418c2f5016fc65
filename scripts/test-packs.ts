import { availableParallelism } from "node:os";
import { packNames } from "../store/packs.ts";
import type { PackMutant, PackQuality } from "./packs/measure.ts";
import { measurePacks } from "./packs/threads.ts";

/**
 * `npm run test:packs [-- <pack> …] [--survivors]`: checks every shipped pack, runs its suites with coverage, and breaks its text
 * in small ways. A pack passes if `check` has no warning, every example and case holds, every rule of its own matched in some
 * test, and at least `bar` per cent of its mutants were noticed. `--survivors` lists the other mutants, and conditions that were
 * never both true and false. The same text gives the same table; only the order of progress differs.
 */
async function main(given: readonly string[]): Promise<number> {
  const named = given.filter((word) => !word.startsWith("--"));
  const survivors = given.includes("--survivors");
  const begin = performance.now();
  const packs = named.length > 0 ? named : packNames();
  const all = await measurePacks(packs, availableParallelism(), ({ pack }) => {
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    process.stderr.write(`${pack} measured (${seconds} s)\n`);
  });
  for (const one of all) {
    for (const text of [...one.findings, ...one.failures]) console.log(text);
    if (survivors) printSurvivors(one);
  }
  console.log(lines([header, ...all.map(row)]));
  const results = all.flatMap((one) => Object.values(verdicts(one)));
  const failed = results.filter((passes) => !passes).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** Least share of mutants that tests must notice, in per cent. */
const bar = 90;

const header = ["pack", "check", "tests", "rules", "branches", "mutants", "noticed", "score"];

interface Verdicts {
  readonly check: boolean;
  readonly tests: boolean;
  readonly rules: boolean;
  readonly mutants: boolean;
}

function verdicts({ findings, failures, rules, mutants }: PackQuality): Verdicts {
  return {
    check: findings.length === 0,
    tests: failures.length === 0,
    rules: rules.reached === rules.wanted,
    mutants: mutants.length > 0 && noticed(mutants) * 100 >= bar * mutants.length,
  };
}

function noticed(mutants: readonly PackMutant[]): number {
  return mutants.filter((mutant) => mutant.noticed).length;
}

function row(one: PackQuality): string[] {
  const passes = verdicts(one);
  const score = one.mutants.length === 0 ? 0 : Math.floor((noticed(one.mutants) / one.mutants.length) * 1000) / 10;
  return [
    one.pack,
    passes.check ? "clean" : `${one.findings.length} findings`,
    passes.tests ? "hold" : `${one.failures.length} failed`,
    `${one.rules.reached}/${one.rules.wanted}${passes.rules ? "" : " FAILED"}`,
    `${one.branches.reached}/${one.branches.wanted}`,
    String(one.mutants.length),
    String(noticed(one.mutants)),
    `${score.toFixed(1)} %${passes.mutants ? "" : " FAILED"}`,
  ];
}

function printSurvivors({ pack, mutants, uncovered }: PackQuality): void {
  const shown = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 100);
  for (const text of uncovered) console.log(`${pack}:${shown(text)}  not both ways`);
  for (const { at, operator, of, before, after, noticed: seen } of mutants)
    if (!seen) console.log(`${pack}:${at}  ${operator}  in ${of}\n    - ${shown(before)}\n    + ${shown(after)}`);
}

function lines(table: readonly (readonly string[])[]): string {
  const widths = header.map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  return table
    .map((cells) =>
      cells
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

process.exitCode = await main(process.argv.slice(2));
