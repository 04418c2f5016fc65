import { describe, expect, it } from "vitest";
import { childrenOf } from "../../../compiler/parse/depth.ts";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { Source } from "../../../diagnostics/source.ts";
import type { Expression } from "../../../rules/ast.ts";

function parse(text: string): Expression {
  const { expression, diagnostics } = parseExpression(new Source("policy.yaml", text));
  expect(diagnostics).toEqual([]);
  return expression;
}

/** An expression in prefix form, so that a test shows the tree and not the printer's idea of it. */
function tree(e: Expression): string {
  switch (e.kind) {
    case "literal":
      return JSON.stringify(e.value);
    case "name":
      return e.name;
    case "member":
      return `(${e.optional ? ".?" : "."} ${tree(e.of)} ${e.field})`;
    case "index":
      return `(${e.optional ? "[?]" : "[]"} ${tree(e.of)} ${tree(e.index)})`;
    case "call":
      return `(${[...(e.receiver ? [`${tree(e.receiver)}.${e.name}`] : [e.name]), ...e.args.map(tree)].join(" ")})`;
    case "list":
      return `[${e.items.map((i) => (i.optional ? "?" : "") + tree(i.value)).join(" ")}]`;
    case "map":
      return `{${e.entries.map((i) => `${i.optional ? "?" : ""}${tree(i.key)}:${tree(i.value)}`).join(" ")}}`;
    case "unary":
    case "binary":
      return `(${[e.operator, ...childrenOf(e).map(tree)].join(" ")})`;
    default:
      return `(${[e.kind, ...childrenOf(e).map(tree)].join(" ")})`;
  }
}

describe("precedence and associativity", () => {
  it.each([
    ["a || b && c == d + e * -f", "(|| a (&& b (== c (+ d (* e (- f))))))"],
    ["a * b + c < d && e || f", "(|| (&& (< (+ (* a b) c) d) e) f)"],
    ["a - b - c", "(- (- a b) c)"],
    ["a || b || c", "(|| (|| a b) c)"],
    ["a < b in c", "(in (< a b) c)"],
    ["!a in b", "(in (! a) b)"],
    ["!!a", "(! (! a))"],
    ["- -a", "(- (- a))"],
    ["-a.b", "(- (. a b))"],
    ["-1", "-1"],
    ["- 1", "-1"],
    ["-(1)", "(- 1)"],
    ["--1", "(- -1)"],
    ["a -1", "(- a 1)"],
    ["-1.f()", "(-1.f)"],
    ["(a || b) && c", "(&& (|| a b) c)"],
    ["a ? b : c ? d : e", "(conditional a b (conditional c d e))"],
    ["a ? (b ? c : d) : e", "(conditional a (conditional b c d) e)"],
    ["a || b ? c : d", "(conditional (|| a b) c d)"],
    ["a % b / c", "(/ (% a b) c)"],
  ])("%s", (text, expected) => expect(tree(parse(text))).toBe(expected));
});

describe("accesses, calls and collections", () => {
  it.each([
    ["a.b.c", "(. (. a b) c)"],
    ["a.?b[?c]", "([?] (.? a b) c)"],
    ["a[0]['x']", '([] ([] a 0) "x")'],
    ["f()", "(f)"],
    ["f(a, b ? c : d)", "(f a (conditional b c d))"],
    ["a.b(c).d()", "((a.b c).d)"],
    ["(a + b).c", "(. (+ a b) c)"],
    ["has(a.b)", "(has (. a b))"],
    ["l.exists(x, x == 1)", "(l.exists x (== x 1))"],
    ["[]", "[]"],
    ["[1, ?a, 2,]", "[1 ?a 2]"],
    ["{}", "{}"],
    ["{'a': 1, ?'b': c,}", '{"a":1 ?"b":c}'],
    ["{a ? b : c : d}", "{(conditional a b c):d}"],
    ["a in [1, 2]", "(in a [1 2])"],
    ["a.if.package", "(. (. a if) package)"],
    ["and.or(not) || is", "(|| (and.or not) is)"],
    ["inside && nothing", "(&& inside nothing)"],
    ["contains / is / x.matches / y", "(/ (/ (/ contains is) (. x matches)) y)"],
    ["not != not", "(!= not not)"],
    ["not in not", "(in not not)"],
    ["x / y / z", "(/ (/ x y) z)"],
    ["a // comment\n && b // end", "(&& a b)"],
    ["a\r\n\t&&\fb", "(&& a b)"],
  ])("%s", (text, expected) => expect(tree(parse(text))).toBe(expected));
});

