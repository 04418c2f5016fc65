import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { failuresOf, type Outcome } from "./outcome.ts";
import { type Place, runLanes, runSuite, type Suite } from "./suite.ts";
import { summary } from "./summary.ts";

/**
 * The part of `.ci/run` after the installation: it proves that a fresh clone works. `--run` and `--test` are the commands of the
 * README's two lines after their installation. Nothing here is timed or uses a new seed, and only one host is real; `.ci/full`
 * does the rest.
 */
const { values } = parseArgs({ options: { run: { type: "string" }, test: { type: "string" } } });
if (values.run === undefined || values.test === undefined) {
  console.error("usage: .ci/run");
  process.exit(2);
}

/** Generated cases are the same in every gate, so that a change is judged by what it changed. */
const seed = 20261121;

/** Suites that use regular expressions most, or name the engine. The tests run with the addon; these run without it too. */
const patternSuites = [
  "test/facts/regex",
  "test/facts/secrets",
  "test/facts/text",
  "test/facts/paths",
  "test/rules/actions/redact",
  "test/rules/functions",
  "test/properties/redaction",
  "test/schema/tool-matcher",
  "test/cli/doctor.test",
  "test/engine/explain.test",
];

/** Suites that run alone, one after the other. */
const suites: readonly Suite[] = [
  { name: "README, first line", command: values.run, reads: "exit" },
  { name: "README, second line", command: values.test, reads: "vitest", again: true },
];

/**
 * Lanes that run in parallel, one for each core; both take about as long. The only host tested is the newest pi; `.ci/full` tests
 * the others.
 */
const lanes: readonly (readonly Suite[])[] = [
  [
    { name: "types", command: "npm run --silent check:types", reads: "exit" },
    { name: "lint and format", command: "npm run --silent lint", reads: "exit" },
    { name: "five minutes", command: "npx tsx scripts/five-minutes.ts --check", reads: "exit" },
    {
      name: "script engine",
      command: `npx vitest run ${patternSuites.join(" ")}`,
      reads: "vitest",
      again: true,
      env: { HOOKWARDEN_TEST_REGEX: "re2js" },
    },
    { name: "conformance", command: "npm run --silent conformance", reads: "exit" },
    { name: "pre-commit", command: "npm run --silent test:pre-commit", reads: "counted", again: true },
  ],
  [
    { name: "pi", command: "npm run --silent test:hosts -- pi newest", reads: "counted", again: true },
    { name: "fuzz", command: `npm run --silent fuzz -- --seed ${seed} --cases 50000`, reads: "exit" },
  ],
];

/**
 * Eight minutes without output are a hang: the longest test file prints after one. A hanging process is ended and fails, and a test file
 * that hung runs again alone.
 */
const patience = 8 * 60_000;
/** A suite that prints for ever is ended as well: the whole gate takes less on a machine that does nothing else. */
const longest = 30 * 60_000;

const root = join(import.meta.dirname, "..", "..");
const place: Place = {
  root,
  folder: join(root, ".scratch", "ci", "run"),
  print: (text) => process.stdout.write(text),
  patience,
  longest,
};
rmSync(place.folder, { recursive: true, force: true });
mkdirSync(place.folder, { recursive: true });

const outcomes: Outcome[] = [];
for (const suite of suites) outcomes.push(await runSuite(suite, place));
outcomes.push(...(await runLanes(lanes, place)));

const report = join(place.folder, "report.json");
writeFileSync(report, `${JSON.stringify(outcomes, null, 2)}\n`);
process.stdout.write(`\n${outcomes.map((one) => `${String(one.seconds).padStart(5)} s  ${one.suite}`).join("\n")}\n\n`);
process.stdout.write(`${summary(outcomes, relative(root, report)).join("\n")}\n`);
process.exitCode = failuresOf(outcomes).length > 0 ? 1 : 0;
