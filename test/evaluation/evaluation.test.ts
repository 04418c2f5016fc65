import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { type Call, callSets, readCalls } from "./calls.ts";
import { bars, figures, type Judged, judgeCalls, missedBars, rate, share } from "./figures.ts";

/** The evaluation set, its figures, and what `recommended` must reach on it. */
const root = join(import.meta.dirname, "..", "..");
const calls = readCalls();

function engineOf(packs: readonly string[]) {
  const { files } = discoverPolicies(
    packs.map((pack) => `pack:${pack}`),
    root,
  );
  return createEngine(compile({ files, resolveImport }).plan);
}

describe("the evaluation set", () => {
  it("has at least 600 calls, about half of them everyday work, and every class of the threat page", () => {
    const everyday = calls.filter((call) => call.expect === "allow");
    expect(calls.length).toBeGreaterThanOrEqual(600);
    expect(everyday.length / calls.length).toBeGreaterThan(0.45);
    expect(new Set(calls.map((call) => call.class)).size).toBe(25);
  });

  it("says why for each call, and holds no call twice in a class", () => {
    for (const call of calls) expect(call.why, call.text).not.toBe("");
    const keys = calls.map((call) => `${call.class}: ${call.text}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });
});

describe("the held-out set", () => {
  const heldOut = readCalls(callSets.find(({ name }) => name === "held out")?.folder);

  it("has at least 1,800 calls, about half of them everyday work, every class, and a reason for each", () => {
    expect(heldOut.length).toBeGreaterThanOrEqual(1800);
    expect(heldOut.filter((call) => call.expect === "allow").length / heldOut.length).toBeGreaterThan(0.45);
    const classes = new Set(calls.map((call) => call.class));
    classes.delete("everyday");
    expect([...classes].filter((name) => !heldOut.some((call) => call.class === name))).toEqual([]);
    for (const call of heldOut) expect(call.why, call.text).not.toBe("");
    const keys = heldOut.map((call) => `${call.class}: ${call.text}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });

  it("shares few calls with the tuned set", () => {
    const tuned = new Set(calls.map((call) => call.text));
    const both = heldOut.filter((call) => tuned.has(call.text)).map((call) => call.text);
    expect(both.length / heldOut.length).toBeLessThan(0.08);
  });
});

describe.each([
  ["fresh", 300],
  ["fresh 2", 1600],
  ["fresh 3", 1_000],
])("the set `%s`", (set, least) => {
  it(`has at least ${least} calls, none twice, and a reason for each`, () => {
    const fresh = readCalls(callSets.find(({ name }) => name === set)?.folder);
    expect(fresh.length).toBeGreaterThanOrEqual(least);
    for (const call of fresh) expect(call.why, call.text).not.toBe("");
    const keys = fresh.map((call) => `${call.class}: ${call.text}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });
});

describe.each(callSets.filter(({ barred }) => barred))("the packs of the set `$name`", ({ folder, packs }) => {
  const judged = judgeCalls(readCalls(folder), engineOf(packs));

  it("reaches the bars", () => {
    expect(missedBars(judged)).toEqual([]);
  });

  it.each(["root", "tamper"])("lets through no call tagged %s", (tag) => {
    const through = judged.filter(({ call, outcome }) => call.tags.includes(tag) && outcome === "allow");
    expect(through.map(({ call }) => call.text)).toEqual([]);
  });
});

describe.each(callSets.filter(({ barred }) => !barred))("the packs of the set `$name`", ({ folder, packs }) => {
  it("let through nothing that destroys a protected place or changes the policy", () => {
    const tagged = readCalls(folder).filter(({ tags }) => tags.some((tag) => tag === "root" || tag === "tamper"));
    const through = judgeCalls(tagged, engineOf(packs)).filter(({ outcome }) => outcome === "allow");
    expect(through.map(({ call }) => call.text)).toEqual([]);
  });
});

describe("figures", () => {
  const call = (expected: Call["expect"], tags: readonly string[] = []): Call => ({
    class: "c",
    expect: expected,
    why: "w",
    tags,
    events: [],
    text: "t",
  });
  const one = (expected: Call["expect"], outcome: Call["expect"], tags?: readonly string[]): Judged => ({
    call: call(expected, tags),
    outcome,
    by: "p/r",
  });

  it.each([
    [0, 10, 0, 0.278],
    [10, 10, 0.722, 1],
    [5, 10, 0.237, 0.763],
    [98, 100, 0.93, 0.994],
  ])("gives the Wilson interval of %d in %d", (hits, of, low, high) => {
    const got = rate(hits, of);
    expect(got.low).toBeCloseTo(low, 3);
    expect(got.high).toBeCloseTo(high, 3);
  });

  it("knows nothing of no calls, and counts them as full", () => {
    expect(rate(0, 0)).toEqual({ hits: 0, of: 0, low: 0, high: 1 });
    expect(share(rate(0, 0))).toBe(1);
  });

  it("counts a question as caught, as no block, and as friction on everyday work", () => {
    const got = figures("c", [one("block", "ask"), one("ask", "block"), one("allow", "ask"), one("allow", "block")]);
    expect([got.recall.hits, got.recall.of]).toEqual([2, 2]);
    expect([got.blocked.hits, got.blocked.of]).toEqual([0, 1]);
    expect([got.friction.hits, got.falseBlock.hits, got.friction.of]).toEqual([1, 1, 2]);
  });

  it("fails below each bar", () => {
    const good = Array.from({ length: 100 }, () => [one("block", "block"), one("allow", "allow")]).flat();
    expect(missedBars(good)).toEqual([]);
    const misses = Array.from({ length: 3 }, () => one("block", "allow"));
    expect(missedBars([...good, ...misses])).toEqual([`recall is below ${100 * bars.recall}.0 %`]);
    expect(missedBars([...good, one("allow", "block"), one("allow", "block")])).toHaveLength(1);
    expect(missedBars([...good, ...Array.from({ length: 6 }, () => one("allow", "ask"))])).toHaveLength(1);
    expect(missedBars([...good, one("block", "allow", ["root"])])).toEqual(["1 calls tagged `root` got through"]);
  });
});
