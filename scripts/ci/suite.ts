import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import type { Failure, Outcome } from "./outcome.ts";
import { type Printed, readCommand, readCounted } from "./printed.ts";
import { journalOf, readTests } from "./vitest-report.ts";

/** One check of a checkout. */
export interface Suite {
  readonly name: string;
  /** A line for bash, run at the top of the checkout. */
  readonly command: string;
  /**
   * Source of its result: `exit` reads the exit code alone, `vitest` from the report of the tests, `counted` from the line `N
   * passed, N failed` that the script ends with.
   */
  readonly reads: "exit" | "vitest" | "counted";
  /** True if a failure may be a flake: a failed test file, or counted script, then runs again alone. */
  readonly again?: boolean;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Folders and output of a run. */
export interface Place {
  /** Top of the checkout. */
  readonly root: string;
  /** Folder for logs and reports, made if it is not there. */
  readonly folder: string;
  /** Takes what the suites print, as they print it. */
  readonly print: (text: string) => void;
  /** The longest time in which a suite may print nothing, in milliseconds; then it hangs, and is ended. None: it may take for ever. */
  readonly patience?: number;
  /** The longest time that a suite may take in all, in milliseconds. None: it may take for ever. */
  readonly longest?: number;
}

/** Most failed files that run again; with more, the checkout is broken and a second run is no use. */
const mostAgain = 10;

/** Runs one suite, and its failures again if the suite asks for it. */
export async function runSuite(suite: Suite, place: Place): Promise<Outcome> {
  return judged(await runOnce(suite, place), place);
}

/**
 * Runs lanes in parallel, and the suites of a lane one after the other. The first lane prints as it runs, the others when all are
 * done. Then runs possible flakes again, one at a time.
 */
export async function runLanes(lanes: readonly (readonly Suite[])[], place: Place): Promise<readonly Outcome[]> {
  const printed = lanes.map((): string[] => []);
  const ran = await Promise.all(
    lanes.map(async (lane, i) => {
      const print = i === 0 ? place.print : (text: string): void => void printed[i]?.push(text);
      const done: Ran[] = [];
      for (const suite of lane) done.push(await runOnce(suite, { ...place, print }));
      return done;
    }),
  );
  place.print(printed.flat().join(""));
  const outcomes: Outcome[] = [];
  for (const one of ran.flat()) outcomes.push(await judged(one, place));
  return outcomes;
}

/** A suite after its first run. */
interface Ran {
  readonly suite: Suite;
  readonly first: Attempt;
  readonly seconds: number;
}

async function runOnce(suite: Suite, place: Place): Promise<Ran> {
  const began = performance.now();
  place.print(`\n== ${suite.name}: ${suite.command}\n`);
  const first = await attempt(suite, suite.command, suite.name, place);
  const seconds = secondsSince(began);
  place.print(`== ${suite.name}: ${first.passed} passed, ${first.failures.length} failed, ${seconds} s\n`);
  return { suite, first, seconds };
}

async function judged({ suite, first, seconds }: Ran, place: Place): Promise<Outcome> {
  if ((first.failures.length === 0 && first.waiting.length === 0) || suite.again !== true)
    return outcomeOf(suite, { ...whole(suite, first), flaky: [] }, seconds);
  const began = performance.now();
  const now = await again(suite, first, place);
  const more = secondsSince(began);
  place.print(`== ${suite.name}, once more: ${now.passed} passed, ${now.failures.length} failed, ${more} s\n`);
  return outcomeOf(suite, now, seconds + more);
}

function outcomeOf(suite: Suite, { passed, failures, flaky, notRun }: Judged, seconds: number): Outcome {
  return { suite: suite.name, passed, failures, flaky, notRun, seconds };
}

/** Returns a result in which files that did not begin have failed. */
function whole(suite: Suite, { waiting, ...result }: Attempt): Printed {
  const failures = waiting.map((file) => ({
    suite: suite.name,
    file,
    message: "it did not begin: the run ended before",
    command: `npx vitest run ${JSON.stringify(file)}`,
  }));
  return { ...result, failures: [...result.failures, ...failures] };
}

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000);

type Judged = Printed & { readonly flaky: readonly Failure[] };

async function again(suite: Suite, first: Attempt, place: Place): Promise<Judged> {
  return suite.reads === "vitest" ? filesAgain(suite, first, place) : wholeAgain(suite, first, place);
}

/**
 * Runs each failed file alone. A file that then passes is a flake; for one that fails, the second failure is reported. Files that
 * had not begun when the run ended have failed nothing: they run together, for the first time.
 */
async function filesAgain(suite: Suite, first: Attempt, place: Place): Promise<Judged> {
  const files = [...new Set(first.failures.flatMap((failure) => failure.file ?? []))];
  const failures = first.failures.filter((failure) => failure.file === undefined);
  if (files.length > mostAgain) return { ...whole(suite, first), flaky: [] };
  const flaky: Failure[] = [];
  let passed = first.passed;
  for (const [at, file] of files.entries()) {
    const before = first.failures.filter((failure) => failure.file === file);
    place.print(`\n== ${suite.name}: once more, alone: ${file}\n`);
    const now = await attempt(suite, `npx vitest run ${JSON.stringify(file)}`, `${suite.name}-again-${at + 1}`, place);
    if (now.failures.length > 0) failures.push(...now.failures);
    else {
      flaky.push(...before);
      // Tests of a file that did not load, or did not end, are not counted yet.
      const whole = before.some((failure) => failure.test === undefined);
      passed += whole ? now.passed : before.length;
    }
  }
  if (first.waiting.length > 0) {
    place.print(`\n== ${suite.name}: ${first.waiting.length} files that had not begun\n`);
    const names = first.waiting.map((file) => JSON.stringify(file)).join(" ");
    const now = whole(suite, await attempt(suite, `npx vitest run ${names}`, `${suite.name}-waiting`, place));
    failures.push(...now.failures);
    passed += now.passed;
  }
  return { passed, failures, flaky, notRun: first.notRun };
}

async function wholeAgain(suite: Suite, first: Attempt, place: Place): Promise<Judged> {
  place.print(`\n== ${suite.name}: once more\n`);
  const now = await attempt(suite, suite.command, `${suite.name}-again`, place);
  return { ...now, flaky: now.failures.length > 0 ? [] : first.failures };
}

/** The result of one run, with the test files that did not begin. */
type Attempt = Printed & { readonly waiting: readonly string[] };

/** Runs a command of a suite and reads its result. */
async function attempt(suite: Suite, command: string, name: string, place: Place): Promise<Attempt> {
  mkdirSync(place.folder, { recursive: true });
  const [log, report] = [join(place.folder, `${name}.log`), join(place.folder, `${name}.json`)];
  rmSync(report, { force: true });
  const journal = journalOf(report);
  rmSync(journal, { force: true });
  const env = { ...process.env, ...suite.env, ...(suite.reads === "vitest" && { HOOKWARDEN_TEST_REPORT: report }) };
  const { root: cwd, print, patience, longest } = place;
  const { status, hung } = await runCommand(command, { cwd, env, log, print, patience, longest });
  const text = readFileSync(log, "utf8");
  if (suite.reads === "exit") return { ...readCommand(suite.name, command, text, status), waiting: [] };
  if (suite.reads === "counted") return { ...readCounted(suite.name, command, text, status), waiting: [] };
  const [json, lines] = [report, journal].map((path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined));
  return {
    ...readTests(suite.name, place.root, { report: json, journal: lines, log: text, status, hung }),
    notRun: [],
  };
}
