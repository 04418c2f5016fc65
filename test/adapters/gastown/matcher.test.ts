import { describe, expect, it } from "vitest";
import { compileMatcher, toolSubject } from "../../../adapters/gastown/matcher.ts";

const fits = (matcher: string | undefined, tool: string, args: Record<string, unknown> = {}): boolean => {
  const compiled = compileMatcher(matcher);
  if ("problem" in compiled) throw new Error(compiled.problem);
  return compiled(toolSubject(tool, args));
};

const push = { command: "git push --force origin main" };

describe("a matcher", () => {
  it.each([
    [undefined, "bash", {}, true],
    ["", "bash", {}, true],
    ["*", "anything", {}, true],
    ["Bash", "bash", {}, true],
    ["bash", "bash", {}, true],
    ["Bash", "read", {}, false],
    ["Edit|Write", "write", {}, true],
    ["Edit|Write", "bash", {}, false],
    ["mcp__fs__.*", "mcp__fs__move", {}, true],
    ["mcp__*", "mcp__fs__move", {}, true],
    ["mcp__fs__.*", "mcp__db__move", {}, false],
    ["^(Bash|Read)$", "read", {}, true],
    ["Ba", "bash", {}, false],
    ["Bash(git push --force*)", "bash", push, true],
    ["Bash(git push:*)", "bash", push, true],
    ["Bash(git push --force*)", "bash", { command: "cd app && git  push --force" }, true],
    ["Bash(git push --force*)", "bash", { command: "echo $(git push --force)" }, true],
    ["Bash(git push --force*)", "bash", { command: "git push" }, false],
    ["Bash(git push --force*)", "read", push, false],
    ["Bash(gh pr create*)|Edit", "edit", {}, true],
    ["Edit(*.env)", "edit", { path: "app/.env" }, true],
    ["Edit(*.env)", "edit", { path: "app/a.ts" }, false],
    ["Bash()", "bash", {}, true],
  ])("%s on %s %o is %s", (matcher, tool, args, expected) => {
    expect(fits(matcher, tool, args)).toBe(expected);
  });

  it("that cannot be compiled says so", () => {
    expect(compileMatcher("Ba[sh")).toEqual({ problem: expect.stringContaining("Ba[sh") });
    expect(compileMatcher("Bash(open")).toEqual({ problem: expect.stringContaining("Bash(open") });
  });
});
