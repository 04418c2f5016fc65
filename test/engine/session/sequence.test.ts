import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { advance, type Chain, holds, type Point } from "../../../engine/session/sequence.ts";
import { seed } from "../../properties/seed.ts";
import { sequenceOf } from "./bodies.ts";

/** What happened: the items that each call is, with its time. */
type Past = readonly (readonly [items: readonly number[], time: number])[];

function chainOf(past: Past): Chain {
  const chain: Chain = [];
  past.forEach(([items, time], i) => {
    advance(chain, items, { call: i + 1, time });
  });
  return chain;
}

/** The definition itself: calls i1 < i2 < … that are the items in order, all within the windows. */
function happened(past: Past, length: number, now: Point, calls?: number, time?: number): boolean {
  const from = (item: number, after: number): boolean =>
    item === length ||
    past.some(([items, at], i) => {
      if (i < after || !items.includes(item)) return false;
      const first = item === 0;
      if (first && calls !== undefined && now.call - (i + 1) >= calls) return false;
      if (first && time !== undefined && now.time - at > time) return false;
      return from(item + 1, i + 1);
    });
  return from(0, 0);
}

describe("a sequence", () => {
  it.each<[string, number, readonly (readonly number[])[], boolean]>([
    ["of one item", 1, [[0]], true],
    ["in its order", 2, [[0], [1]], true],
    ["not in another order", 2, [[1], [0]], false],
    ["one call is never two items", 2, [[0, 1]], false],
    [
      "two calls that are both items",
      2,
      [
        [0, 1],
        [0, 1],
      ],
      true,
    ],
    ["with other calls in between", 3, [[0], [], [1], [], [2]], true],
    ["unless an item is missing", 3, [[0], [2]], false],
    ["not of nothing", 1, [], false],
  ])("%s", (_, length, past, wanted) => {
    const timed = past.map((items) => [items, 0] as const);
    expect(holds(chainOf(timed), sequenceOf(length), { call: past.length, time: 0 })).toBe(wanted);
  });

  it("holds where its definition does, for any past and windows", () => {
    const past = fc.array(fc.tuple(fc.uniqueArray(fc.nat(2), { maxLength: 3 }), fc.nat(20)), { maxLength: 14 });
    const window = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });
    fc.assert(
      fc.property(past, window, fc.option(fc.nat(80), { nil: undefined }), fc.nat(20), (given, calls, time, later) => {
        let at = 0;
        const timed = given.map(([items, pause]) => {
          at += pause;
          return [items, at] as const;
        });
        const now = { call: timed.length, time: at + later };
        const rest = { ...(calls !== undefined && { calls }), ...(time !== undefined && { time }) };
        expect(holds(chainOf(timed), sequenceOf(3, rest), now)).toBe(happened(timed, 3, now, calls, time));
      }),
      { seed, numRuns: 500 },
    );
  });

  it("needs one point for each item, however much happened", () => {
    const chain = chainOf(Array.from({ length: 20_000 }, (_, i) => [[i % 3], i] as const));
    expect(chain).toHaveLength(3);
  });
});
