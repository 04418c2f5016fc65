import { relative } from "node:path";
import { type Failure, firstLine, plain } from "./outcome.ts";

/** The parts of Vitest's JSON report that are read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** Tests of one run that passed, and what failed. */
export interface Tests {
  readonly passed: number;
  readonly failures: readonly Failure[];
}

/**
 * Reads the report of one vitest run of a checkout at `root`. These count as failures: a test that failed, one that was not
 * run, a file that did not load, an error outside any test, a report that is missing, and a run of no tests.
 */
export function readTests(
  suite: string,
  root: string,
  run: { readonly report: string | undefined; readonly log: string; readonly status: number | null },
): Tests {
  const command = "npx vitest run";
  const report = parsed(run.report);
  if (!report) return { passed: 0, failures: [{ suite, message: `no report: ${lastLine(run.log)}`, command }] };
  const failures: Failure[] = [];
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
  failures.push(...outside(suite, run.log));
  if (passed === 0 && failures.length === 0) failures.push({ suite, message: "no test ran", command });
  if (run.status !== 0 && failures.length === 0)
    failures.push({ suite, message: `ended with ${run.status}, and no test failed: ${lastLine(run.log)}`, command });
  return { passed, failures };
}

function parsed(text: string | undefined): Report | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Report);
  } catch {
    return undefined;
  }
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
