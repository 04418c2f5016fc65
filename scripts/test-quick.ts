import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run test:quick`: the tests that take less than a second, for use before every commit; `test/slow-files.json` lists the
 * slower files. `-- --record <file>` rewrites that list from the JSON report of a whole run (`HOOKWARDEN_TEST_REPORT=<file> npm
 * test`). Ends with Vitest's exit code.
 */
const root = join(import.meta.dirname, "..");
const list = join(root, "test/slow-files.json");
const { values } = parseArgs({ options: { record: { type: "string" } } });

/** Milliseconds from which a file is slow. */
const slow = 1_000;

if (values.record === undefined) process.exitCode = run(JSON.parse(readFileSync(list, "utf8")) as readonly string[]);
else writeFileSync(list, `${JSON.stringify(slowFiles(values.record), undefined, 2)}\n`);

function run(left: readonly string[]): number {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const excluded = ["**/*.heavy.test.ts", ...left].flatMap((name) => ["--exclude", name]);
  return spawnSync(process.execPath, [vitest, "run", ...excluded], { cwd: root, stdio: "inherit" }).status ?? 1;
}

/** Files of a report that took long, relative to the repository, in order. Heavy ones are left out by their name. */
function slowFiles(report: string): readonly string[] {
  interface Result {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
  }
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as { readonly testResults: readonly Result[] };
  return testResults
    .filter(({ startTime, endTime }) => endTime - startTime >= slow)
    .map(({ name }) => relative(root, name).split(sep).join("/"))
    .filter((name) => !name.endsWith(".heavy.test.ts"))
    .sort();
}
