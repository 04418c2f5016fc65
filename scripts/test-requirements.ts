import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { allRequirements as rows } from "../test/seeds/all.ts";
import { type RunTitles, runTitles, unproven } from "../test/seeds/proven.ts";

/**
 * `npm run test:requirements -- --report <file> --report <file>`: checks that every test that a row of
 * docs/reference/requirements.md names ran and passed, by the JSON reports of `npm test` and `npm run test:heavy` (each with
 * `HOOKWARDEN_TEST_REPORT=<file>`). Cases of real hosts are held against `test/hosts/passed.json` by the tests themselves.
 * Ends with `N passed, N failed`, counted in rows.
 */
const { values } = parseArgs({ options: { report: { type: "string", multiple: true, default: [] } } });

const faults =
  values.report.length === 0 ? ["--report takes the JSON report of a run of tests"] : inReports(values.report);
for (const fault of faults) console.error(fault);
const failed = values.report.length === 0 ? 1 : new Set(faults.map((fault) => fault.split(" ")[0])).size;
console.log(`${rows.length - Math.min(failed, rows.length)} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function inReports(files: readonly string[]): string[] {
  try {
    return unproven(rows, new Map(files.flatMap((file) => [...titlesIn(file)])));
  } catch (fault) {
    return [`a report cannot be read: ${fault instanceof Error ? fault.message : String(fault)}`];
  }
}

/** Titles of one report, by file. No file runs in both suites. */
function titlesIn(file: string): RunTitles {
  return runTitles(JSON.parse(readFileSync(file, "utf8")), join(import.meta.dirname, ".."));
}
