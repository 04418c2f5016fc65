import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { spawnSync } from "../bounded-process.ts";
import { type Figure, printVerified, verifyFigures } from "./figures.ts";
import { judgeMutants, shownMutant } from "./mutants.ts";

/**
 * `npm run test:audit`: the figures of the audit trail, and the tests that take long: damage, bits, processes that are
 * killed, writers at once, replay, and 5,000 changed trails that both verifiers judge. `-- --full` has them at full size. `-- --figures` leaves out the tests, which are part of
 * the whole suite too. Times are shown and not judged. Exit code 1 when a figure or a test fails.
 */
const root = join(import.meta.dirname, "..", "..");
const full = process.argv.includes("--full");
/** `--mutants <count>` and `--seed <seed>` for the changed trails. */
const mutantCount = numberAfter("--mutants", 5_000);
const seed = numberAfter("--seed", 20261121);
const figuresOnly = process.argv.includes("--figures");
const single = process.argv.indexOf("--verify");

if (single >= 0) {
  const path = process.argv[single + 1] ?? "";
  await printVerified(path, statSync(path).size);
} else {
  const figures = [
    ...(await (await built()).appendFigures(full ? 20_000 : 5_000)),
    ...verifyFigures(full ? 1_024 : 64),
    ...(await mutantFigures(mutantCount)),
  ];
  for (const figure of figures) printFigure(figure);
  const judged = figures.filter(({ holds }) => holds !== undefined);
  const tests: Tests = figuresOnly ? { passed: 0, failed: 0, failures: [] } : runTests();
  for (const name of tests.failures) process.stdout.write(`failed: ${name}\n`);
  const passed = judged.filter(({ holds }) => holds).length + tests.passed;
  const failed = judged.filter(({ holds }) => !holds).length + tests.failed;
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/** Changed trails, judged by both verifiers: how many they disagree on, and how many with other content pass for intact. */
async function mutantFigures(count: number): Promise<Figure[]> {
  const { disagreements, missed, byStatus } = await judgeMutants(count, seed);
  for (const one of [...disagreements, ...missed]) process.stdout.write(`${shownMutant(one)}\n`);
  const statuses = Object.entries(byStatus).map(([status, n]) => `${n} ${status}`);
  const value = (n: number): string => `${n} of ${count} (seed ${seed}; ${statuses.join(", ")})`;
  return [
    {
      name: "changed trails, verifiers disagree",
      value: value(disagreements.length),
      bar: "0",
      holds: disagreements.length === 0,
    },
    { name: "changed trails, taken for intact", value: value(missed.length), bar: "0", holds: missed.length === 0 },
  ];
}

/** The measuring code as it would be shipped: what runs sources directly makes short functions several times slower. */
async function built(): Promise<typeof import("./figures.ts")> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-figures-"));
  try {
    const outfile = join(folder, "figures.mjs");
    const entryPoints = [join(import.meta.dirname, "figures.ts")];
    await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
    return (await import(outfile)) as typeof import("./figures.ts");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function printFigure({ name, value, bar, holds }: Figure): void {
  const word = holds === undefined ? "" : holds ? "ok" : "FAILED";
  process.stdout.write(`${name.padEnd(36)} ${value.padEnd(58)} ${bar.padEnd(12)} ${word}\n`);
}

function numberAfter(name: string, usual: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}

interface Tests {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

/** The tests of damage, of processes, and of replay; at full size where that is asked for. */
function runTests(): Tests {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-audit-tests-"));
  const out = join(folder, "report.json");
  const files = ["test/audit", "test/store/trail-processes", "test/store/session-processes", "test/authoring/replay"];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const env = { ...process.env, ...(full && { HOOKWARDEN_AUDIT_FULL: "1", HOOKWARDEN_REPLAY_EVENTS: "100000" }) };
  spawnSync(
    process.execPath,
    [vitest, "run", ...files, "--reporter=default", "--reporter=json", `--outputFile=${out}`],
    {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  try {
    return existsSync(out)
      ? readReport(out)
      : { passed: 0, failed: 1, failures: ["the tests did not run to their end"] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function readReport(path: string): Tests {
  const report = JSON.parse(readFileSync(path, "utf8")) as VitestReport;
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failures = results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  // A file that could not be loaded has no tests, and is a failure all the same.
  const unloaded = failures.length === 0 ? report.numFailedTestSuites : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded, failures };
}
