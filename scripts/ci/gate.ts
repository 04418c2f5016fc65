import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { failuresOf, type Outcome } from "./outcome.ts";
import { type Place, runLanes, runSuite, type Suite } from "./suite.ts";
import { summary } from "./summary.ts";

/**
 * What `.ci/run` does once everything is installed: it proves that a checkout is sound for whoever clones it. `--run` and
 * `--test` are what the README's two lines do after they have installed. Nothing here is timed, nothing is generated from a
 * new seed, and only one host is real; `.ci/full` has the rest.
 */
const { values } = parseArgs({ options: { run: { type: "string" }, test: { type: "string" } } });
if (values.run === undefined || values.test === undefined) {
  console.error("usage: .ci/run");
  process.exit(2);
}

/** Generated cases are the same in every gate, so that a change is judged by what it changed. */
const seed = 20261121;

/** Suites that use regular expressions most, or name the engine: they pass with the addon, which the tests ran with, and without it. */
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

/** What runs by itself, one after the other. */
const suites: readonly Suite[] = [
  { name: "README, first line", command: values.run, reads: "exit" },
  { name: "README, second line", command: values.test, reads: "vitest", again: true },
];

/**
 * What runs beside each other, one lane to a core; both take about as long. Of the hosts it is the newest pi that is tested;
 * `.ci/full` has the others.
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

const root = join(import.meta.dirname, "..", "..");
const place: Place = {
  root,
  folder: join(root, ".scratch", "ci", "run"),
  print: (text) => process.stdout.write(text),
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
