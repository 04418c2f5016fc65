import { describe, expect, it } from "vitest";
import { type Failure, failuresOf, firstLine, mostFlaky, type Outcome } from "../../../scripts/ci/outcome.ts";
import { summary, summaryLines } from "../../../scripts/ci/summary.ts";

const outcome = (parts: Partial<Outcome>): Outcome => ({
  suite: "tests",
  passed: 10,
  failures: [],
  flaky: [],
  notRun: [],
  seconds: 1,
  ...parts,
});
const failure = (n: number): Failure => ({
  suite: "tests",
  file: `test/a${n}.test.ts`,
  test: `case ${n}`,
  message: `expected ${n}`,
  command: `npx vitest run test/a${n}.test.ts`,
});
const many = (count: number): Failure[] => Array.from({ length: count }, (_, n) => failure(n));

describe("the end of a run", () => {
  it("is the count where all passed", () => {
    expect(summary([outcome({}), outcome({ passed: 5 })], "report.json")).toEqual([
      "all of it: report.json",
      "15 passed, 0 failed",
    ]);
  });
  it("names a failure: suite, file, test, what it said, and the command that runs it alone", () => {
    expect(summary([outcome({ failures: [failure(1)] })], "report.json")).toEqual([
      "failed:",
      "  tests: test/a1.test.ts > case 1",
      "    expected 1",
      "    npx vitest run test/a1.test.ts",
      "all of it: report.json",
      "10 passed, 1 failed",
    ]);
  });
  it("names a suite that has no files by itself", () => {
    const failures = [{ suite: "types", message: "a.ts(1,2): error", command: "npm run check:types" }];
    expect(summary([outcome({ suite: "types", passed: 0, failures })], "r")).toContain("  types");
  });
  it("tells what was flaky and what was not run, and counts neither as failed", () => {
    const lines = summary([outcome({ flaky: [failure(1)], notRun: ["pi 9.9.9: no network"] })], "r");
    expect(lines).toEqual([
      "flaky: failed once, passed alone",
      "  tests: test/a1.test.ts > case 1: expected 1",
      "not run:",
      "  tests: pi 9.9.9: no network",
      "all of it: r",
      "10 passed, 0 failed",
    ]);
  });
  it.each([1, 17, 18, 19, 20, 60, 500])("has at most %i failures' worth of lines: never over the bound", (count) => {
    const flaky = many(count);
    const lines = summary([outcome({ failures: many(count), flaky, notRun: flaky.map((one) => one.message) })], "r");
    expect(lines.length).toBeLessThanOrEqual(summaryLines);
    expect(lines.at(-1)).toBe(`10 passed, ${count + (count > mostFlaky ? 1 : 0)} failed`);
  });
  it("says how many failures it had no room for", () => {
    const lines = summary([outcome({ failures: many(200) })], "r");
    const shown = lines.filter((line) => line.startsWith("  tests: "));
    expect(lines).toContain(`  and ${200 - shown.length} more`);
  });
});

describe("flaky files", () => {
  it.each([
    [mostFlaky, 0],
    [mostFlaky + 1, 1],
  ])("%i of them are %i failures", (files, failed) => {
    expect(failuresOf([outcome({ flaky: many(files) })])).toHaveLength(failed);
  });
  it("are counted by file, not by test", () => {
    const tests = many(9).map((one) => ({ ...one, file: "test/one.test.ts" }));
    expect(failuresOf([outcome({ flaky: tests })])).toEqual([]);
  });
});

describe("a first line", () => {
  it.each([
    ["\u001b[31mError: a\u001b[39m\nat b", "Error: a"],
    ["\n\n  b\nc", "b"],
    ["", "no message"],
    ["x".repeat(300), "x".repeat(200)],
  ])("of %j", (text, line) => expect(firstLine(text)).toBe(line));
});
