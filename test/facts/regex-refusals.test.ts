import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../facts/regex.ts";
import { limits } from "../../schema/limits.ts";

const addon = createRegexEngine({ prefer: "re2" });
const script = createRegexEngine({ prefer: "re2js" });

describe("refused patterns", () => {
  it.each([
    ["a(?=b)", 1, /look-ahead/],
    ["a(?!b)", 1, /unless/],
    ["(?<=a)b", 0, /look-behind/],
    ["x(?<!a)b", 1, /look-behind/],
    ["(a)\\1", 3, /back-reference/],
    ["(?P<n>a)(?P=n)", 8, /back-reference/],
    ["(?<n>a)\\k<n>", 7, /back-reference/],
    ["(?>a)", 0, /\(\?:/],
    ["a++", 2, /possessive/],
    ["a*+", 2, /possessive/],
    ["a{2}+", 4, /possessive/],
    ["a**", 2, /follows a repeat/],
    ["a{2}{3}", 4, /follows a repeat/],
    ["*a", 0, /nothing to repeat/],
    ["a|+", 2, /nothing to repeat/],
    ["(?:*)", 3, /nothing to repeat/],
    ["a{1001}", 1, /over 1000/],
    ["a{2,1001}", 1, /over 1000/],
    ["a{3,2}", 1, /counts down/],
    ["(a", 0, /never closed/],
    ["(a(b)", 0, /never closed/],
    ["a)", 1, /without `\(`/],
    ["[a", 0, /never closed/],
    ["a[]", 1, /never closed/],
    ["[[:nope:]]", 1, /unknown class/],
    ["a\\", 1, /trailing backslash/],
    ["\\u0041", 0, /\\x\{/],
    ["\\cA", 0, /\\x\{/],
    ["\\Z", 0, /\\z/],
    ["\\C", 0, /one byte/],
    ["a\\Kb", 1, /group/],
    ["\\h", 0, /\[ \\t\]/],
    ["\\y", 0, /unknown escape/],
    ["{2}|x", 0, /nothing to repeat/],
    ["[\\b]", 1, /no meaning inside/],
    ["\\xZZ", 0, /invalid `\\x`/],
    ["\\x{110000}", 0, /no Unicode character/],
    ["\\p{Letter}", 0, /write `\\p\{L\}`/],
    ["\\P{Script=Greek}", 0, /write `\\P\{Greek\}`/],
    ["\\p{cyrilic}", 0, /write `\\p\{Cyrillic\}`/],
    ["\\p{Nope}", 0, /./],
    ["(?x)a b", 0, /free-spacing/],
    ["(?z)a", 0, /flag `z` .*; remove the group/],
    ["(?iu)a", 0, /flag `u` .*; write `\(\?i\)`/],
    ["(?i-n:a)", 0, /flag `n` .*; write `\(\?i:`/],
    ["(?^a)", 0, /flag `a`/],
    ["(?<n>a)(?<n>b)", 7, /`\(\?P<n2>`/],
    ["(*UTF8)a", 0, /texts are Unicode/],
    ["(*SKIP)a", 0, /verb `\(\*…\)` is not in RE2; remove it/],
    ["(*)", 1, /nothing to repeat/],
    ["(?&n)", 0, /recursion/],
    ["(?'n'a)", 0, /write `\(\?P<n>`/],
    ["(?<n-a>x)", 0, /`\(\?P<n_a>`/],
    ["\\u{1F600}", 0, /write `\\x\{1f600\}`/],
    ["\\o{101}", 0, /write `\\x\{41\}`/],
    ["\\cA", 0, /write `\\x\{1\}`/],
    ["[[:digits:]]", 1, /write `\[:digit:\]`/],
    ["[a-\\d]", 3, /cannot end a range; write `-` first/],
    ["x(?!y\\)(?:[)]))z", 1, /`matches: 'y\\\)\(\?:\[\)\]\)'`/],
    ["(?)", 0, /unknown group/],
    ["(?#x)a", 0, /comment/],
    ["(?(1)a|b)", 0, /conditional/],
    ["(?R)", 0, /recursion/],
    ["(?P<n>a)(?P<n>b)", 8, /twice/],
    ["(?P<1n>a)", 0, /invalid group name/],
    ["(?P<n", 0, /never closed by `>`/],
    ["[z-a]", 1, /./],
    ["(?:a{100}){100}", undefined, /./],
    ["x\\pL{1000}", 4, /too large/],
    ["(?:\\pL\\pN\\pS){300}", 13, /too large/],
    ["(?:[\\pL\\pN]{20}x){50}", 17, /too large/],
    [`(?:${"ab".repeat(100)}){1000}`, 204, /too large/],
    ["a".repeat(limits.patternLength + 1), limits.patternLength, /longer than/],
  ])("%j at %s", (pattern, offset, message) => {
    for (const engine of [addon, script]) {
      const result = engine.compile(pattern);
      expect(result).toMatchObject({ kind: "regex_error", message: expect.stringMatching(message) });
      if (offset !== undefined) expect(result).toHaveProperty("offset", offset);
    }
  });
  it("agree for any text as a pattern, and never throw", () => {
    const unit = fc.constantFrom(..."ab(){}[]|*+?^$.\\-,:<>=!PQEpxLu0159é😀i&~_/ ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 10 }), (pattern) => {
        const [left, right] = [addon.compile(pattern), script.compile(pattern)];
        expect(["kind" in right, pattern]).toEqual(["kind" in left, pattern]);
      }),
      { numRuns: 1_500 },
    );
  });
});
