import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RecentMatches } from "../../../facts/secrets/recent-matches.ts";
import type { RegexMatch } from "../../../schema/ports.ts";
import "../../properties/seed.ts";
import { cleanSamples, scannerFor, secretSamples } from "./made.ts";

const one: readonly RegexMatch[] = [{ start: 0, end: 1, groups: ["a"] }];

describe("RecentMatches", () => {
  it("asks once for each row and window, and each time for what is long", () => {
    const recent = new RecentMatches();
    const asked: string[] = [];
    const find = (row: number, part: string) =>
      recent.of(row, part, (text) => {
        asked.push(`${row} ${text.length}`);
        return one;
      });
    for (const row of [1, 1, 2]) expect(find(row, "a window")).toBe(one);
    for (const part of ["b", "b", "x".repeat(1_025), "x".repeat(1_025)]) find(1, part);
    expect(asked).toEqual(["1 8", "2 8", "1 1", "1 1025", "1 1025"]);
  });

  it("forgets all when there are too many", () => {
    const recent = new RecentMatches();
    let asked = 0;
    const find = (part: string) =>
      recent.of(0, part, () => {
        asked += 1;
        return [];
      });
    for (let n = 0; n < 512; n++) find(`window ${n}`);
    find("window 0");
    expect(asked).toBe(512);
    find("one more");
    find("window 0");
    expect(asked).toBe(514);
  });
});

describe("a scanner that has seen other texts", () => {
  const piece = fc.oneof(
    fc.constantFrom(...secretSamples),
    fc.constantFrom(...cleanSamples),
    fc.constantFrom(" ", "\n", '"', "password=", '{"key":"', "a".repeat(300)),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));

  it("finds in each what one finds that has seen none", () => {
    const names = ["secrets/*"];
    const seasoned = scannerFor(names);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (texts) => {
        const fresh = scannerFor(names, {}, true);
        for (const given of [...texts, ...texts]) expect(seasoned.survey(given)).toEqual(fresh.survey(given));
        // What encodes it, and what stands round it, are other texts.
        for (const given of texts) {
          const json = JSON.stringify({ value: given, more: { inner: JSON.stringify([given]) } });
          expect(seasoned.survey(json)).toEqual(scannerFor(names, {}, true).survey(json));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("finds what its own rows find, whatever others look for beside it", () => {
    const sets = [["secrets/*"], ["secrets/generic-*"], ["secrets/*", "pii/*"], ["pii/*"], ["secrets/aws-*"], ["*"]];
    const made = sets.map((names) => ({ names, seasoned: scannerFor(names), again: scannerFor(names) }));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 2 }), (texts) => {
        for (const given of texts)
          for (const { names, seasoned, again } of made) {
            expect(seasoned.survey(given)).toEqual(again.survey(given));
            expect(again.survey(given)).toEqual(scannerFor(names, {}, true).survey(given));
            expect(again.places(given)).toEqual(scannerFor(names, {}, true).places(given));
          }
      }),
      { numRuns: 6 },
    );
  });

  it("tells nobody of values that must not be seen", () => {
    const value = "correct horse battery";
    expect(scannerFor(["secrets/*"], { known: [{ name: "pass", value }] }).find(`a ${value}`)).toHaveLength(1);
    expect(scannerFor(["secrets/*"]).find(`a ${value}`)).toEqual([]);
  });

  it("finds values that must not be seen, each time", () => {
    const value = "correct horse battery";
    const scanner = scannerFor(["secrets/*"], { known: [{ name: "pass", value }] });
    const given = `${secretSamples[0]} and ${value}`;
    expect(scanner.survey(given)).toEqual(scanner.survey(given));
    expect(scanner.find(given).map(({ detector }) => detector)).toContain("secrets/known-value");
  });
});
