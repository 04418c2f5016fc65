import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../facts/regex.ts";
import type { Regex } from "../../schema/ports.ts";
import "../properties/seed.ts";

const addon = createRegexEngine({ prefer: "re2" });
const script = createRegexEngine({ prefer: "re2js" });

function compiled(engine: typeof addon, pattern: string, flags: { readonly ignoreCase: boolean }): Regex {
  const regex = engine.compile(pattern, flags);
  if ("kind" in regex) throw new Error(`${pattern}: ${regex.message}`);
  return regex;
}

/** The script engine asks first whether there is a match at all, or a further one: never a no where there is one. */
describe("all matches of a text", () => {
  const piece = fc.constantFrom("a", "b", "_", " ", "\n", "-", "😀", "\ud800", "\udc00", "é", "ab", "\u212a");
  const text = fc.array(piece, { maxLength: 14 }).map((all) => all.join(""));
  const atom = fc.constantFrom("a", "b", ".", "[^a]", "\\w", "\\W", "ab", "😀", "(a|b)", "\\x{212a}", "[😀-😂]");
  const edge = fc.constantFrom("", "", "", "\\b", "\\B", "^", "$", "(?m:^)", "(?m:$)", "\\A", "\\z");
  const times = fc.constantFrom("", "", "*", "+", "?", "{1,3}", "*?");
  const pattern = fc
    .array(fc.tuple(edge, atom, times, edge), { minLength: 1, maxLength: 3 })
    .map((all) => all.map((one) => one.join("")).join(""));

  it("are the same with both engines, from every place", () => {
    fc.assert(
      fc.property(pattern, text, fc.boolean(), (source, given, ignoreCase) => {
        const [one, other] = [compiled(addon, source, { ignoreCase }), compiled(script, source, { ignoreCase })];
        expect(other.matches(given)).toEqual(one.matches(given));
        for (let from = 0; from <= given.length; from++) expect(other.exec(given, from)).toEqual(one.exec(given, from));
      }),
      { numRuns: 600 },
    );
  });
});
