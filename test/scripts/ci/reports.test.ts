import { describe, expect, it } from "vitest";
import { readCommand, readCounted } from "../../../scripts/ci/printed.ts";
import { readTests } from "../../../scripts/ci/vitest-report.ts";

interface Given {
  readonly name?: string;
  readonly status?: string;
  readonly message?: string;
  readonly tests?: readonly (readonly [fullName: string, status: string, message?: string])[];
}

function report(...files: readonly Given[]): string {
  return JSON.stringify({
    testResults: files.map(({ name = "/top/test/a.test.ts", status = "passed", message = "", tests = [] }) => ({
      name,
      status,
      message,
      assertionResults: tests.map(([fullName, state, said]) => ({
        fullName,
        status: state,
        failureMessages: said === undefined ? [] : [said],
      })),
    })),
  });
}

const read = (text: string | undefined, log = "", status: number | null = 1) =>
  readTests("tests", "/top", { report: text, log, status });

describe("a journal of a run that hung", () => {
  const planned = JSON.stringify({ planned: ["/top/test/a.test.ts", "/top/test/b.test.ts"] });
  const a = JSON.stringify({ ended: JSON.parse(report({ tests: [["a", "passed"]] })).testResults[0] });
  const b = JSON.stringify({ began: "/top/test/b.test.ts" });
  const journalled = (journal: string | undefined) =>
    readTests("tests", "/top", { report: undefined, journal, log: "", status: null, hung: true });

  it("counts the files that ended and names those that did not, with the command that runs each alone", () => {
    const command = "npx vitest run test/b.test.ts";
    const failure = { suite: "tests", file: "test/b.test.ts", message: "it did not end: the run hung", command };
    expect(journalled(`${planned}\n${b}\n${a}\n`)).toEqual({ passed: 1, failures: [failure], waiting: [] });
  });
  it("tells the files apart that did not begin", () => {
    expect(journalled(`${planned}\n${a}\n`)).toEqual({ passed: 1, failures: [], waiting: ["test/b.test.ts"] });
  });
  it("is read up to a line that is half written", () => {
    expect(journalled(`${planned}\n${a}\n${a.slice(0, 20)}`)).toEqual(journalled(`${planned}\n${a}\n`));
  });
  it.each([undefined, "", "{"])("that tells of no file is no report: %j", (text) => {
    expect(journalled(text).failures).toMatchObject([{ message: expect.stringContaining("no report") }]);
  });
  it.each([0, 1])("names the file where the process died, which fails the run whatever its exit code: %d", (status) => {
    const left = { report: undefined, journal: `${planned}\n${b}\n${a}\n`, log: "", status };
    expect(readTests("tests", "/top", left).failures).toMatchObject([
      { message: expect.stringContaining("no report") },
      { file: "test/b.test.ts", message: "it did not end: the run was ended" },
    ]);
  });
});

describe("a report of tests", () => {
  it("counts what passed", () => {
    const tests = [["a", "passed"] as const, ["b", "passed"] as const];
    expect(read(report({ tests }), "", 0)).toMatchObject({ passed: 2, failures: [] });
  });
  it("has no failure where the run hung after its last file", () => {
    const left = { report: report({ tests: [["a", "passed"]] }), log: "", status: null, hung: true };
    expect(readTests("tests", "/top", left)).toMatchObject({ passed: 1, failures: [] });
  });
  it("names a test that failed, with the command that runs it alone", () => {
    const text = report({ status: "failed", tests: [["room does (this) $1", "failed", "AssertionError: x\n  at y"]] });
    expect(read(text).failures).toEqual([
      {
        suite: "tests",
        file: "test/a.test.ts",
        test: "room does (this) $1",
        message: "AssertionError: x",
        command: "npx vitest run test/a.test.ts -t 'room does \\(this\\) \\$1'",
      },
    ]);
  });
  it("quotes a name for the shell", () => {
    const [one] = read(report({ tests: [["it's", "failed", "no"]] })).failures;
    expect(one?.command).toBe(`npx vitest run test/a.test.ts -t 'it'\\''s'`);
  });
  it.each(["skipped", "pending", "todo"])("counts a test that is %s as failed", (status) => {
    const { passed, failures } = read(report({ tests: [["a", status]] }), "", 0);
    expect([passed, failures.length, failures[0]?.message]).toEqual([0, 1, `the test was not run (${status})`]);
  });
  it("names a file that did not load", () => {
    const text = report({ status: "failed", message: "SyntaxError: here\nmore" });
    expect(read(text).failures).toMatchObject([{ file: "test/a.test.ts", message: "SyntaxError: here" }]);
  });
  it("names the file in which an error outside any test began, once", () => {
    const said = `This error originated in "\u001b[1mtest/b.test.ts\u001b[22m" test file.\n`;
    const { failures } = read(report({ tests: [["a", "passed"]] }), said + said);
    expect(failures).toMatchObject([{ file: "test/b.test.ts", message: "an error outside any test" }]);
  });
  it.each([
    ["no report", undefined, 1, /^no report/],
    ["a report that is cut off", "{", 1, /^no report/],
    ["no tests", report(), 0, /^no test ran/],
    ["a bad end although every test passed", report({ tests: [["a", "passed"]] }), 1, /^ended with 1/],
    ["an end by a signal", report({ tests: [["a", "passed"]] }), null, /^ended with null/],
  ])("counts as one failure: %s", (_, text, status, message) => {
    const { failures } = read(text, "last words\n", status);
    expect(failures).toMatchObject([{ message: expect.stringMatching(message) }]);
  });
});

