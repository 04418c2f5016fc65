import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fullRun, generate, type ScriptClass } from "./classes/classes.ts";
import { Harness, type Result } from "./harness.ts";
import { minimise } from "./minimise.ts";
import { tellOne } from "./one.ts";
import { type Options, readOptions } from "./options.ts";
import { differences, type Figures, figuresOf, groupsOf, readBaseline, table, writeBaseline } from "./report.ts";
import { Sandbox } from "./sandbox/sandbox.ts";
import { findShells, shellNames } from "./sandbox/shells.ts";

/**
 * `npm run test:shells`: generated scripts are run by real shells in a sandbox, and what they touched is held against what the engine says of
 * them (`oracle/oracle.ts` has the two rules). The seed is the same for everybody and each class is compared with `baseline.tsv`: one
 * that got worse fails, and `--record` writes the table anew. With another `--seed` or number of `--cases` there is nothing to compare with,
 * and every script that breaks a rule fails. `--class` and `--shell` run a part, `--one FILE` a single script with all that is known of it;
 * `--minimise` makes what fails small. Ends with `N passed, N failed`; a shell that cannot be had is `not run`.
 */
const baselineFile = join(import.meta.dirname, "baseline.tsv");
/** The seed of everybody's run. */
const fixedSeed = 20261126;
/** Failing scripts of one class that are shown, and of all together. */
const shownCases = 10;
const shownAtAll = 60;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options);
  process.exit(2);
}
process.exitCode = await main(options);

async function main(asked: Options): Promise<number> {
  const { shells, missing } = findShells(asked.shell ? [asked.shell] : shellNames);
  let sandbox: Sandbox;
  try {
    const lacking = missing.find((sentence) => /^(?:bash|dash):/.test(sentence));
    if (lacking !== undefined) throw new Error(lacking);
    sandbox = Sandbox.open(shells);
  } catch (error) {
    return failed(error);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      sandbox.close();
      process.exit(1);
    });
  for (const sentence of missing) say(`not run: ${sentence}`);
  try {
    if (asked.record && missing.length > 0) throw new Error("a baseline is of all shells, and one is missing");
    if (asked.one !== undefined) return await tellOne(asked.one, asked.shell ?? "bash", sandbox, shells);
    return await compareClasses(asked, new Harness(sandbox, shells));
  } catch (error) {
    return failed(error);
  } finally {
    sandbox.close();
  }
}

/** Says why nothing could be run, or no more. */
function failed(error: unknown): number {
  say(`not ok - ${error instanceof Error ? error.message : String(error)}\n0 passed, 1 failed`);
  return 1;
}

async function compareClasses(asked: Options, harness: Harness): Promise<number> {
  const seed = asked.seed ?? fixedSeed;
  const cases = asked.cases ?? fullRun;
  const wanted = ({ id, shell }: ScriptClass): boolean =>
    (asked.class === undefined || id.includes(asked.class)) && (asked.shell === undefined || shell === asked.shell);
  const generated = generate(seed, cases, wanted);
  say(`${generated.length} scripts, seed ${seed}`);
  const since = performance.now();
  const used = process.cpuUsage();
  const results = await harness.run(generated, (done) => done % 5_000 === 0 && say(`${done} done`));
  tellTime(results.length, performance.now() - since, process.cpuUsage(used).user / 1_000);
  const figures = figuresOf(results);
  say(table(asked.all || asked.class !== undefined ? [...figures] : groupsOf(figures)));
  tellSums(results);
  const fixed = asked.seed === undefined && asked.cases === undefined;
  if (asked.record && fixed) {
    // A part that was run replaces its own lines alone.
    const whole = asked.class === undefined && asked.shell === undefined;
    const before = whole ? [] : readBaseline(readFileSync(baselineFile, "utf8")).figures;
    writeFileSync(baselineFile, writeBaseline(new Map([...before, ...figures]), seed, cases));
    say(`written: baseline.tsv\n${figures.size} passed, 0 failed`);
    return 0;
  }
  return fixed ? await againstBaseline(asked, figures, results, harness) : await againstZero(asked, results, harness);
}

