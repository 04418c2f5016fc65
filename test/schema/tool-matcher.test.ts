import { describe, expect, it } from "vitest";
import { toolMatcher } from "../../schema/tool-matcher.ts";

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