describe("a script that counts for itself", () => {
  const counted = (log: string, status: number | null) => readCounted("pi", "run pi", log, status);
  it("passes with its count", () => {
    expect(counted("ok - a\n2 passed, 0 failed\n", 0)).toEqual({ passed: 2, failures: [], notRun: [] });
  });
  it("names each case that does not hold, with what was seen", () => {
    const { passed, failures } = counted("not ok - pi 1: a\n  seen: exit 1\nnot ok - pi 1: b\n3 passed, 2 failed\n", 1);
    expect(passed).toBe(3);
    expect(failures).toEqual([
      { suite: "pi", test: "pi 1: a", message: "exit 1", command: "run pi" },
      { suite: "pi", test: "pi 1: b", message: "it does not hold", command: "run pi" },
    ]);
  });
  it("does not take what could not be had for a failure", () => {
    expect(counted("not run - pi 1: no network\n0 passed, 0 failed\n", 1)).toEqual({
      passed: 0,
      failures: [],
      notRun: ["pi 1: no network"],
    });
  });
  it.each([
    ["silence", "", 0],
    ["a crash", "TypeError: x\n", 1],
    ["a bad end after a good count", "2 passed, 0 failed\n", 1],
    ["an end by a signal", "ok - a\n", null],
    ["a count alone", "1 passed, 1 failed\n", 1],
    ["a count of nothing", "0 passed, 0 failed\n", 0],
  ])("fails once: %s", (_, log, status) => expect(counted(log, status).failures).toHaveLength(1));
});

describe("a command that holds or does not", () => {
  const said = (log: string, status: number | null) => readCommand("lint", "npm run lint", log, status);
  it("passes once by its exit code", () => {
    expect(said("a.ts:1:2 something", 0)).toEqual({ passed: 1, failures: [], notRun: [] });
  });
  it.each([
    ["types", "facts/a.ts(12,3): error TS2322: no\n", "facts/a.ts(12,3): error TS2322: no"],
    ["lint", "x\nfacts/a.ts:3:4 lint/style/useConst ━━━\n", "facts/a.ts:3:4 lint/style/useConst ━━━"],
    ["format", "facts/a.ts format ━━━\n", "facts/a.ts format ━━━"],
    ["imports", "facts/a.ts assist organizeImports ━━━\n", "ended with 1: facts/a.ts assist organizeImports ━━━"],
    ["nothing with a place", "one\ntwo\n\n", "ended with 1: two"],
    ["nothing", "", "ended with 1: it printed nothing"],
  ])("is named by its places: %s", (_, log, message) => {
    expect(said(log, 1).failures.map((failure) => failure.message)).toEqual([message]);
  });
  it("names five places, and how many more there are", () => {
    const log = Array.from({ length: 9 }, (__, n) => `a.ts:${n}:1 lint/x\n`).join("");
    expect(
      said(log, 1)
        .failures.map((failure) => failure.message)
        .slice(-2),
    ).toEqual(["a.ts:4:1 lint/x", "and 4 more places"]);
  });
});
