import { describe, expect, it } from "vitest";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { Source } from "../../../diagnostics/source.ts";

/** A wrong text, and for each finding its code and carets under the text (a caret for an empty span). */
const wrong: readonly (readonly [text: string, ...found: string[]])[] = [
  ["", "HW201 ^"],
  ["  // only a comment", "HW201 ^^^^^^^^^^^^^^^^^^^"],
  ["a === b", "HW201   ^^^"],
  ["a !== b", "HW201   ^^^"],
  ["a <> b", "HW201   ^^"],
  ["x = 1", "HW201   ^"],
  ["x := 1", "HW201   ^^"],
  ["a & b", "HW201   ^"],
  ["a | b", "HW201   ^"],
  ["a and b or c", "HW201   ^^^", "HW201         ^^"],
  ["not a", "HW201 ^^^"],
  ["not(a)", "HW201 ^^^"],
  ["x not in y", "HW201   ^^^^^^"],
  ["x !in y", "HW201   ^^^"],
  ["a =~ 'b'", "HW201   ^^"],
  ["a !~ 'b'", "HW201   ^^"],
  ["a ~ b", "HW201   ^"],
  ["x => x", "HW201   ^^"],
  ["2 ** 3", "HW201   ^^"],
  ["a ?? b", "HW201   ^^"],
  ["a << 2", "HW201   ^^"],
  ["a ^ b", "HW201   ^"],
  ["a is b", "HW201   ^^"],
  ["a contains 'b'", "HW201   ^^^^^^^^"],
  ["a like 'b%'", "HW201   ^^^^"],
  ["a?.b", "HW201  ^^"],
  ["a ? b", "HW201      ^"],
  ["a ? b ? c : d : e", "HW201       ^"],
  ["a ? : b", "HW201     ^"],
  ["a : b", "HW201   ^"],
  ["'abc", "HW202 ^^^^"],
  ['"abc && x\ny == 1', "HW202 ^^^^^^^^^", "HW201           ^"],
  ["'''abc", "HW202 ^^^^^^"],
  ['r"abc', "HW202 ^^^^^"],
  ["b'x'", "HW204 ^^^^"],
  ["br'x'", "HW204 ^^^^^"],
  ["1u", "HW204 ^^"],
  ["0x1Fu", "HW204 ^^^^^"],
  ["5m", "HW202 ^^"],
  ["1_000", "HW202 ^^^^^"],
  ["0X1F", "HW202 ^^^^"],
  ["0b11", "HW202 ^^^^"],
  ["12abc", "HW202 ^^^^^"],
  ["9007199254740992", "HW204 ^^^^^^^^^^^^^^^^"],
  ["-9007199254740992", "HW204  ^^^^^^^^^^^^^^^^"],
  ["9223372036854775808", "HW202 ^^^^^^^^^^^^^^^^^^^"],
  ["1e999", "HW202 ^^^^^"],
  ["0xffffffffffffffffff", "HW202 ^^^^^^^^^^^^^^^^^^^^"],
  ["'a\\q'", "HW202   ^^"],
  ["'\\x4' + '\\u12'", "HW202  ^^^", "HW202          ^^^^"],
  ["'\\ud800'", "HW202  ^^^^^^"],
  ["'\\U00110000'", "HW202  ^^^^^^^^^^"],
  ["'\\09'", "HW202  ^^"],
  ["T{a: 1}", "HW204 ^^^^^^^"],
  ["a.b.T{}", "HW204 ^^^^^^^"],
  [".a.b", "HW204 ^^"],
  ["if", "HW204 ^^"],
  ["let + 1", "HW204 ^^^"],
  ["for(x)", "HW204 ^^^"],
  ["a.`b$c`", "HW202   ^^^^^"],
  ["a.`b-c`(1)", "HW201   ^^^^^"],
  ["`a`", "HW204 ^^^"],
  ["a.in", "HW204   ^^"],
  ["a.true", "HW204   ^^^^"],
  ["x.matches(/a+/)", "HW201           ^^^^"],
  ["/* c */ a", "HW201 ^^^^^^^", "HW201         ^"],
  ["$x == 1", "HW204 ^^"],
  ["“a” == b", "HW202 ^^^"],
  ["größe > 1", "HW202 ^^^^^"],
  ["a.größe", "HW202   ^^^^^"],
  ["a \u0007 == b", "HW202   ^"],
  ["a;", "HW202  ^"],
  ["a # b", "HW202   ^"],
  ["a @ b", "HW202   ^"],
  ["a ≠ b", "HW202   ^"],
  ["a == b", "HW202  ^"],
  ["(a", "HW201 ^"],
  ["a)", "HW201  ^"],
  ["(a]", "HW201   ^"],
  ["[a, (b]", "HW201     ^"],
  ["{", "HW201 ^"],
  ["f(a", "HW201  ^"],
  ["()", "HW201  ^"],
  ["f(,a)", "HW201   ^"],
  ["f(a,)", "HW201     ^"],
  ["[1,,2]", "HW201    ^"],
  ["a[]", "HW201   ^"],
  ["a[1, 2]", "HW201    ^"],
  ["(a, b)", "HW201   ^"],
  ["a, b", "HW201  ^"],
  ["{a}", "HW201   ^"],
  ["{a: 1, b}", "HW201         ^"],
  ["{a: }", "HW201     ^"],
  ["a.", "HW201   ^"],
  ["a. == 1", "HW201    ^^"],
  ["a..b", "HW201   ^"],
  ["a.?", "HW201    ^"],
  ["a.?f()", "HW201    ^"],
  ["a.5", "HW201  ^^"],
  ["&& a", "HW201 ^^"],
  ["a &&", "HW201     ^"],
  ["a && || b", "HW201      ^^"],
  ["+a", "HW201 ^"],
  ["a b", "HW201   ^"],
  ["a 'b'", "HW201   ^^^"],
  ["(a b) && c d", "HW201    ^", "HW201            ^"],
  ["a b === c", "HW201   ^", "HW201     ^^^"],
  ["f(a b, 1u, c ===)", "HW201     ^", "HW204        ^^", "HW201              ^^^", "HW201                 ^"],
  [
    "1u == 'x\\q' && [`a`, b c]",
    "HW204 ^^",
    "HW202         ^^",
    "HW204                 ^^^",
    "HW201                        ^",
  ],
  ["a {b: 1}.c {", "HW204 ^^^^^^^^", "HW204 ^^^^^^^^^^^^", "HW201            ^"],
  ["a === b and c &&", "HW201   ^^^", "HW201         ^^^", "HW201                 ^"],
];

