import { describe, expect, it } from "vitest";
import "../properties/seed.ts";
import { sample } from "./sample.ts";
import type { Shape } from "./shape.ts";
import { shapes } from "./shapes.ts";
import { engineOf, isBounded, judged, recommended } from "./subject.ts";

/** UTF-16 units of the smallest input of each shape: every keyword of every detector fits in. */
const smallest = 12_000;

/** Units of work that may come and go with a bound of something, such as a list that is looked at up to a length. */
const slack = 20_000;

describe("the work of an event under `recommended`", () => {
  const engine = engineOf(recommended());

  /** Units for an input of so many times the smallest; undefined where an allowance was met. */
  function unitsOf(shape: Shape, times: number): number | undefined {
    const found = judged(engine, shape.event(smallest * times));
    return isBounded(found) ? undefined : found.units;
  }

  it.each(sample(shapes, 8).map((shape) => [shape.name, shape] as const))(
    "grows no faster than its input: %s",
    (_, shape) => {
      const seen = [1, 2, 4].map((times) => unitsOf(shape, times));
      // A text that is longer than a window is looked at another way, once: what grows too fast does so at each length.
      for (const times of [8, 16]) if (grown(seen)) seen.push(unitsOf(shape, times));
      expect([seen, grown(seen)]).toEqual([seen, false]);
    },
  );

  function grown(seen: readonly (number | undefined)[]): boolean {
    const [before, after] = seen.slice(-2);
    return before !== undefined && after !== undefined && after > 2.2 * before + slack;
  }
});