function tellTime(count: number, wall: number, judging: number): void {
  say(
    `took ${Math.round(wall / 1_000)} s: ${(wall / Math.max(1, count)).toFixed(1)} ms a script, of which ${(judging / Math.max(1, count)).toFixed(1)} ms judge and read traces`,
  );
}

/** The figures that bars speak of. */
function tellSums(results: readonly Result[]): void {
  const share = (n: number, of: number): string => `${n} of ${of} (${((100 * n) / Math.max(1, of)).toFixed(2)} %)`;
  const positives = results.filter(({ positive }) => positive);
  const negatives = results.filter(({ positive, case: { class: own } }) => own.negative && !positive);
  const unfinished = (why: string): string => {
    const own = results.filter((result) => result.unfinished === why).map((result) => result.case.class.id);
    const classes = [...new Set(own)];
    return own.length === 0
      ? "0"
      : `${own.length} (${classes.slice(0, 8).join(", ")}${classes.length > 8 ? ", …" : ""})`;
  };
  say(
    `positives that pass: ${share(positives.filter(({ outcome }) => outcome() === "allow").length, positives.length)}`,
  );
  say(
    `mentions, other names, reads: ${share(negatives.filter(({ outcome }) => outcome() === "block").length, negatives.length)} blocked, ` +
      `${share(negatives.filter(({ outcome }) => outcome() === "ask").length, negatives.length)} asked`,
  );
  say(
    `not understood: ${share(results.filter(({ understanding }) => understanding === "unknown").length, results.length)}; ` +
      `refused by the shell: ${unfinished("grammar")}; ended for their time: ${unfinished("time")}`,
  );
}

async function againstBaseline(
  asked: Options,
  figures: Figures,
  results: readonly Result[],
  harness: Harness,
): Promise<number> {
  const before = readBaseline(readFileSync(baselineFile, "utf8"));
  const found = differences(figures, before.figures);
  const worse = found.filter((one) => one.worse.length > 0);
  for (const { id, better } of found) if (better.length > 0) say(`better - ${id}: ${better.join(", ")}`);
  for (const one of worse) say(`not ok - ${one.id}: ${one.worse.join(", ")}`);
  const shown = new Set(worse.map(({ id }) => id));
  await tellCases(
    results.filter((result) => asked.minimise || shown.has(result.case.class.id)),
    harness,
  );
  say(`${figures.size - worse.length} passed, ${worse.length} failed`);
  return worse.length > 0 ? 1 : 0;
}

async function againstZero(asked: Options, results: readonly Result[], harness: Harness): Promise<number> {
  const failing = results.filter(({ faults }) => faults.some(({ rule }) => rule !== "early"));
  if (asked.minimise) await tellCases(results, harness);
  say(`${results.length - failing.length} passed, ${failing.length} failed`);
  return failing.length > 0 ? 1 : 0;
}

/** Shows the shortest failing scripts of each class, made small; what comes to the same is shown once. */
async function tellCases(results: readonly Result[], harness: Harness): Promise<void> {
  const failing = results.filter(({ faults }) => faults.length > 0).sort((a, b) => a.text.length - b.text.length);
  const taken = new Map<string, Result[]>();
  for (const result of failing) {
    const own = taken.get(result.case.class.id) ?? [];
    taken.set(result.case.class.id, own);
    if (own.length < shownCases) own.push(result);
  }
  const small = await minimise([...taken.values()].flat().slice(0, shownAtAll), (cases) => harness.run(cases));
  const seen = new Set<string>();
  for (const { case: own, text, faults, outcome } of small) {
    const key = `${own.class.shell} ${text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const told = faults.map(
      ({ rule, kind, place, via }) => `${rule}: ${kind} ${JSON.stringify(place)}${via ? ` of ${via}` : ""}`,
    );
    say(`--- ${own.class.id} (${own.class.shell}, ${outcome()}): ${told.join("; ")}\n${text.trimEnd()}`);
  }
}