function findings(text: string): string[] {
  return parseExpression(new Source("policy.yaml", text)).diagnostics.map(({ code, span }) => {
    const carets = "^".repeat(Math.max(1, span.end - span.start));
    return `${code} ${" ".repeat(span.start)}${carets}`;
  });
}

describe("wrong expressions", () => {
  it.each(wrong)("points at what is wrong in %j", (text, ...found) => {
    expect(findings(text)).toEqual(found);
  });

  it.each(wrong)("says what to do about %j, in one line of lower case", (text) => {
    for (const { message, help, severity } of parseExpression(new Source("policy.yaml", text)).diagnostics) {
      expect(severity).toBe("error");
      expect(help.length).toBeGreaterThan(5);
      expect(help).not.toMatch(/[\r\n]|\.$/);
      expect(message).not.toMatch(/[\p{Cc}]|\.$|^[A-Z]/u);
    }
  });

  it("cites the author's file for text inside it", () => {
    const file = new Source("policy.yaml", "when: 'a == ''x'' === b'\n");
    const inner = file.embed("a == 'x' === b", [
      { inner: { start: 0, end: 5 }, outer: { start: 7, end: 12 } },
      { inner: { start: 5, end: 6 }, outer: { start: 12, end: 14 } },
      { inner: { start: 6, end: 7 }, outer: { start: 14, end: 15 } },
      { inner: { start: 7, end: 8 }, outer: { start: 15, end: 17 } },
      { inner: { start: 8, end: 14 }, outer: { start: 17, end: 23 } },
    ]);
    const { diagnostics, expression } = parseExpression(inner);
    expect(diagnostics.map((d) => file.text.slice(d.span.start, d.span.end))).toEqual(["==="]);
    expect(file.text.slice(expression.span.start, expression.span.end)).toBe("a == ''x'' === b");
  });
});
