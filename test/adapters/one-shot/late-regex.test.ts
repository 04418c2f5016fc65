import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lateRegexEngine } from "../../../adapters/one-shot/late-regex.ts";
import { createRegexEngine } from "../../../facts/regex.ts";

const known = { name: "re2", version: "0.0.1" } as const;

/** An engine with how often one was made. */
function counted() {
  const made = { count: 0 };
  const engine = lateRegexEngine(known, () => {
    made.count += 1;
    return createRegexEngine({ prefer: "re2js" });
  });
  return { made, engine };
}

describe("a late engine for regular expressions", () => {
  it("is not made for patterns that nobody asks for, and is then the one that the session began with", () => {
    const { made, engine } = counted();
    engine.compile("a+");
    expect([made.count, engine.name, engine.version]).toEqual([0, "re2", "0.0.1"]);
  });

  it("is made once, finds what the engine finds, and is named after it", () => {
    const { made, engine } = counted();
    const compiled = engine.compile("B(\\d)", { ignoreCase: true });
    if ("kind" in compiled) throw new Error(compiled.message);
    expect(compiled.test("xb1")).toBe(true);
    expect(compiled.exec("b1 b2", 1)?.groups).toEqual(["b2", "2"]);
    expect(compiled.matches("b1 b2")).toHaveLength(2);
    expect([made.count, engine.name]).toEqual([1, "re2js"]);
  });

  it("says what is wrong with a pattern once the plan is linked, and throws for one of the plan", () => {
    const { engine } = counted();
    const compiled = engine.compile("(");
    expect(() => "kind" in compiled || compiled.test("a")).toThrow("refused");
    engine.linked();
    expect(engine.compile("(")).toMatchObject({ kind: "regex_error" });
  });

  it("is not made for a text that lacks what every match of the pattern holds", () => {
    const { made, engine } = counted();
    const compiled = engine.compile("(API_KEY=)\\S+");
    if ("kind" in compiled) throw new Error(compiled.message);
    expect([compiled.test("api_key=1"), compiled.exec("no"), compiled.matches("no")]).toEqual([false, undefined, []]);
    expect(made.count).toBe(0);
    expect(compiled.matches("x API_KEY=1")).toHaveLength(1);
    expect(made.count).toBe(1);
  });

  it("answers as the engine itself, whatever the pattern, the flags and the text", () => {
    const prompt = createRegexEngine({ prefer: "re2js" });
    const parts = [
      "abc",
      "abd",
      "(abc|abd)",
      "(?:abc)?",
      "[ab]c",
      "a+bcd",
      "abc{2}",
      "\\bkey=",
      "(?i)abc",
      "[^\\x00-\\x7f]",
      "[^\\x00-\\x7F]",
      "[^\u0000-\u007f]",
      "\ufffd\ufffd\ufffd",
      ".",
    ];
    const pattern = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }).map((list) => list.join(""));
    const text = fc
      .array(fc.constantFrom("abc", "ABC", "abd", "cc", "key=", "\ud800", "\ufffd", "\u{1f600}", " ", "aabcd"), {
        maxLength: 6,
      })
      .map((list) => list.join(""));
    const flags = fc.record({ ignoreCase: fc.boolean(), multiline: fc.boolean(), dotAll: fc.boolean() });
    fc.assert(
      fc.property(pattern, text, flags, fc.nat(12), (written, looked, letters, from) => {
        const late = counted().engine.compile(written, letters);
        const own = prompt.compile(written, letters);
        if ("kind" in late || "kind" in own) throw new Error("a pattern is refused");
        expect(late.test(looked)).toBe(own.test(looked));
        expect(late.exec(looked, from)).toEqual(own.exec(looked, from));
        expect(late.matches(looked)).toEqual(own.matches(looked));
      }),
      { numRuns: 400 },
    );
  });

  it("is not made for a text in ASCII that is asked for more, whenever the pattern is linked", () => {
    const { made, engine } = counted();
    engine.linked();
    const compiled = engine.compile("[^\\x00-\\x7f]");
    if ("kind" in compiled) throw new Error(compiled.message);
    expect([compiled.test("ls -la src\u0000\u007f"), compiled.exec(""), made.count]).toEqual([false, undefined, 0]);
    expect([compiled.test("l\u0455"), compiled.test("\ud800"), made.count]).toEqual([true, true, 1]);
  });
});
