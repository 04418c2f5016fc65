import { describe, expect, it } from "vitest";
import { didYouMean, suggest } from "../../diagnostics/suggest.ts";

const keys = ["event", "tool", "when", "unless", "action", "reason", "guidance"];

describe("the nearest known name", () => {
  it.each([
    ["one letter left out", "evnt", "event"],
    ["one letter too many", "toool", "tool"],
    ["another letter", "whem", "when"],
    ["two letters swapped", "raeson", "reason"],
    ["another case", "Action", "action"],
    ["several slips in a long name", "giudanse", "guidance"],
    ["the name itself", "tool", "tool"],
  ])("%s", (_, given, known) => {
    expect(suggest(given, keys)).toBe(known);
  });

  it.each([
    ["nothing like it", "colour"],
    ["too short to tell", "wx"],
    ["empty", ""],
    ["far longer", "actionactionaction"],
  ])("none: %s", (_, given) => {
    expect(suggest(given, keys)).toBeUndefined();
  });

  it("of two equally near names the first", () => {
    expect(suggest("bat", ["cat", "hat"])).toBe("cat");
  });

  it("names of object members are names like any other", () => {
    expect(suggest("constructr", ["constructor", "__proto__"])).toBe("constructor");
  });
});

describe("help from a suggestion", () => {
  it.each<readonly [what: string, given: string, known: readonly string[], help: string]>([
    ["a near name", "evnt", keys, "did you mean `event`?"],
    ["no near name", "x", ["when", "unless"], "known here: `when`, `unless`"],
    ["nothing known", "x", [], "remove it"],
  ])("%s", (_, given, known, help) => {
    expect(didYouMean(given, known)).toBe(help);
  });

  it("a long list is cut to a dozen", () => {
    const many = Array.from({ length: 13 }, (_, i) => `name-${i}-long`);
    const help = didYouMean("x", many);
    expect(help.match(/`/g)).toHaveLength(24);
    expect(help).toMatch(/, …$/);
  });
});
