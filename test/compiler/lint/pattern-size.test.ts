import { describe, expect, it } from "vitest";
import { patternSize } from "../../../compiler/lint/pattern-size.ts";
import { limits } from "../../../schema/limits.ts";
import { Counted, fasterThanLinear } from "../../work.ts";

describe("patternSize", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["^a|b$", 2],
    ["a*b+c?", 3],
    ["a{50}", 50],
    ["a{2,50}", 50],
    ["a{7,}", 7],
    ["a{0}", 1],
    ["a{0,0}", 1],
    ["(?:a{50}){20}", 1000],
    ["(?:ab|c){3}", 9],
    ["(?P<name>[a-z]{4}-?){5}x", 26],
    ["(?i)[]a-z{}]{3}", 3],
    ["[[:alpha:]\\]]{3}", 3],
    ["\\{3}\\p{Greek}{4}", 7],
    ["\\x{1F600}{2}", 2],
    ["a{,3}", 5],
    ["(a", 1],
    ["a)", 1],
    ["a[", 2],
    ["[^]x]{2}[\\]]{2}", 4],
  ])("%s comes to %i places", (pattern, places) => {
    expect(patternSize(pattern)).toBe(places);
  });

  it("looks at a pattern of the longest length in one pass", () => {
    const counted = new Counted<typeof import("../../../compiler/lint/pattern-size.ts")>(
      "compiler/lint/pattern-size.ts",
    );
    try {
      for (const part of ["(", "[", "{", "a{9}", "(?:", "[[:", "\\p{"]) {
        const work = (times: number): number => counted.blocks(() => counted.modules.patternSize(part.repeat(times)));
        expect([part, fasterThanLinear(work, limits.patternLength / 4)]).toEqual([part, undefined]);
      }
    } finally {
      counted.end();
    }
  });
});
