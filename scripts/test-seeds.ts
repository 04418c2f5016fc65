import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run test:seeds -- [--seed N] [--rounds N]`: runs every property again, each round with a new seed, which is printed first.
 * `npm test` always uses the same seed, so that its failures come from the change; a failure here may be an older fault.
 * `FC_SEED=<seed> npx vitest run <file>` repeats one. Ends with `N passed, N failed`. `--list` names the files and runs nothing.
 */
const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: { seed: { type: "string" }, rounds: { type: "string", default: "1" }, list: { type: "boolean" } },
});
const first = number(values.seed, Math.floor(Math.random() * 0x7fffffff), "seed");
const rounds = number(values.rounds, 1, "rounds");

const files = propertyFiles();
if (values.list) {
  console.log(files.join("\n"));
  process.exit(0);
}
const total = { passed: 0, failed: 0 };
for (let round = 0; round < rounds; round++) {
  const seed = (first + round * 0x9e3779b1) % 0x7fffffff;
  console.log(`seed ${seed}, ${files.length} files of properties`);
  const { passed, failed } = run(seed);
  if (failed > 0) console.log(`seed ${seed}: ${failed} failed; FC_SEED=${seed} repeats it`);
  total.passed += passed;
  total.failed += failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** A whole number that was given; a usage error ends the command with exit code 2. */
function number(given: string | undefined, usual: number, name: string): number {
  const value = given === undefined ? usual : Number(given);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  console.error(`--${name} takes a whole number, not \`${given}\``);
  process.exit(2);
}

/** Test files whose cases are drawn by a seed. */
function propertyFiles(): string[] {
  const all = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  return all
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name))
    .filter((name) => /from "(?:fast-check|[./]+\/seed\.ts)"/.test(readFileSync(join(root, name), "utf8")))
    .sort();
}

/** Counts of one run; a run without a report has failed. */
function run(seed: number): { passed: number; failed: number } {
  const scratch = mkdtempSync(join(tmpdir(), "hookwarden-seeds-"));
  try {
    const report = join(scratch, "report.json");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const env = { ...process.env, FC_SEED: String(seed), HOOKWARDEN_TEST_REPORT: report };
    const { status } = spawnSync(process.execPath, [vitest, "run", ...files], { cwd: root, env, stdio: "inherit" });
    const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as Record<string, number>;
    const failed = (numTotalTests ?? 0) - (numPassedTests ?? 0);
    return { passed: numPassedTests ?? 0, failed: failed === 0 && status !== 0 ? 1 : failed };
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : String(fault));
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
