import { describe, expect, it } from "vitest";
import type { ScriptClass } from "./classes/classes.ts";
import type { Result } from "./harness.ts";
import { readOptions } from "./options.ts";
import type { Fault } from "./oracle/oracle.ts";
import { differences, figuresOf, groupsOf, readBaseline, table, writeBaseline } from "./report.ts";

const classOf = (id: string, negative?: ScriptClass["negative"]): ScriptClass => ({
  id,
  shell: "bash",
  quota: 1,
  make: () => [],
  ...(negative && { negative }),
});

function result(own: ScriptClass, rules: readonly Fault["rule"][], more: Partial<Result> = {}): Result {
  const faults = rules.map((rule): Fault => ({ rule, kind: "write", place: "o" }));
  const plain = {
    positive: false,
    outcome: () => "allow" as const,
    understanding: "understood",
    unfinished: undefined,
  } as const;
  return { case: { class: own, script: [] }, text: "", faults, ...plain, ...more };
}

const figures = figuresOf([
  result(classOf("flow"), []),
  result(classOf("flow"), ["uncovered", "uncovered", "false certain"], { positive: true }),
  result(classOf("flow"), ["false certain"], { positive: true, outcome: () => "ask" }),
  result(classOf("builtin: cd"), ["early"]),
  result(classOf("read", "read"), [], { outcome: () => "block" }),
  result(classOf("read", "read"), [], { outcome: () => "ask" }),
  result(classOf("read", "read"), [], { outcome: () => "block", positive: true }),
]);

describe("the figures", () => {
  it("count scripts, not faults", () => {
    expect(figures.get("flow")).toEqual({
      scripts: 3,
      uncovered: 1,
      elsewhere: 1,
      "false certain": 2,
      early: 0,
      passed: 1,
      blocked: 0,
      asked: 0,
      positives: 2,
      sure: 0,
    });
    expect(figures.get("builtin: cd")).toMatchObject({ scripts: 1, early: 1 });
  });

  it("count negatives of their classes alone, and none that writes the file after all", () => {
    expect(figures.get("read")).toMatchObject({ scripts: 3, blocked: 1, asked: 1, passed: 0 });
  });

  it("are summed by group", () => {
    const groups = new Map(groupsOf(new Map([...figures, ["flow + scope", figures.get("flow") as never]])));
    expect([...groups.keys()]).toEqual(["flow", "builtin", "read", "pairs", "all"]);
    expect(groups.get("all")?.scripts).toBe(10);
    expect(table([...groups]).split("\n")).toHaveLength(6);
  });
});

describe("the baseline", () => {
  it("reads what it wrote", () => {
    const read = readBaseline(writeBaseline(figures, 5, 100));
    expect([read.seed, read.cases]).toEqual([5, 100]);
    expect(new Map([...read.figures].sort())).toEqual(new Map([...figures].sort()));
  });

  it("says what got worse and what better, and holds a new class to zero", () => {
    const flow = figures.get("flow") as NonNullable<ReturnType<typeof figures.get>>;
    const before = new Map([["flow", { ...flow, uncovered: 0, early: 2, scripts: 9 }]]);
    const found = differences(new Map([...figures].slice(0, 2)), before);
    expect(found).toEqual([
      { id: "flow", worse: ["uncovered 0 -> 1"], better: ["early 2 -> 0"] },
      { id: "builtin: cd", worse: ["early 0 -> 1"], better: [] },
    ]);
  });

  it("is refused without its seed", () => {
    expect(() => readBaseline("class\n")).toThrow(/--record/);
  });
});

describe("the command line", () => {
  it("reads every option", () => {
    const words = "--seed 5 --cases 100 --class scope --shell dash --one x --record --minimise --all".split(" ");
    expect(readOptions(words)).toEqual({
      seed: 5,
      cases: 100,
      class: "scope",
      shell: "dash",
      one: "x",
      record: true,
      minimise: true,
      all: true,
    });
  });

  it.each([["--sed 5"], ["--seed"], ["--seed x"], ["--shell fish"], ["--analyser walk"], ["scope"]])(
    "refuses %j with the usage",
    (line) => {
      expect(readOptions(line.split(" "))).toMatch(/npm run test:shells/);
    },
  );
});
