import { describe, expect, it } from "vitest";
import { readEvent } from "../../facts/effects/event.ts";
import { limits } from "../../schema/limits.ts";
import { isOwnSeed, seed } from "../properties/seed.ts";
import { climb } from "../scaling/climb.ts";
import { command, type FactCall } from "../scaling/facts/shape.ts";
import { roundsOf, sample } from "../scaling/sample.ts";
import { commands } from "../scaling/search-commands.ts";
import { factShapes } from "../scaling/shapes-facts.ts";
import { excess, measured, readable } from "./scaling.ts";

/** Microseconds of a processor for reading a call, the best of several times, so that what else runs here adds little. */
function processorTime(call: FactCall, times: number): number {
  const [event, files] = readable(call);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage();
    readEvent(event, files);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}

// Work that is too short to be timed says nothing.
const least = 2_000;

/** Nanoseconds of a processor for a unit of the work that a call takes; undefined where it takes hardly any. */
function unitTime(call: FactCall, times: number): number | undefined {
  const { units } = measured(call);
  return units < least ? undefined : (processorTime(call, times) * 1_000) / units;
}

/** A unit may stand for so many times the time of the usual unit. More is work that nobody counts. */
const uneven = 30;

describe("work of facts, near the bounds of texts", () => {
  it.each(sample(factShapes, 8).map((shape) => [shape.name, shape] as const))(
    "grows no faster than its input: %s",
    (_, shape) => {
      expect(excess(shape, 8_000)).toBeUndefined();
    },
  );
});

describe("units of work", () => {
  const times = new Map<string, number>();

  it("stand for alike amounts of time in all shapes", () => {
    for (const shape of sample(factShapes, 4)) {
      const time = unitTime(shape.of(8_000), 2);
      if (time !== undefined) times.set(shape.name, time);
    }
    expect(times.size).toBeGreaterThan(isOwnSeed ? 120 : 60);
    const usual = median();
    // Whoever seems to be too slow is measured again: others may have had the processor's caches meanwhile.
    const slow = [...times].filter(([, time]) => time > uneven * usual).map(([name]) => name);
    const still = factShapes
      .filter(({ name }) => slow.includes(name))
      .filter((shape) => (unitTime(shape.of(8_000), 10) ?? 0) > uneven * usual);
    expect(still.map(({ name }) => name)).toEqual([]);
  });

  it("stand for alike amounts of time in the worst that a search finds", () => {
    const usual = median();
    const { one } = climb(commands, seed, roundsOf(60), (text) => unitTime(command(text), 2) ?? 0);
    expect([seed, one, (unitTime(command(one), 10) ?? 0) < uneven * usual]).toEqual([seed, one, true]);
  });

  it("are bounded in the command for which a search finds the most of them", () => {
    const { one, score } = climb(commands, seed, roundsOf(120), (text) => measured(command(text)).units);
    expect([seed, one, score < 1.25 * limits.readingWork]).toEqual([seed, one, true]);
  });

  it("are bounded in the command that takes longest for its length", () => {
    const dearness = (text: string): number => processorTime(command(text), 1) / (200 + text.length);
    const { one } = climb(commands, seed, roundsOf(60), dearness);
    expect([seed, one, measured(command(one)).units < 1.25 * limits.readingWork]).toEqual([seed, one, true]);
  });

  function median(): number {
    const sorted = [...times.values()].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  }
});
