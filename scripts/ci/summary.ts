import { type Failure, failuresOf, type Outcome } from "./outcome.ts";

/** Most lines of a summary: what readers of a long log see of it. */
export const summaryLines = 60;

/**
 * The last lines of a run: each failure with the command that runs it alone, flaky and missing tests, the path of the report, and
 * `N passed, N failed`. Lines that do not fit are counted.
 */
export function summary(outcomes: readonly Outcome[], report: string): readonly string[] {
  const failures = failuresOf(outcomes);
  const flaky = outcomes.flatMap((outcome) => outcome.flaky);
  const notRun = outcomes.flatMap((outcome) => outcome.notRun.map((what) => `  ${outcome.suite}: ${what}`));
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const end = [`all of it: ${report}`, `${passed} passed, ${failures.length} failed`];
  const rest = [
    ...section("flaky: failed once, passed alone", fitted(flaky.map(short), 9)),
    ...section("not run:", fitted(notRun, 6)),
  ];
  const room = summaryLines - end.length - rest.length - 1;
  return [...section("failed:", failureLines(failures, room)), ...rest, ...end];
}

/** Failures in three lines each, or in one each where there are too many for that. */
function failureLines(failures: readonly Failure[], room: number): readonly string[] {
  const long = failures.flatMap((failure) => [
    `  ${title(failure)}`,
    `    ${failure.message}`,
    `    ${failure.command}`,
  ]);
  return long.length <= room ? long : fitted(failures.map(short), room);
}

function title({ suite, file, test }: Failure): string {
  return [suite, [file, test].filter((part) => part !== undefined).join(" > ")]
    .filter((part) => part !== "")
    .join(": ");
}

function short(failure: Failure): string {
  return `  ${title(failure)}: ${failure.message}`.slice(0, 300);
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

function fitted(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room) return lines;
  const shown = lines.slice(0, room - 1);
  return [...shown, `  and ${lines.length - shown.length} more`];
}
