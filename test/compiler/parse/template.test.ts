import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../../compiler/parse/template.ts";
import { Source } from "../../../diagnostics/source.ts";
import { printExpression } from "../../../rules/print.ts";
import { seed } from "../../properties/seed.ts";

const parse = (text: string) => parseTemplate(new Source("policy.yaml", text));
/** Parts with expressions as their canonical text in angle brackets. */
const parts = (text: string) => parse(text).parts.map((p) => (typeof p === "string" ? p : `<${printExpression(p)}>`));

describe("text templates", () => {
  it.each([
    ["plain text", ["plain text"]],
    ["", []],
    ["deleting {d.path} is final", ["deleting ", "<d.path>", " is final"]],
    ["{a}{b}", ["<a>", "<b>"]],
    ["{{a}}", ["{a}"]],
    ["{{{a}}}", ["{", "<a>", "}"]],
    ["{{}}", ["{}"]],
    ["{match[1]}[REDACTED]", ["<match[1]>", "[REDACTED]"]],
    ['{ {"a": 1}["a"] }', ['<{"a": 1}["a"]>']],
    ['{"}"}!', ['<"}">', "!"]],
    ['{\'{\' + "}\\"}"}', ['<"{" + \'}"}\'>']],
    ["{r'\\'}x", ['<r"\\">', "x"]],
    ["{'''a'}'''}", ['<"a\'}">']],
    ["{a.map(x, {x: 1})}", ["<a.map(x, {x: 1})>"]],
    ["a\n{b}\n", ["a\n", "<b>", "\n"]],
  ])("%j", (text, expected) => {
    expect(parse(text).diagnostics).toEqual([]);
    expect(parts(text)).toEqual(expected);
  });

  it.each([
    ["a {b", "HW205 {"],
    ["a } b", "HW205 }"],
    ["a {}", "HW205 {}"],
    ["a { }", "HW205 { }"],
    ["{'a}", "HW205 '"],
    ["{a}}", "HW205 }"],
    ["{a ===}", "HW201 ===", "HW201 "],
    ["x {a b} {1u}", "HW201 b", "HW204 1u"],
    ["{ {a }", "HW205 {"],
  ])("points at what is wrong in %j", (text, ...expected) => {
    const { diagnostics } = parse(text);
    expect(diagnostics.map((d) => `${d.code} ${text.slice(d.span.start, d.span.end)}`)).toEqual(expected);
    for (const d of diagnostics) expect(d.help).not.toBe("");
  });

  it("has spans in the author's file", () => {
    const file = new Source("policy.yaml", 'reason: "deleting {d.path}"');
    const inner = file.embed("deleting {d.path}", [{ inner: { start: 0, end: 17 }, outer: { start: 9, end: 26 } }]);
    expect(parseTemplate(inner).parts[1]).toMatchObject({ kind: "member", span: { start: 19, end: 25 } });
  });

  it("ends soon on long texts of braces and quotes", () => {
    for (const part of ["{", "}", "{'}", '{\\"}', "{a}", "{}", "{{{"]) {
      parse(part.repeat(Math.floor(60_000 / part.length)));
    }
    expect(parse("{".repeat(1_048_576)).diagnostics.map((d) => d.code)).toEqual(["HW205"]);
  });

  it("gives parts for any text, and the text back where no brace stands", () => {
    const piece = fc.constantFrom("{", "}", "a", "'", '"', "\\", "r'", " ", "\n", "{a}", "{{", "}}");
    const text = fc.array(piece, { maxLength: 20 }).map((p) => p.join(""));
    fc.assert(
      fc.property(text, (input) => {
        const { parts: found, diagnostics } = parse(input);
        if (!/[{}]/.test(input)) expect(found.join("")).toBe(input);
        const isWrong = found.some((p) => typeof p !== "string" && p.kind === "error");
        expect(isWrong && diagnostics.length === 0).toBe(false);
      }),
      { numRuns: 1_000, seed, verbose: 1 },
    );
  });
});
