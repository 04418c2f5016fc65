/** One failure, and how to reproduce it. */
export interface Failure {
  /** Name of the suite. */
  readonly suite: string;
  /** Test file, relative to the checkout, where the suite has files. */
  readonly file?: string;
  /** Name of the test or case. */
  readonly test?: string;
  /** First line of its message. */
  readonly message: string;
  /** Command that runs it alone. */
  readonly command: string;
}

/** Result of one suite. */
export interface Outcome {
  readonly suite: string;
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Failures that passed when they ran again alone; their tests count as passed. */
  readonly flaky: readonly Failure[];
  /** Parts that could not run, with the reason; they neither passed nor failed. */
  readonly notRun: readonly string[];
  readonly seconds: number;
}

/** Most files that may be flaky in one run. */
export const mostFlaky = 3;

/** Returns the failures of all suites of a run; too many flaky files are a failure too. */
export function failuresOf(outcomes: readonly Outcome[]): readonly Failure[] {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const flaky = new Set(outcomes.flatMap((outcome) => outcome.flaky.map((one) => one.file ?? one.suite)));
  if (flaky.size <= mostFlaky) return failures;
  const message = `${flaky.size} files failed once and passed alone; at most ${mostFlaky} may`;
  return [...failures, { suite: "flaky", message, command: `npx vitest run ${[...flaky].join(" ")}` }];
}

/** Returns the first line of a message that is not blank, without colours. */
export function firstLine(text: string, most = 200): string {
  const line = plain(text)
    .split("\n")
    .map((each) => each.trim())
    .find((each) => each !== "");
  return (line ?? "no message").slice(0, most);
}

/** A text without the escape sequences of terminals. */
export function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}
