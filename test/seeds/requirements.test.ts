import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventNames } from "../../schema/events.ts";
import { passedCases } from "../hosts/passed.ts";
import { requirementFaults, testNames, unpassedRuns } from "./faults.ts";
import { gastownRequirements } from "./gastown-requirements.ts";
import { ompRequirements } from "./omp-requirements.ts";
import { optaRequirements } from "./opta-requirements.ts";
import { piRequirements } from "./pi-requirements.ts";
import type { Requirement } from "./requirement.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
const rows = [...piRequirements, ...ompRequirements, ...optaRequirements, ...gastownRequirements];

describe("requirements of the pi, omp, Opta and Gastown seeds", () => {
  it("every row names tests that are there", () => {
    expect(requirementFaults(rows, read)).toEqual([]);
  });

  it("every case of a real run that a row names passed when its host was last run", () => {
    expect(unpassedRuns(rows, passedCases())).toEqual([]);
  });

  it("every seed has its rows, and every event of the seeds is named in one", () => {
    const seeds = ["pi-hook-reference", "omp-hooks", "omp-authoring-hooks", "opta-hook-system", "gastown-hooks-v1.1"];
    for (const seed of seeds) expect(rows.filter((row) => row.seed === seed).length).toBeGreaterThan(40);
    const said = rows.map((row) => `${row.section} ${row.requirement}`).join("\n");
    const fromOthers = new Set(["stop", "subagent_stop", "subagent_start", "error", "user_python"]);
    const short = (name: string) =>
      name.replace(/^(message|tool_execution)_/, "_").replace("session_compacting", "session.compacting");
    const missing = eventNames.filter(
      (name) => !fromOthers.has(name) && !said.includes(name) && !said.includes(short(name)),
    );
    expect(missing).toEqual([]);
  });
});

describe("requirementFaults", () => {
  const file = 'it("one thing", () => {});\nit.each([["a case", 1]])("%s: two", () => {});\nconst text = "no test";\n';
  const files: Record<string, string> = { "t.test.ts": file, "s.md": "| `row.id` | rule |\n" };
  const row = (id: string, ...tests: string[]): Requirement => ({
    id,
    seed: "s",
    section: "1",
    requirement: "r",
    tests,
  });
  const faults = (...given: Requirement[]) => requirementFaults(given, (path) => files[path]);

  it("reads titles of tests, of tables, and of cases", () => {
    expect([...testNames("t.test.ts", file)]).toEqual(["one thing", "a case", "%s: two"]);
    expect([...testNames("s.md", files["s.md"] ?? "")]).toEqual(["row.id"]);
  });

  it("says nothing of rows whose tests are there", () => {
    expect(faults(row("a", "t.test.ts > one thing", "s.md > row.id"))).toEqual([]);
  });

  it.each([
    ["no test at all", row("a"), "a has no test"],
    ["a test that is not there", row("a", "t.test.ts > one"), "a names a test that is not there: t.test.ts > one"],
    [
      "a text that is no test",
      row("a", "t.test.ts > no test"),
      "a names a test that is not there: t.test.ts > no test",
    ],
    [
      "a file that is not there",
      row("a", "x.test.ts > one thing"),
      "a names a file that is not there: x.test.ts > one thing",
    ],
    ["no file", row("a", "one thing"), "a names a file that is not there: one thing"],
    ["nothing to say", { ...row("a", "s.md > row.id"), requirement: " " }, "a says nothing"],
  ])("finds a row with %s", (_name, given, fault) => {
    expect(faults(given)).toEqual([fault]);
  });

  it("finds a case of a real run that did not pass, or whose host was not run", () => {
    const passed = { gt: { "gt 1": ["held"], "gt 2": ["held", "once"] } };
    const unpassed = (test: string) => unpassedRuns([row("a", test)], passed);
    expect(unpassed("test/hosts/gt.ts > held")).toEqual([]);
    expect(unpassed("t.test.ts > one thing")).toEqual([]);
    expect(unpassed("test/hosts/gt.ts > once")).toEqual(["a names a case that did not pass on gt 1: once"]);
    expect(unpassed("test/hosts/other.ts > held")).toEqual(["a names a host that was not run: other"]);
  });

  it("finds an id that is used twice", () => {
    expect(faults(row("a", "s.md > row.id"), row("a", "s.md > row.id"))).toEqual(["a is there twice"]);
  });
});
