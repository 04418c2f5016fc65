import { relative } from "node:path";
import type { FileResult, JournalLine } from "./journal.ts";
import { type Failure, firstLine, plain } from "./outcome.ts";

/** The parts of Vitest's JSON report that are read. */
interface Report {
  readonly testResults: readonly FileResult[];
  /** Files that began and gave no result. */
  readonly missing?: readonly string[];
  /** Files that no worker had taken when the run ended. */
  readonly waiting?: readonly string[];
}

/** Path of the journal of a run, whose JSON report has this path. */
export const journalOf = (report: string): string => `${report}l`;

/** Results that a run of vitest left behind. */
interface Left {
  /** Text of the JSON report. */
  readonly report: string | undefined;
  /** Lines of the journal; read only where there is no report, because the run did not end by itself or its process died. */
  readonly journal?: string | undefined;
  /** Output. */
  readonly log: string;
  /** Exit code. */
  readonly status: number | null;
  /** True if the run was ended because it hung. */
  readonly hung?: boolean;
}

/** Tests of one run that passed, and what failed. */
export interface Tests {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Files that did not begin, because the run ended before; they neither passed nor failed. */
  readonly waiting: readonly string[];
}

/**
 * Reads the report of one vitest run of a checkout at `root`. These count as failures: a test that failed, one that was not
 * run, a file that did not load or did not end, an error outside any test, a report that is missing, and a run of no tests.
 */
export function readTests(suite: string, root: string, run: Left): Tests {
  const command = "npx vitest run";
  const report = parsed(run.report) ?? journalled(run.journal);
  if (!report)
    return { passed: 0, waiting: [], failures: [{ suite, message: `no report: ${lastLine(run.log)}`, command }] };
  const ending = run.hung ? "hung" : "was ended";
  const failures: Failure[] = [];
  // The journal tells where a process died; that it died is a failure of its own.
  if (parsed(run.report) === undefined && run.hung !== true)
    failures.push({ suite, message: `no report: ${lastLine(run.log)}`, command });
  let passed = 0;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name);
    if (status === "failed" && assertionResults.length === 0)
      failures.push({ suite, file, message: firstLine(message), command: alone(file) });
    for (const test of assertionResults) {
      if (test.status === "passed") passed += 1;
      else {
        const said = test.failureMessages?.[0] ?? `the test was not run (${test.status})`;
        failures.push({
          suite,
          file,
          test: test.fullName,
          message: firstLine(said),
          command: alone(file, test.fullName),
        });
      }
    }
  }
  for (const file of (report.missing ?? []).map((name) => relative(root, name)))
    failures.push({ suite, file, message: `it did not end: the run ${ending}`, command: alone(file) });
  failures.push(...outside(suite, run.log));
  const waiting = (report.waiting ?? []).map((name) => relative(root, name));
  if (passed === 0 && failures.length === 0 && waiting.length === 0)
    failures.push({ suite, message: "no test ran", command });
  // A run that hangs after its last test file has failed nothing.
  if (run.status !== 0 && failures.length === 0 && run.hung !== true)
    failures.push({ suite, message: `ended with ${run.status}, and no test failed: ${lastLine(run.log)}`, command });
  return { passed, failures, waiting };
}

function parsed(text: string | undefined): Report | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Report);
  } catch {
    return undefined;
  }
}

/** Reads the journal of a run that left no report; undefined if it tells of no file. */
function journalled(text: string | undefined): Report | undefined {
  const lines = (text ?? "").split("\n").flatMap((line): readonly JournalLine[] => {
    try {
      return [JSON.parse(line) as JournalLine];
    } catch {
      // The last line may be half.
      return [];
    }
  });
  const planned = lines.flatMap((line) => ("planned" in line ? line.planned : []));
  const testResults = lines.flatMap((line) => ("ended" in line ? [line.ended] : []));
  const ended = new Set(testResults.map(({ name }) => name));
  if (planned.length === 0) return undefined;
  const began = new Set(lines.flatMap((line) => ("began" in line ? [line.began] : [])));
  const open = planned.filter((name) => !ended.has(name));
  return {
    testResults,
    missing: open.filter((name) => began.has(name)),
    waiting: open.filter((name) => !began.has(name)),
  };
}

/** Errors that no test caught: vitest prints the file in which each began, and fails the run. */
function outside(suite: string, log: string): Failure[] {
  const files = [...plain(log).matchAll(/This error originated in "([^"]+)" test file/g)].map(
    (match) => match[1] ?? "",
  );
  return [...new Set(files)].map((file) => {
    return { suite, file, message: "an error outside any test", command: alone(file) };
  });
}

/** Command that runs one file, or one test of it, alone. */
function alone(file: string, test?: string): string {
  const command = `npx vitest run ${quoted(file)}`;
  // The option takes a regular expression; a long name is better looked up in the file.
  if (test === undefined || test.length > 100 || test.includes("\n")) return command;
  return `${command} -t ${quoted(test.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))}`;
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function lastLine(log: string): string {
  return firstLine(plain(log).trimEnd().split("\n").at(-1) ?? "");
}
