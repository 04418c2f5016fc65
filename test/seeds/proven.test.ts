import { describe, expect, it } from "vitest";
import { runTitles, unproven } from "./proven.ts";
import type { Requirement } from "./requirement.ts";

const file = "test/a.test.ts";
const row = (...tests: string[]): Requirement => ({ id: "r", seed: "s", section: "1", requirement: "x", tests });

const ran = (titles: Readonly<Record<string, string>>, name = `/repo/${file}`) =>
  runTitles(
    { testResults: [{ name, assertionResults: Object.entries(titles).map(([title, status]) => ({ title, status })) }] },
    "/repo",
  );

describe("what a run proves", () => {
  it.each([
    ["a test that passed", "one thing", { "one thing": "passed" }],
    ["every case of a table", "%s: two", { "a: two": "passed", "b: two": "passed" }],
    ["a field of a case", "holds $name (x)", { "holds b (x)": "passed" }],
    ["one case of a table", "a case", { "a case: two": "passed", "b: two": "failed" }],
  ])("a row that names %s", (_, name, titles) => {
    expect(unproven([row(`${file} > ${name}`)], ran(titles))).toEqual([]);
  });

  it.each([
    ["a skipped test", "one thing", { "one thing": "skipped" }, "a test that did not pass"],
    ["a test that failed", "one thing", { "one thing": "failed" }, "a test that did not pass"],
    ["a table of which one case failed", "%s: two", { "a: two": "passed", "b: two": "failed" }, "did not pass"],
    ["what is no test", "one", { "another thing": "passed" }, "a test that was not run"],
    ["a pattern's signs as they are", "a.c (x)", { "abc (x)": "passed" }, "a test that was not run"],
  ])("not a row that names %s", (_, name, titles, why) => {
    expect(unproven([row(`${file} > ${name}`)], ran(titles))).toEqual([expect.stringContaining(why)]);
  });

  it("not a row whose file was not run", () => {
    expect(unproven([row("test/b.test.ts > one")], ran({ one: "passed" }))).toEqual([
      "r names a file that was not run: test/b.test.ts > one",
    ]);
  });

  it("a row of the table of profiles by the tests of that row alone", () => {
    const titles = { "input.images, pi: kept": "passed", "input.images-too, pi: kept": "failed" };
    const run = ran(titles, "/repo/test/spec-profiles.test.ts");
    expect(unproven([row("test/spec/profiles.md > input.images")], run)).toEqual([]);
    expect(unproven([row("test/spec/profiles.md > input.images-too")], run)).toHaveLength(1);
    expect(unproven([row("test/spec/profiles.md > input")], run)).toHaveLength(1);
  });
});
