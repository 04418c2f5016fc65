import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../../facts/meter.ts";
import { Table } from "../../../../facts/shell/interpret/table.ts";
import { rounds } from "../../../properties/seed.ts";

type Change = readonly [name: string, value: number | undefined];

const name = fc.integer({ min: 0, max: 90 }).map((i) => `n${i}`);
const changes = fc.array(fc.tuple(name, fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 3 })), {
  maxLength: 120,
});

function changed(table: Table<number>, all: readonly Change[]): Table<number> {
  return all.reduce((one, [key, value]) => (value === undefined ? one.without(key) : one.with(key, value)), table);
}

function plain(before: ReadonlyMap<string, number>, all: readonly Change[]): ReadonlyMap<string, number> {
  const map = new Map(before);
  for (const [key, value] of all) {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
  return map;
}

const sorted = (map: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe("a table of names", () => {
  it("is what a map would be, and stays so when others are made from it", () => {
    fc.assert(
      fc.property(changes, changes, changes, (first, one, other) => {
        const [table, map] = [changed(Table.of<number>([]), first), plain(new Map(), first)];
        const [a, b] = [changed(table, one), changed(table, other)];
        const [mapA, mapB] = [plain(map, one), plain(map, other)];
        expect([[...table], [...a], [...b]]).toEqual([sorted(map), sorted(mapA), sorted(mapB)]);
        expect([table.size, a.size]).toEqual([map.size, mapA.size]);
        for (const [key] of first) expect([a.get(key), a.has(key)]).toEqual([mapA.get(key), mapA.has(key)]);
        const differ = [...new Set([...mapA.keys(), ...mapB.keys()])].filter((key) => mapA.get(key) !== mapB.get(key));
        expect([...a.differing(b)].sort()).toEqual(differ.sort());
        expect([...b.differing(a)].sort()).toEqual(differ.sort());
      }),
      { numRuns: rounds(300) },
    );
  });

  it("knows whether a name begins so", () => {
    const table = Table.of<true>([
      ["/a/b", true],
      ["/c", true],
    ]);
    const asked = ["/a/", "/a/b", "/a/b/", "/c/", "/d", ""];
    expect(asked.filter((text) => table.hasBeginning(text))).toEqual(["/a/", "/a/b", ""]);
  });

  it("shares what is the same: to change it and to find what differs takes no work for the rest", () => {
    const of = (size: number): number => {
      const table = Table.of(Array.from({ length: size }, (_, i): [string, number] => [`n${i}`, i]));
      return unitsOf(() => table.differing(table.with("n7", -1).with("other", 1).without("n8")));
    };
    expect(of(100_000)).toBeLessThan(3 * of(1_000));
    expect(of(100_000)).toBeLessThan(200);
  });

  it("keeps its values under other ones", () => {
    const table = Table.of([
      ["a", 1],
      ["b", 2],
    ]);
    expect([...table.map((value, key) => value + key.length)]).toEqual([
      ["a", 2],
      ["b", 3],
    ]);
    expect(table.get("a")).toBe(1);
  });
});
