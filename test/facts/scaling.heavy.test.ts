import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { isOwnSeed, seed } from "../properties/seed.ts";
import { climb } from "../scaling/climb.ts";
import { command, type FactCall } from "../scaling/facts/shape.ts";
import { roundsOf, sample } from "../scaling/sample.ts";
import { commands } from "../scaling/search-commands.ts";
import { factShapes } from "../scaling/shapes-facts.ts";
import { Counted } from "../work.ts";
import { excess, measured } from "./scaling.ts";

describe("work of facts, near the bounds of texts", () => {
  it.each(sample(factShapes, 8).map((shape) => [shape.name, shape] as const))(
    "grows no faster than its input: %s",
    (_, shape) => {
      expect(excess(shape, 8_000)).toBeUndefined();
    },
  );
});

// Work that is too small says nothing.
const least = 2_000;

/** A unit may stand for so many times the blocks of the usual unit. More is work that nobody counts. */
const uneven = 30;

/**
 * Units beside the blocks that are executed for them. What native code takes is in neither: `npm run bench facts` times it.
 */
describe("units of work", () => {
  const shares = new Map<string, number>();
  let counted: Counted<typeof import("./scaling.ts")>;
  beforeAll(() => {
    counted = new Counted("test/facts/scaling.ts");
  });
  afterAll(() => counted.end());

  const blocksOf = (call: FactCall): number => counted.blocks(() => counted.modules.measured(call));

  /** Blocks for a unit of the work that a call takes; undefined where it takes hardly any. */
  function unitBlocks(call: FactCall): number | undefined {
    const { units } = measured(call);
    return units < least ? undefined : blocksOf(call) / units;
  }

  it("stand for alike amounts of work in all shapes", () => {
    for (const shape of sample(factShapes, 4)) {
      const share = unitBlocks(shape.of(8_000));
      if (share !== undefined) shares.set(shape.name, share);
    }
    expect(shares.size).toBeGreaterThan(isOwnSeed ? 120 : 60);
    const usual = median();
    const dear = [...shares].filter(([, share]) => share > uneven * usual);
    expect(dear).toEqual([]);
  });

  it("stand for alike amounts of work in the worst that a search finds", () => {
    const usual = median();
    const { one, score } = climb(commands, seed, roundsOf(60), (text) => unitBlocks(command(text)) ?? 0);
    expect([seed, one, score < uneven * usual]).toEqual([seed, one, true]);
  });

  it("are bounded in the command that takes most work for its length", () => {
    const dearness = (text: string): number => blocksOf(command(text)) / (200 + text.length);
    const { one } = climb(commands, seed, roundsOf(60), dearness);
    expect([seed, one, measured(command(one)).units < 1.25 * limits.readingWork]).toEqual([seed, one, true]);
  });

  function median(): number {
    const sorted = [...shares.values()].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  }
});

describe("units of a search", () => {
  it("are bounded in the command for which a search finds the most of them", () => {
    const { one, score } = climb(commands, seed, roundsOf(120), (text) => measured(command(text)).units);
    expect([seed, one, score < 1.25 * limits.readingWork]).toEqual([seed, one, true]);
  });
});