describe("literals", () => {
  it.each<[string, string, null | boolean | number | string]>([
    ["null", "null", null],
    ["true", "bool", true],
    ["false", "bool", false],
    ["0", "int", 0],
    ["-0", "int", 0],
    ["007", "int", 7],
    ["0x1fF", "int", 511],
    ["-0xA", "int", -10],
    ["9007199254740991", "int", Number.MAX_SAFE_INTEGER],
    ["-9007199254740991", "int", Number.MIN_SAFE_INTEGER],
    ["1.5", "double", 1.5],
    [".5", "double", 0.5],
    ["1e3", "double", 1000],
    ["1.5E-3", "double", 0.0015],
    ["-2.5e+2", "double", -250],
    ["'a'", "string", "a"],
    ['"a\'b"', "string", "a'b"],
    ["''", "string", ""],
    ["'''a'b''c\n'''", "string", "a'b''c\n"],
    ['"""a"b\n"""', "string", 'a"b\n'],
    ['""""""', "string", ""],
    ['r"a\\d"', "string", "a\\d"],
    ["R'\\'", "string", "\\"],
    ["r'''a\\'\n'''", "string", "a\\'\n"],
    ["'\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\\"\\'\\`'", "string", "\u0007\b\f\n\r\t\v\\?\"'`"],
    ["'\\x41\\X42\\u00e9\\U0001F600\\101\\377'", "string", "ABé😀Aÿ"],
    ["'// no comment'", "string", "// no comment"],
    ["'\u0001'", "string", "\u0001"],
  ])("%s", (text, type, value) => {
    expect(parse(text)).toMatchObject({ kind: "literal", type, value });
  });
});

describe("spans", () => {
  /** The text under every node, outermost first. */
  function texts(text: string): string[] {
    const found: string[] = [];
    const visit = (e: Expression): void => {
      found.push(text.slice(e.span.start, e.span.end));
      if (e.kind === "member") found.push(`field ${text.slice(e.fieldSpan.start, e.fieldSpan.end)}`);
      if (e.kind === "call") found.push(`name ${text.slice(e.nameSpan.start, e.nameSpan.end)}`);
      childrenOf(e).forEach(visit);
    };
    visit(parse(text));
    return found;
  }

  it.each([
    ["  a && b ", ["a && b", "a", "b"]],
    ["(a || b).c + -1", ["(a || b).c + -1", "(a || b).c", "field c", "a || b", "a", "b", "-1"]],
    ["a.b ( c ) [ 0 ]", ["a.b ( c ) [ 0 ]", "a.b ( c )", "name b", "a", "c", "0"]],
    ["! (a)", ["! (a)", "a"]],
    ["(a) ? [b] : (c)", ["(a) ? [b] : (c)", "a", "[b]", "b", "c"]],
    ["{'k' : f( )}", ["{'k' : f( )}", "'k'", "f( )", "name f"]],
    ["a .? b", ["a .? b", "field b", "a"]],
  ])("%s", (text, expected) => expect(texts(text)).toEqual(expected));

  it("parses a part of a text, with spans in the whole", () => {
    const source = new Source("policy.yaml", "reason {a.b} end {c ===}");
    const { expression } = parseExpression(source, { start: 8, end: 11 });
    expect(expression).toMatchObject({
      kind: "member",
      span: { start: 8, end: 11 },
      fieldSpan: { start: 10, end: 11 },
    });
    const { diagnostics } = parseExpression(source, { start: 18, end: 23 });
    expect(diagnostics.map((d) => d.span)).toEqual([
      { start: 20, end: 23 },
      { start: 23, end: 23 },
    ]);
  });
});
