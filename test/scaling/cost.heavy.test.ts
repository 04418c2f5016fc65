import { describe, expect, it } from "vitest";
import type { WireEvent } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { cpuTime } from "../cpu.ts";
import { seed } from "../properties/seed.ts";
import { climb } from "./climb.ts";
import { roundsOf, sample } from "./sample.ts";
import { eventOf, texts } from "./search-texts.ts";
import { shapes } from "./shapes.ts";
import { engineOf, judged, recommended } from "./subject.ts";

/** Size of the inputs that are compared, in UTF-16 units. */
const size = 100_000;

/** What the meter lets one event take in all: rules, rules in monitor mode, two kinds of text, calls and two views of a record. */
const most =
  limits.eventWork + limits.monitorWork + 4 * limits.textWork + 2 * limits.readingWork + 2 * limits.recordWork;

/** Nanoseconds of one processor that judging took: the least of a few times, for the machine may do other things. */
function cpuOf(event: WireEvent, rounds: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < rounds; n++) {
    const engine = engineOf(recommended());
    least = Math.min(least, cpuTime(() => engine.decide(event)) * 1e6);
  }
  return least;
}

/**
 * Nanoseconds for what an input should cost by what is counted: its units, and its length, since it is copied, written as
 * JSON and digested once or twice whatever the meter says.
 */
function costOf(event: WireEvent, rounds: number): number {
  const { units } = judged(engineOf(recommended()), event);
  return cpuOf(event, rounds) / (units + JSON.stringify(event).length / 2);
}

/** A unit may stand for so many times the time that it stands for in most shapes. More is work that nobody counts. */
const uneven = 8;

describe("work that is not counted", () => {
  const compared = sample(shapes, 8);
  let usual = Number.NaN;

  it("there is none: no shape costs many times what its units say", () => {
    for (const shape of compared) engineOf(recommended()).decide(shape.event(4_000));
    const costs = compared.map((shape) => ({ shape, cost: costOf(shape.event(size), 2) }));
    usual = costs.map(({ cost }) => cost).sort((a, b) => a - b)[Math.floor(costs.length * 0.75)] as number;
    // Whoever seems to be dear is measured again: others may have had the processor's caches meanwhile.
    const dear = costs.filter(({ cost }) => cost > uneven * usual).map(({ shape }) => shape);
    const still = dear.filter((shape) => costOf(shape.event(size), 8) > uneven * usual);
    expect(still.map(({ name }) => name)).toEqual([]);
  });

  it("there is none in the dearest text, for its length, that a search finds", () => {
    const { one } = climb(texts, seed, roundsOf(20), (text) => cpuOf(eventOf(text, size), 1));
    expect([seed, one, costOf(eventOf(one, size), 6) <= uneven * usual]).toEqual([seed, one, true]);
  });
});

describe("a search for texts that take more work", () => {
  it("finds none that the meter does not bound", () => {
    const count = (text: Parameters<typeof eventOf>[0]): number =>
      judged(engineOf(recommended()), eventOf(text, size)).units;
    const { one, score } = climb(texts, seed, roundsOf(30), count);
    expect([seed, one, score <= most]).toEqual([seed, one, true]);
  });
});
