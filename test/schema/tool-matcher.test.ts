import { describe, expect, it } from "vitest";
import { globFault, namesInBraces, toolMatcher } from "../../schema/tool-matcher.ts";

describe("a tool matcher", () => {
  const cases: [patterns: string[], tool: string | undefined, matches: boolean][] = [
    [[], undefined, true],
    [[], "bash", true],
    [["*"], "bash", true],
    [["*"], undefined, false],
    [["bash"], "bash", true],
    [["bash"], "bash2", false],
    [["bash", "read"], "read", true],
    [["mcp__*"], "mcp__fs__read", true],
    [["mcp__fs__*"], "mcp__fsx__read", false],
    [["mcp__*__delete"], "mcp__a__b__delete", true],
    [["*sh"], "bash", true],
    [["?ash"], "bash", true],
    [["?ash"], "ash", false],
    [["BASH"], "bash", false],
  ];
  it.each(cases)("%j on %s: %s", (patterns, tool, matches) => {
    expect(toolMatcher(patterns)(tool)).toBe(matches);
  });

  it("takes no time worth naming on a hostile glob", () => {
    expect(toolMatcher([`${"*a".repeat(200)}b`])("a".repeat(5_000))).toBe(false);
  });
});

describe("the one dialect of globs", () => {
  it.each<readonly [glob: string, matches: readonly string[], not: readonly string[]]>([
    ["mcp__*__{delete,drop}*", ["mcp__db__drop", "mcp__fs__delete_file"], ["mcp__db__list", "mcp__db"]],
    ["{bash,edit}", ["bash", "edit"], ["bash,edit", "{bash,edit}"]],
    ["[re]*", ["read", "edit"], ["write", "[re]x"]],
    ["mcp__[!ab]__x", ["mcp__c__x"], ["mcp__a__x"]],
    ["x_[0-9]", ["x_7"], ["x_a", "x_10"]],
    ["a{b,{c,d}}e", ["abe", "ace", "ade"], ["ae"]],
    ["a\\*", ["a*"], ["ab"]],
    ["**", ["a", "a/b"], []],
    ["?", ["a"], ["ab", ""]],
    ["a[b", ["a[b"], ["ab"]],
  ])("%s", (glob, yes, no) => {
    const matches = toolMatcher([glob]);
    for (const name of yes) expect(matches(name), name).toBe(true);
    for (const name of no) expect(matches(name), name).toBe(false);
  });

  it.each([
    ["src/[a-", "`[` is never closed"],
    ["{a,b", "`{` is never closed"],
    ["a}", "`}` closes nothing"],
    ["[z-a]", "the range `z-a` ends before it begins"],
    ["[]", "`[` is never closed"],
    ["\\[a", undefined],
    ["[]a]", undefined],
    ["{a,{b,c}}/[!x]?*", undefined],
  ])("%s is malformed: %s", (glob, fault) => {
    expect(globFault(glob)).toBe(fault);
  });

  it("lists the names of braces alone", () => {
    expect(namesInBraces("{a,b}c")).toEqual(["ac", "bc"]);
    expect(namesInBraces("{a,b}*")).toBeUndefined();
  });

  it("does not grow with the braces", () => {
    expect(toolMatcher(["{a,b}".repeat(60)])("ab".repeat(30))).toBe(false);
  });
});
