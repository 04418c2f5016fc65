import { describe, expect, it } from "vitest";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";
import { limits } from "../../../schema/limits.ts";
import { commands } from "../../corpus/commands.ts";
import { shapes } from "../../corpus/growth.ts";
import { bash } from "../effects/judge.ts";
import { faultsOf } from "./answers.ts";

describe("the bound on commands", () => {
  it("a text with as many is understood, one with one more is not", () => {
    expect(bash("true; ".repeat(limits.shellCommands)).understanding).toBe("understood");
    expect(bash("true; ".repeat(limits.shellCommands + 1))).toMatchObject({
      understanding: "unknown",
      effects: undefined,
    });
  });

  it("rounds of a loop count", () => {
    const loop = `for i in ${"a ".repeat(60)}; do ${"ls $i; ".repeat(limits.shellCommands / 32)} done`;
    expect(bash(loop).understanding).toBe("unknown");
  });

  it("a script of 64 KB in lines of forty characters is within it", () => {
    const line = "cat src/reader.ts > build/out/copy1.ts;\n";
    expect(bash(line.repeat(limits.shellLength / line.length)).shell?.commands.length).toBeGreaterThan(1_500);
  });
});

describe("the bound on effects", () => {
  it("more redirections than effects can be listed are not understood", () => {
    const all = Array.from({ length: limits.effects + 1 }, (_, i) => `>f${i}`);
    expect(bash(`ls . ${all.slice(1_000).join(" ")}`).effects?.writes.length).toBe(limits.effects + 1 - 1_000);
    expect(bash(`ls . ${all.join(" ")}`).understanding).toBe("unknown");
  });
});

describe("paths below something absent are not looked up further", () => {
  const files = hermeticFiles({
    "/a/climbing": { symlink: "gone/../b" },
    "/a/b": { symlink: "/z" },
    "/a/plain": { symlink: "gone/b" },
    "/proc/self": { directory: true },
  });
  const real = (text: string): string => resolvePath(text, { cwd: "/a", home: "/home/dev", fold: false }, files).real;

  it.each([
    ["gone/b", "/a/gone/b"],
    ["gone/../b/x", "/z/x"],
    ["climbing/x", "/z/x"],
    ["plain/../b", "/a/gone/b/../b".replace("/b/..", "")],
    ["/proc/self/cwd/b", "/z"],
    ["/proc/7/root/a/b", "/z"],
  ])("%s is %s", (text, expected) => {
    expect(real(text)).toBe(expected);
  });
});

describe("the corpus", () => {
  const list = commands(300, 7);

  it("is the same for a seed, another for another, and holds no command twice", () => {
    expect(commands(300, 7)).toEqual(list);
    expect(commands(300, 8)).not.toEqual(list);
    expect(new Set(list).size).toBe(300);
  });

  it("keeps every promise of facts, and nearly all of it can be read", () => {
    expect(list.flatMap(faultsOf)).toEqual([]);
    expect(list.filter((one) => bash(one).understanding === "unknown").length).toBeLessThan(5);
  });

  it("grows in shapes that stay within the length asked for", () => {
    for (const shape of shapes) expect([shape.name, shape.of(1_000).length <= 1_000]).toEqual([shape.name, true]);
  });
});
