import { describe, expect, it } from "vitest";
import { keyed, keysOf, keysTyped, typedLine } from "../../../facts/effects/typed-line.ts";
import { Counted, fasterThanLinear } from "../../work.ts";

describe("what a terminal hands on of what is typed", () => {
  it.each([
    ["ls", "ls"],
    ["x\u0015ls\n", "ls\n"],
    ["x\u0003ls", "ls"],
    ["one\ntwo\u0015three", "one\nthree"],
    ["lx\u007fs", "ls"],
    ["lx\bs", "ls"],
    ["\u007f\u007fls", "ls"],
    ["a\n\u007fb", "a\nb"],
    ["ls bad\u0017good", "ls good"],
    ["ls bad  \u0017good", "ls good"],
    ["\u001b[200~ls\u001b[201~", "ls"],
    ["l\u001b[1;31ms\u001b[0m", "ls"],
    ["l\u0000s", "ls"],
    ["a\tb", "a\tb"],
    ["ü\u007fu", "u"],
  ])("of %j is %j", (typed, line) => {
    expect(typedLine(typed)).toBe(line);
  });

  it("takes work in its length", () => {
    const counted = new Counted<typeof import("../../../facts/effects/typed-line.ts")>("facts/effects/typed-line.ts");
    const work = (times: number): number =>
      counted.blocks(() => counted.modules.typedLine("x\u007f\u0017y ".repeat(times)));
    try {
      expect(fasterThanLinear(work, 2_000)).toBeUndefined();
    } finally {
      counted.end();
    }
  });
});

describe("keys", () => {
  it.each([
    ["Enter", "\n"],
    ["Space", " "],
    ["C-u", "\u0015"],
    ["ctrl+c", "\u0003"],
    ["^U", "\u0015"],
    ["BSpace", "\u007f"],
    ["F5", ""],
    ["Up", ""],
    ["F", "F"],
    ["touch x", "touch x"],
  ])("%j type %j", (key, text) => {
    expect(keyed(key)).toBe(text);
  });

  it("are told one by one in a text of nothing else", () => {
    expect(keysTyped(keysOf("l s Space a Enter") ?? [])).toBe("ls a\n");
    expect([keysOf("ls a b"), keysOf("a b")]).toEqual([undefined, undefined]);
  });
});
