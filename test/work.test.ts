import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Counted, fasterThanLinear } from "./work.ts";

describe("counted work", () => {
  let counted: Counted<typeof import("./work-samples.ts")>;
  beforeAll(() => {
    counted = new Counted("test/work-samples.ts");
  });
  afterAll(() => counted.end());

  it.each(["pairs", "each", "callbacks", "native"] as const)("is the same in every run: %s", (name) => {
    const counts = Array.from({ length: 12 }, () => {
      // Enough runs that the optimiser would have its part in the later ones.
      for (let run = 0; run < 100; run++) counted.modules[name](100);
      return counted.blocks(() => counted.modules[name](100));
    });
    const seen = new Set(counts);
    expect([...seen]).toHaveLength(1);
  });

  it.each(["each", "callbacks"] as const)("of linear work grows as its input does: %s", (name) => {
    const count = (n: number): number => counted.blocks(() => counted.modules[name](n));
    expect(fasterThanLinear(count, 2_000)).toBeUndefined();
    expect(count(2_000)).toBeGreaterThan(2_000);
    expect(count(4_000) / count(2_000)).toBeCloseTo(2, 1);
  });

  it("shows a loop in a loop, small as the input may be", () => {
    const seen = fasterThanLinear((n) => counted.blocks(() => counted.modules.pairs(n)), 20);
    expect(seen?.map((blocks) => Math.round(blocks / 100))).toEqual([6, 24, 97]);
  });

  it("does not show what native code does", () => {
    expect(fasterThanLinear((n) => counted.blocks(() => counted.modules.native(n)), 1_000)).toBeUndefined();
  });

  it("counts nothing that the test itself does", () => {
    expect(counted.blocks(() => Array.from({ length: 1_000 }, (_, i) => i * 2))).toBe(0);
  });

  it("counts work that is waited for, between its waits too", async () => {
    const twice = async (n: number): Promise<void> => {
      counted.modules.each(n);
      await new Promise(setImmediate);
      counted.modules.each(n);
    };
    expect(await counted.blocksOf(() => twice(500))).toBe(counted.blocks(() => counted.modules.each(500)) * 2);
  });

  it("goes on for modules that are loaded anew", () => {
    const before = counted.blocks(() => counted.modules.each(500));
    counted.end();
    counted = new Counted("test/work-samples.ts");
    expect(counted.blocks(() => counted.modules.each(500))).toBe(before);
  });
});
