import { describe, expect, it } from "vitest";
import { atLeast, atMost, type Bar, digits } from "./bars.ts";
import { better, checkBudgets, recorded } from "./budgets.ts";
import { barSummary, barTable, page } from "./page.ts";

const bar = (id: string, ratio?: number): Bar => atMost(id, id, 1, 2, ratio === undefined ? {} : { ratio });
const faults = (...given: Parameters<typeof checkBudgets>): readonly (string | undefined)[] =>
  checkBudgets(...given).map(({ id, fault }) => fault && `${id} ${fault}`);

describe("the budget of a ratio", () => {
  it.each([
    ["the same", 4, undefined],
    ["better", 1, undefined],
    ["worse by half", 6, undefined],
    ["worse by more than half", 6.01, "hook/a is more than 1.5 times what was recorded"],
    ["no number", Number.NaN, "hook/a is more than 1.5 times what was recorded"],
  ])("%s", (_, ratio, fault) => {
    expect(faults([bar("hook/a", ratio)], { ratios: { "hook/a": 4 } }, ["hook"])).toEqual([fault]);
  });

  it("fails where nothing is recorded", () => {
    expect(faults([bar("hook/a", 1)], { ratios: {} }, ["hook"])).toEqual(["hook/a is not recorded"]);
    expect(faults([bar("hook/toString", 1)], { ratios: {} }, ["hook"])).toEqual(["hook/toString is not recorded"]);
  });

  it("fails where what was recorded is not measured any more, unless its section did not run", () => {
    const budgets = { ratios: { "hook/a": 1, "pi/b": 1 } };
    expect(faults([], budgets, ["hook"])).toEqual(["hook/a is recorded, and was not measured"]);
    expect(faults([], budgets, [])).toEqual([]);
  });

  it("is not kept for a bar without a ratio", () => {
    expect(checkBudgets([bar("hook/a")], { ratios: {} }, ["hook"])).toEqual([]);
    expect(recorded([bar("hook/a")], { ratios: {} })).toEqual({ ratios: {} });
  });

  it("is recorded anew for sections that ran, and stays for the others", () => {
    const before = { ratios: { "hook/old": 1, "pi/b": 2 } };
    expect(recorded([bar("hook/b", 1.23456), bar("hook/a", 3)], before)).toEqual({
      ratios: { "hook/a": 3, "hook/b": 1.23, "pi/b": 2 },
    });
  });

  it("counts the better of two measurements", () => {
    const found = better([bar("a", 4), bar("b", 1), bar("c")], [bar("a", 2), bar("b", 3)]);
    expect(found.map(({ ratio }) => ratio)).toEqual([2, 1, undefined]);
  });
});

describe("a bar", () => {
  it.each([
    [atMost("a", "a", 2, 2), true],
    [atMost("a", "a", 2.01, 2), false],
    [atMost("a", "a", Number.NaN, 2), false],
    [atLeast("a", "a", 2, 2), true],
    [atLeast("a", "a", 1.99, 2), false],
    [atLeast("a", "a", Number.NaN, 2), false],
  ])("%j", (one, met) => {
    expect(one.met).toBe(met);
  });

  it("shows three digits", () => {
    expect([0.123, 1.005, 12.34, 123.4, Number.NaN].map(digits)).toEqual(["0.12", "1.00", "12.3", "123", "not known"]);
  });
});

describe("the page", () => {
  const runs = [
    { section: "hook", text: "figures", numbers: null, bars: [bar("hook/a", 1), atMost("hook/b", "a|b", 3, 2)] },
    { section: "daemon", text: "none", numbers: null, notRun: ["no `nc`"] },
  ];
  const about = { date: "2026-01-02", node: "v20", regex: "re2", machine: "2 cores", load: "Load 1." };

  it("has every bar, and what did not run", () => {
    expect(barSummary(runs)).toBe("1 of 2 bars met, 1 not run");
    expect(barTable(runs).split("\n").slice(2)).toEqual([
      "| hook/a | at most 2 | 1.00 | pass |",
      "| a\\|b | at most 2 | 3.00 | **fail** |",
      "| daemon | | no `nc` | not run |",
    ]);
  });

  it("has the figures of every section, where and when they were measured", () => {
    const text = page(runs, about);
    expect(text).toContain("Measured on 2026-01-02, Node v20, regex engine re2, 2 cores. Load 1.");
    expect(text).toContain("### hook\n\n```text\nfigures\n```");
  });
});
