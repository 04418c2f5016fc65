import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { shuffled } from "../test/attacks/sample.ts";
import { Random } from "../test/properties/language/random.ts";
import { allRequirements } from "../test/seeds/all.ts";
import { allMutants } from "../test/seeds/mutants/all.ts";
import { recordKilled } from "../test/seeds/mutants/killed.ts";
import { type Mutant, mutantDigest } from "../test/seeds/mutants/mutant.ts";
import { runTitles, unproven } from "../test/seeds/proven.ts";

/**
 * `npm run test:mutants -- [--rows id,id] [--sample N --seed S] [--jobs N] [--record]`: makes each recorded change of the product
 * in a copy, runs the tests that its rows name, and says which rows did not notice; with `--sample`, of as many changes, which
 * the seed chooses. `--record` writes test/seeds/mutants/killed.json, from which docs/reference/requirements.md tells what is
 * proven. Ends with `N passed, N failed`, counted in rows.
 */
const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    rows: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "2" },
    record: { type: "boolean", default: false },
  },
});
const jobs = wholeNumber("jobs", values.jobs);
const seed = wholeNumber("seed", values.seed);
const size = values.sample === undefined ? undefined : wholeNumber("sample", values.sample);
const wanted = values.rows === undefined ? undefined : new Set(values.rows.split(","));
const byId = new Map(allRequirements.map((row) => [row.id, row]));
const unknown = [...(wanted ?? [])].filter((id) => !byId.has(id));
if (unknown.length > 0) {
  console.error(`there is no row \`${unknown.join("`, `")}\``);
  process.exit(2);
}

const fitting = allMutants.filter(({ rows }) => wanted === undefined || rows.some((row) => wanted.has(row)));
const chosen = size === undefined ? fitting : shuffled(fitting, new Random(seed)).slice(0, size);
if (size !== undefined) console.log(`seed ${seed}: ${chosen.length} of ${fitting.length} changes`);
const killed: Record<string, string> = {};
const looked = new Set<string>();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-mutants-")));
try {
  const queue = [...chosen];
  await Promise.all(Array.from({ length: Math.min(jobs, Math.max(1, queue.length)) }, (_, n) => worker(n, queue)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const survived = [...looked].filter((row) => !Object.hasOwn(killed, row));
for (const row of survived.sort()) console.log(`survived: ${row}`);
if (values.record) recordKilled(killed, looked, allMutants);
console.log(`${looked.size - survived.length} passed, ${survived.length} failed`);
process.exitCode = survived.length > 0 || looked.size === 0 ? 1 : 0;

/** A whole number of at least 1; anything else ends the command with exit code 2. */
function wholeNumber(name: string, given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  console.error(`--${name} takes a whole number of at least 1, not \`${given}\``);
  process.exit(2);
}

/** Tests mutants from the queue until it is empty, in a separate copy. */
async function worker(number: number, queue: Mutant[]): Promise<void> {
  const copy = copied(join(scratch, String(number), "repository"));
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) await judged(copy, mutant);
}

/** Copies the tracked and the new files of the repository; packages and sibling folders are links. */
function copied(folder: string): string {
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name), { force: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  symlinkSync(join(root, "dist"), join(folder, "dist"));
  symlinkSync(join(root, "../shared"), join(folder, "../shared"));
  return folder;
}

async function judged(copy: string, mutant: Mutant): Promise<void> {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, "utf8");
  if (text.split(mutant.before).length !== 2) throw new Error(`${mutant.rows}: its text is not there once`);
  writeFileSync(path, text.split(mutant.before).join(mutant.after));
  try {
    const rows = mutant.rows.flatMap((id) => byId.get(id) ?? []);
    const report = await runOf(copy, [...new Set(rows.flatMap(({ tests }) => tests.flatMap(fileOf)))]);
    for (const row of rows) {
      looked.add(row.id);
      const failed =
        report === undefined ? [] : unproven([row], report).filter((fault) => fault.includes("did not pass"));
      if (failed.length > 0) killed[row.id] = mutantDigest(mutant);
      console.log(`${failed.length > 0 ? "killed" : "SURVIVED"} ${row.id}`);
    }
  } finally {
    writeFileSync(path, text);
  }
}

/** Returns the test file that runs the test of a row; none for cases of real hosts. */
function fileOf(test: string): string[] {
  const path = test.slice(0, test.indexOf(" > "));
  if (path.startsWith("test/hosts/")) return [];
  return [path === "test/spec/profiles.md" ? "test/spec-profiles.test.ts" : path];
}

/**
 * Runs some test files and returns their titles; undefined if there was no report. A mutant that cannot be loaded is not noticed
 * by any test.
 */
function runOf(copy: string, files: readonly string[]): Promise<ReturnType<typeof runTitles> | undefined> {
  const report = join(dirname(copy), "report.json");
  rmSync(report, { force: true });
  const vitest = join(copy, "node_modules/vitest/vitest.mjs");
  const env = { ...process.env, HOOKWARDEN_TEST_REPORT: report };
  return new Promise((resolve) => {
    // A mutant may make a test wait for ever.
    const limit = ["--testTimeout=20000", "--hookTimeout=20000"];
    const child = spawn(process.execPath, [vitest, "run", ...limit, ...files], { cwd: copy, env, stdio: "ignore" });
    child.on("close", () => {
      try {
        resolve(runTitles(JSON.parse(readFileSync(report, "utf8")), copy));
      } catch {
        resolve(undefined);
      }
    });
  });
}
