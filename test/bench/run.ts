import type { SpawnSyncOptions } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem, type } from "node:os";
import { join } from "node:path";
import { createRegexEngine } from "../../facts/regex.ts";
import { spawnSync } from "../bounded-process.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";
import { type Budgets, better, checkBudgets, recorded, sectionOf } from "./budgets.ts";
import { benchFolder, bundleBench } from "./bundle.ts";
import type { Report } from "./measure.ts";
import { sectionNames } from "./options.ts";
import { barSummary, barTable, page, type Ran, type Surroundings } from "./page.ts";

/**
 * `npm run bench`: what deciding, hooks, compiling, redaction and the audit trail cost, beside others, all in one run; the
 * table of bars comes last. `-- hook daemon` are sections of it.
 *
 *   --json      the numbers alone
 *   --quick     fewer rounds, smaller sizes
 *   --write     also writes docs/reference/performance.md
 *   --profile   also writes processor profiles to an ignored folder
 *   --check     quick; compares ratios with test/bench/budgets.json; ends with `N passed, N failed`
 *   --record    quick; writes the ratios of this run to that file
 *   --false-positives   of `redaction`, instead: what the detectors find where nothing is
 */
const known = ["--json", "--quick", "--write", "--profile", "--check", "--record", "--false-positives"];

/** What says nothing about a bar is left out where only bars are looked at. */
const withoutBars: ReadonlySet<string> = new Set(["shell-decision", "facts"]);

/** What runs the package as it is built. */
const ofBuild: ReadonlySet<string> = new Set(["hook", "worst", "daemon", "pi", "authoring"]);

/** How often a section with a ratio that fails is measured again: what else the machine did passes, a regression stays. */
const repetitions = 2;

const root = join(import.meta.dirname, "../..");
const budgetFile = join(import.meta.dirname, "budgets.json");
const given = process.argv.slice(2).filter((word) => word.startsWith("--"));
const isShort = given.includes("--check") || given.includes("--record");
const flags = isShort ? [...new Set([...given, "--quick"])] : given;
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const has = (flag: string): boolean => flags.includes(flag);

const unknown = [
  ...wanted.filter((name) => !(sectionNames as readonly string[]).includes(name)),
  ...given.filter((flag) => !known.includes(flag)),
];
if (unknown.length > 0) {
  console.error(`there is no \`${unknown.join("`, `")}\`; there are ${[...sectionNames, ...known].join(", ")}`);
  process.exit(2);
}

if (has("--write") && (wanted.length > 0 || has("--quick"))) {
  console.error("the page is of a whole run: `--write` goes with no section, and not with what is quick");
  process.exit(2);
}

const chosen = sectionNames.filter((name) =>
  wanted.length === 0 ? !(has("--check") && withoutBars.has(name)) : wanted.includes(name),
);
const before = loadText();
if (chosen.some((name) => ofBuild.has(name))) ensureBuilt();
const bench = await bundleBench();
const profiles = join(benchFolder, "profiles");
if (has("--profile")) rmSync(profiles, { recursive: true, force: true });
const runs: Ran[] = [];
for (const section of chosen) {
  const report = runSection(section);
  runs.push({ section, ...report });
  if (!has("--json")) process.stdout.write(`== ${section}\n${report.text}\n\n`);
}
const surroundings = about();
if (has("--write")) writeFileSync(join(root, "docs/reference/performance.md"), page(runs, surroundings));
if (has("--record")) record();
if (has("--json")) process.stdout.write(`${JSON.stringify({ ...surroundings, sections: runs }, null, 2)}\n`);
else process.stdout.write(`${barTable(runs)}\n\n${surroundings.machine}; ${surroundings.load}\n${barSummary(runs)}\n`);
if (has("--check")) check();

/** A section in a process of its own. */
function runSection(section: string): Report {
  mkdirSync(profiles, { recursive: true });
  const file = join(benchFolder, `${section}.json`);
  rmSync(file, { force: true });
  const profile = has("--profile")
    ? ["--cpu-prof", `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${section}.cpuprofile`]
    : [];
  const more = has("--profile") ? [`--profiles=${profiles}`] : [];
  const args = [...profile, "--enable-source-maps", bench, section, file, ...more, ...flags];
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"], timeout: 7_200_000 } satisfies SpawnSyncOptions;
  const { status } = spawnSync(process.execPath, args, options);
  if (status !== 0 || !existsSync(file)) throw new Error(`the section ${section} ended with ${status}`);
  return JSON.parse(readFileSync(file, "utf8")) as Report;
}

function about(): Surroundings {
  const { model = "unknown processor" } = cpus()[0] ?? {};
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    regex: createRegexEngine().name,
    machine: `${cpus().length} cores (${model.trim()}), ${memory}, ${type()}`,
    load: `Load of the machine ${before} before and ${loadText()} after.`,
  };
}

function loadText(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function readBudgets(): Budgets {
  return existsSync(budgetFile) ? (JSON.parse(readFileSync(budgetFile, "utf8")) as Budgets) : { ratios: {} };
}

function record(): void {
  const bars = runs.flatMap((run) => run.bars ?? []);
  writeFileSync(budgetFile, `${JSON.stringify(recorded(bars, readBudgets()), null, 2)}\n`);
}

function check(): void {
  const ran = runs.filter(({ notRun = [] }) => notRun.length === 0).map(({ section }) => section);
  let bars = runs.flatMap((run) => run.bars ?? []);
  for (let again = 0; again < repetitions; again++) {
    const worse = checkBudgets(bars, readBudgets(), ran).filter(
      (one) => one.fault !== undefined && one.ratio !== undefined && one.recorded !== undefined,
    );
    for (const section of new Set(worse.map(({ id }) => sectionOf(id)))) {
      process.stdout.write(`${section}: once more\n`);
      bars = [...better(bars, runSection(section).bars ?? [])];
    }
  }
  const checked = checkBudgets(bars, readBudgets(), ran);
  for (const { id, ratio, recorded: budget, fault } of checked.filter((one) => one.fault !== undefined))
    process.stdout.write(`failed: ${id} ${fault} (${ratio?.toPrecision(3)}, recorded ${budget})\n`);
  for (const { section, notRun = [] } of runs)
    for (const why of notRun) process.stdout.write(`not run: ${section}: ${why}\n`);
  const failed = checked.filter(({ fault }) => fault !== undefined).length;
  process.stdout.write(`${checked.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
