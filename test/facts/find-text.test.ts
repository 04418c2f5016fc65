import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasText, indexOfText, lastIndexOfText, piecesOfText, replacedText } from "../../facts/find-text.ts";
import { unitsOf } from "../../facts/meter.ts";
import { nativeWork } from "../native-work.ts";
import { seed } from "../properties/seed.ts";
import { Counted, fasterThanLinear } from "../work.ts";

/** Texts of few characters, in which much stands often, or nearly; some of them far longer than what native code looks for. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("a", "b", "\u3042", "\ud83d"), maxLength: 60 }),
  fc
    .array(fc.constantFrom("a".repeat(20), "b", `${"a".repeat(17)}b`), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
const part = fc.oneof(text, fc.constantFrom("", "a".repeat(16), "a".repeat(17), `${"a".repeat(40)}b${"a".repeat(40)}`));
const place = fc.integer({ min: 0, max: 300 });

describe("a search for one text in another", () => {
  it("finds what native code finds, from every place", () => {
    fc.assert(
      fc.property(text, part, place, (all, one, from) => {
        expect(indexOfText(all, one, from)).toBe(all.indexOf(one, from));
        expect(lastIndexOfText(all, one, from)).toBe(all.lastIndexOf(one, from));
        expect(lastIndexOfText(all, one)).toBe(all.lastIndexOf(one));
        expect(hasText(all, one)).toBe(all.includes(one));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("parts and replaces as native code does", () => {
    fc.assert(
      fc.property(text, part, text, (all, one, by) => {
        if (one === "") return;
        expect(piecesOfText(all, one)).toEqual(all.split(one));
        expect(replacedText(all, one, by, 100_000)).toBe(all.split(one).join(by));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("gives no text that is longer than wanted", () => {
    expect(replacedText("aa", "a", "bb", 4)).toBe("bbbb");
    expect(replacedText("aa", "a", "bb", 3)).toBeUndefined();
    expect(replacedText("a".repeat(50_000), "a", "b".repeat(50_000), 65_536)).toBeUndefined();
  });
});

/** Texts of a length beside texts that stand in them nearly everywhere: each a product of both lengths for native code. */
const worst: readonly (readonly [string, (n: number) => readonly [string, string]])[] = [
  ["nearly all of it, at each place", (n) => ["a".repeat(n), `${"a".repeat(n >> 2)}b${"a".repeat(n >> 2)}`]],
  ["nearly its end", (n) => ["a".repeat(n), `${"a".repeat(n >> 1)}b`]],
  ["nearly its beginning", (n) => ["a".repeat(n), `b${"a".repeat(n >> 1)}`]],
  ["nearly all but the beginning", (n) => ["a".repeat(n), `aaaaaaaaaab${"a".repeat(n >> 1)}`]],
  ["pairs", (n) => ["ab".repeat(n >> 1), `${"ab".repeat(n >> 3)}b${"ab".repeat(n >> 3)}`]],
  ["wide characters", (n) => ["\u3042".repeat(n), `${"\u3042".repeat(n >> 2)}b${"\u3042".repeat(n >> 2)}`]],
  ["what stands there often", (n) => ["a".repeat(n), "a".repeat(40)]],
  ["what stands there twice", (n) => ["a".repeat(n), "a".repeat(n >> 1)]],
];

describe("the work of such a search", () => {
  let counted: Counted<typeof import("../../facts/find-text.ts")>;
  beforeAll(() => {
    counted = new Counted("facts/find-text.ts");
  });
  afterAll(() => counted.end());

  const searches = ["indexOfText", "lastIndexOfText", "piecesOfText"] as const;
  it.each(searches.flatMap((search) => worst.map(([name, of]) => [search, name, of] as const)))(
    "grows no faster than the texts: %s, %s",
    (search, _, of) => {
      const blocks = (n: number): number => counted.blocks(() => counted.modules[search](...of(n)));
      const native = (n: number): number => nativeWork(() => counted.modules[search](...of(n)));
      expect([fasterThanLinear(blocks, 4_000), fasterThanLinear(native, 4_000)]).toEqual([undefined, undefined]);
      expect(blocks(16_000) + native(16_000)).toBeLessThan(64 * 16_000);
    },
  );

  it("is paid for where it is more than native code that looks for a few characters", () => {
    const [all, one] = ["a".repeat(40_000), `${"a".repeat(9_000)}b${"a".repeat(9_000)}`];
    expect(unitsOf(() => hasText(all, one))).toBeGreaterThan(40_000 / 32);
    expect(unitsOf(() => piecesOfText("a".repeat(1_000), "a"))).toBeGreaterThanOrEqual(1_000);
    expect(unitsOf(() => replacedText("a".repeat(1_000), "a", "b".repeat(60), 65_536))).toBeGreaterThan(60_000 / 64);
  });
});
