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
});
