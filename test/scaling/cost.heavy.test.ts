import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireEvent } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { seed } from "../properties/seed.ts";
import { Counted } from "../work.ts";
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

/** A unit may stand for so many times the blocks that it stands for in most shapes. More is work that nobody counts. */
const uneven = 8;

/** What native code takes is in neither units nor blocks: `npm run bench worst` times it. */
describe("work that is not counted", () => {
  const compared = sample(shapes, 8);
  let usual = Number.NaN;
  let counted: Counted<typeof import("./subject.ts")>;
  beforeAll(() => {
    counted = new Counted("test/scaling/subject.ts");
    // Tables that are made once are none of the work for an event.
    for (const shape of compared) counted.modules.engineOf(counted.modules.recommended()).decide(shape.event(4_000));
  });
  afterAll(() => counted.end());

  /** Executed blocks of judging. */
  function blocksOf(event: WireEvent): number {
    const engine = counted.modules.engineOf(counted.modules.recommended());
    return counted.blocks(() => engine.decide(event));
  }

  /**
   * Blocks for what an input should cost by what is counted: its units, and its length, since it is copied, written as JSON
   * and digested once or twice whatever the meter says.
   */
  function costOf(event: WireEvent): number {
    const { units } = judged(engineOf(recommended()), event);
    return blocksOf(event) / (units + JSON.stringify(event).length / 2);
  }

  it("there is none: no shape costs many times what its units say", () => {
    const costs = compared.map((shape) => [shape.name, costOf(shape.event(size))] as const);
    usual = costs.map(([, cost]) => cost).sort((a, b) => a - b)[Math.floor(costs.length * 0.75)] as number;
    expect(costs.filter(([, cost]) => cost > uneven * usual)).toEqual([]);
  });

  it("there is none in the dearest text, for its length, that a search finds", () => {
    const { one } = climb(texts, seed, roundsOf(20), (text) => blocksOf(eventOf(text, size)));
    expect([seed, one, costOf(eventOf(one, size)) <= uneven * usual]).toEqual([seed, one, true]);
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
