import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { liftOf } from "../../../rules/lift.ts";
import { liftTable } from "../../../rules/lift-table.ts";
import { functions } from "../../../rules/vocabulary.ts";
import {
  Approximation as Approximate,
  type Approximation,
  anyText,
  fewTexts,
  shownText,
  Unsure,
} from "../../../schema/approximation.ts";
import type { CallContext, Value } from "../../../schema/ports.ts";
import { Random } from "../../properties/language/random.ts";
import { seed } from "../../properties/seed.ts";
import { enumerated, randomText } from "./texts.ts";

const context = { regex: createRegexEngine(), forms: "any" } as unknown as CallContext;

function plain(fn: string, args: readonly Value[]): unknown {
  return functions.get(fn)?.run(args, context);
}

function lifted(fn: string, args: readonly Value[]): unknown {
  const run = functions.get(fn)?.run;
  return run && liftOf(fn)?.(args, run, context);
}

const operands: Readonly<Record<string, readonly Value[]>> = {
  equal: ["", "a", "ab", "a/b", "b/a"],
  "string.glob": ["*", "**", "a*", "*/b", "**/a", "a/**", "?", "[ab]", "{a,b/*}b", "a\\*", "**/a/**"],
  "string.glob_any": [["a", "b/*"], ["*b"], []],
  "string.contains": ["a", "/", "ab", ""],
  "string.starts_with": ["a", "a/", "", "ba"],
  "string.ends_with": ["a", "/b", "", "ab"],
  "list.in": [["a", "b"], ["a/b"], [], ["", "a", "b", "ab"]],
  "string.contains_any": [["a", "bb"], ["/"]],
  "string.matches": ["^a", "b$", "a|b"],
  "string.less": ["a", "b/"],
};

describe("the grade of a test of a text that is known in part", () => {
  const source = new Random(seed);
  const random = (): number => source.next();
  it.each(Object.entries(operands))("%s is never no where a value passes, nor yes where one fails", (fn, list) => {
    for (let i = 0; i < 1_500; i++) {
      const text = randomText(random);
      const operand = list[i % list.length] as Value;
      const { values, all } = enumerated(text);
      const answers = new Set(values.map((value) => plain(fn, [value, operand])));
      const grade = lifted(fn, [text, operand]);
      const said = `${fn}(${shownText(text)} as ${text.form}, ${JSON.stringify(operand)}) is ${String((grade as Unsure)?.grade ?? grade)}`;
      if (answers.has(true)) expect(grade, said).not.toBe(false);
      if (answers.has(false)) expect(grade, said).not.toBe(true);
      if (grade instanceof Unsure && !all) expect(grade.grade, said).not.toBe("all");
    }
  });

  const branch = "release-";
  const pattern = (...pieces: readonly string[]): Approximation =>
    new Approximate("pattern", [pieces.map((piece) => (piece.startsWith("$") ? { hole: "name", of: piece } : piece))]);
  it.each([
    ["equal", pattern(branch, "$N"), "release-1", "telling"],
    ["equal", pattern(branch, "$N"), "main", false],
    ["equal", anyText("$B"), "main", "open"],
    ["string.glob", pattern(branch, "$N"), "release-*", true],
    ["string.glob", anyText("$B"), "**", true],
    ["string.glob", pattern("$X", "/a.txt"), "etc/**", "open"],
    ["string.contains", anyText("$B"), "*", "open"],
    ["list.in", fewTexts(["main", "dev"], "$B"), ["main", "dev", "x"], true],
    ["list.in", fewTexts(["main", "dev"], "$B"), ["main"], "telling"],
    ["equal", new Approximate("all", [[{ hole: "tail", of: "--all" }]]), "main", "all"],
    ["string.matches", anyText("$B"), "^main$", "open"],
  ] as const)("%s(%o, %o) is %s", (fn, text, operand, wanted) => {
    const grade = lifted(fn, [text as Value, operand as Value]);
    const said = grade instanceof Approximate ? "open" : grade instanceof Unsure ? grade.grade : grade;
    expect(said).toBe(wanted);
  });
});

describe("the table of lifted forms", () => {
  it("has each function once, with a form of its own or an explicit `unknown`", () => {
    const listed = Object.values(liftTable).flatMap((ids) => ids.split(" "));
    expect([...listed].sort()).toEqual([...functions.keys()].sort());
    for (const id of functions.keys()) expect(liftOf(id), id).toBeTypeOf("function");
  });
});

describe("a text of which few are known", () => {
  it("is a text alone where it is one, and what they have in common where they are many", () => {
    const many = Array.from({ length: 40 }, (_, i) => `v${i}.x`);
    expect(fewTexts(["a", "a"], "$A")).toBe("a");
    expect(fewTexts(many, "$A")).toMatchObject({ form: "pattern", members: [["v", { hole: "tail" }, ".x"]] });
    expect(shownText(fewTexts(["a", "b"], "$A"))).toBe("⟨a or b⟩");
  });
});
