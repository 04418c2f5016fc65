import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventNames } from "../../schema/events.ts";
import { passedCases } from "../hosts/passed.ts";
import { allRequirements as rows } from "./all.ts";
import { markFaults, requirementFaults, testNames, unpassedRuns } from "./faults.ts";
import { allMutants } from "./mutants/all.ts";
import { killedRows, mutantFaults, proofOf } from "./mutants/killed.ts";
import { mutantDigest, mutantsOf } from "./mutants/mutant.ts";
import { onHosts } from "./on-hosts.ts";
import { differs, ours, type Requirement, requirements, unseen } from "./requirement.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);

describe("requirements of the pi, omp, Opta and Gastown seeds", () => {
  it("every row names tests that are there", () => {
    expect(requirementFaults(rows, read)).toEqual([]);
  });

  it("every case of a real run that a row names passed when its host was last run", () => {
    expect(unpassedRuns(rows, passedCases())).toEqual([]);
  });

  it("every mark of a row has a reason and agrees with the cases that the row names", () => {
    expect(markFaults(rows)).toEqual([]);
  });

  it("every recorded mutant changes what is there, and every recorded result is about it", () => {
    expect(mutantFaults(rows, allMutants, killedRows(), read)).toEqual([]);
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
    expect(unpassed("test/hosts/gt/part.ts > held")).toEqual([]);
    expect(unpassed("test/hosts/gt/part.ts > once")).toEqual(["a names a case that did not pass on gt 1: once"]);
    expect(unpassed("test/hosts/other.ts > held")).toEqual(["a names a host that was not run: other"]);
  });

  it("finds an id that is used twice", () => {
    expect(faults(row("a", "s.md > row.id"), row("a", "s.md > row.id"))).toEqual(["a is there twice"]);
  });
});

describe("rows on real hosts", () => {
  const onHost = "test/hosts/h.ts > held";
  const test = "t.test.ts > one thing";
  const marked = (...rows: Parameters<typeof requirements>[2]) => requirements("s", "1", rows);

  it("are counted by what they speak about and what they name", () => {
    const rows = [
      ...marked(["a", "r", onHost], ["b", "r", onHost, differs("it waits")], ["c", "r", test], ["d", "r", test]),
      ...marked(["e", "r", test, ours("a table")], ["f", "r", test, unseen("a screen")]),
      ...requirements("opta-hook-system", "1", [["g", "r", test]]),
    ];
    expect(onHosts(rows)).toEqual([
      { seed: "s", rows: 6, ours: 1, about: 5, seen: 2, differs: 1, unseen: 1, open: 2 },
      { seed: "opta-hook-system", rows: 1, ours: 1, about: 0, seen: 0, differs: 0, unseen: 0, open: 0 },
    ]);
  });

  it("keep their mark beside their tests", () => {
    expect(marked(["a", "r", test, unseen("a screen"), onHost])).toEqual([
      { id: "a", seed: "s", section: "1", requirement: "r", tests: [test, onHost], mark: unseen("a screen") },
    ]);
  });

  it("have no mark that says otherwise than their cases, and none without a reason", () => {
    const faults = (...proofs: (string | ReturnType<typeof ours>)[]) => markFaults(marked(["a", "r", ...proofs]));
    expect(faults(onHost)).toEqual([]);
    expect(faults(test, ours("a table"))).toEqual([]);
    expect(faults(onHost, differs("it waits"))).toEqual([]);
    expect(faults(test, differs("it waits"))).toEqual(["a is marked differs and names no case of a real host"]);
    expect(faults(onHost, ours("a table"))).toEqual(["a is marked ours and names a case of a real host"]);
    expect(faults(onHost, unseen("a screen"))).toEqual(["a is marked unseen and names a case of a real host"]);
    expect(faults(test, unseen(" "))).toEqual(["a is marked unseen without a reason"]);
  });
});

describe("mutants", () => {
  const row = (id: string, ...tests: string[]): Requirement => ({
    id,
    seed: "s",
    section: "1",
    requirement: "r",
    tests,
  });
  const [mutant] = mutantsOf("a.ts", [["a", "one", "two"]]);
  if (!mutant) throw new Error("there is a mutant");
  const faults = (text: string | undefined, mutants = [mutant], killed: Record<string, string> = {}) =>
    mutantFaults([row("a")], mutants, killed, () => text);

  it("are held to a text that stands in its file once, to a row that is there, and to their own results", () => {
    expect(faults("one", [mutant], { a: mutantDigest(mutant) })).toEqual([]);
    expect(faults("one one")).toEqual(["a: the text of its mutant stands 2 times in a.ts"]);
    expect(faults("nothing")).toEqual(["a: the text of its mutant stands 0 times in a.ts"]);
    expect(faults(undefined)).toEqual(["a: there is no file a.ts"]);
    expect(faults("one", mutantsOf("a.ts", [["b", "one", "two"]]))).toEqual(["there is no row b"]);
    expect(faults("one", mutantsOf("a.ts", [["a", "one", "one"]]))).toEqual(["a: the mutant changes nothing"]);
    expect(faults("one", [mutant], { a: "0000" })).toEqual([expect.stringContaining("another one since the last run")]);
  });

  it("tell how a row is proven", () => {
    expect(proofOf(row("a", "t.test.ts > x"), { a: "1" })).toBe("killed");
    expect(proofOf(row("a", "test/hosts/pi.ts > x"), {})).toBe("host");
    expect(proofOf(row("a", "t.test.ts > x"), {})).toBe("touched");
  });
});
