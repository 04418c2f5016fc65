import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExpression } from "../../compiler/parse/expression.ts";
import { Source } from "../../diagnostics/source.ts";
import type { BinaryOperator, Expression } from "../../rules/ast.ts";
import { testOperators } from "../../rules/ast.ts";
import { printExpression, sameExpression, testSpellings } from "../../rules/print.ts";
import { callable } from "../../rules/signatures.ts";
import { seed } from "../properties/seed.ts";

const span = { start: 0, end: 0 };
const parse = (text: string) => parseExpression(new Source("policy.yaml", text));
const reprint = (text: string) => printExpression(parse(text).expression);
const name = (text: string): Expression => ({ kind: "name", name: text, span });
const string = (value: string): Expression => ({ kind: "literal", type: "string", value, span });
const bool = (value: boolean): Expression => ({ kind: "literal", type: "bool", value, span });

describe("printing", () => {
  it.each([
    ["( ( a ) )", "a"],
    ["(a && b) || c", "a && b || c"],
    ["a && (b || c)", "a && (b || c)"],
    ["a || (b || c)", "a || (b || c)"],
    ["(a - b) - c", "a - b - c"],
    ["a - (b - c)", "a - (b - c)"],
    ["!(a == b)", "!(a == b)"],
    ["!(a.b)", "!a.b"],
    ["-(1)", "-(1)"],
    ["- -1", "--1"],
    ["(-1).f()", "(-1).f()"],
    ["(-a).b", "(-a).b"],
    ["a ? b : (c ? d : e)", "a ? b : c ? d : e"],
    ["(a ? b : c) ? (d ? e : f) : g", "(a ? b : c) ? (d ? e : f) : g"],
    ["[1,?a , ]", "[1, ?a]"],
    ["{'a':1,?'b':c}", '{"a": 1, ?"b": c}'],
    ["a . ? b [ ? c ]", "a.?b[?c]"],
    ["a.`b-c`.?`x y`.`in`", "a.`b-c`.?`x y`.`in`"],
    ["a.`b`", "a.b"],
    ["1.0 + 1e21 + 0x10 + 1e-7", "1.0 + 1e+21 + 16 + 1e-7"],
    ["-0.0", "-0.0"],
    [`'it\\'s'`, `"it's"`],
    [`'say "x"'`, `'say "x"'`],
    [`'\\\\d+'`, `r"\\d+"`],
    [`'\\n\\u202e\\U000e0001'`, `"\\n\\u202e\\U000e0001"`],
  ])("%s as %s", (text, expected) => expect(reprint(text)).toBe(expected));

  const d = { kind: "member", of: name("d"), field: "path", fieldSpan: span, optional: false, span } as const;
  const test = (operator: (typeof testOperators)[number], operand: Expression): Expression => ({
    kind: "test",
    path: d,
    operator,
    operatorSpan: span,
    operand,
    span,
  });
  it.each<[Expression, string]>([
    [test("equals", string("x")), 'd.path == "x"'],
    [test("not_in", name("l")), "!(d.path in l)"],
    [test("starts_with", string("/")), 'd.path.startsWith("/")'],
    [test("is", string("secret")), 'd.path.is("secret")'],
    [test("present", bool(true)), "has(d.path)"],
    [test("present", bool(false)), "!has(d.path)"],
    [test("size", { kind: "literal", type: "int", value: 2, span }), "size(d.path) == 2"],
    [{ kind: "logic", operator: "and", terms: [], span }, "true"],
    [{ kind: "logic", operator: "or", terms: [], span }, "false"],
    [
      {
        kind: "logic",
        operator: "and",
        terms: [name("a"), { kind: "logic", operator: "or", terms: [name("b"), name("c")], span }],
        span,
      },
      "a && (b || c)",
    ],
    [
      { kind: "quantifier", quantifier: "some", list: name("l"), variable: "x", tests: name("t"), span },
      "l.exists(x, t)",
    ],
    [
      { kind: "quantifier", quantifier: "every", list: name("l"), variable: "x", tests: name("t"), span },
      "l.all(x, t)",
    ],
    [
      { kind: "quantifier", quantifier: "none", list: name("l"), variable: "x", tests: name("t"), span },
      "!l.exists(x, t)",
    ],
    [{ kind: "condition", name: "no_human", span }, "conditions.no_human"],
    [{ kind: "condition", name: "no-human", span }, "conditions.`no-human`"],
    [{ kind: "error", span }, "<error>"],
  ])("YAML node %# as an expression", (node, expected) => expect(printExpression(node)).toBe(expected));

  it.each(testOperators)("prints the operator `%s` as text that parses", (operator) => {
    const negated: Expression = { kind: "unary", operator: "!", operand: test(operator, name("x")), span };
    expect(Object.hasOwn(testSpellings, operator)).toBe(true);
    expect(parse(printExpression(negated)).diagnostics).toEqual([]);
  });
});

const words = fc.constantFrom("a", "b", "shell", "and", "not", "contains", "x1", "_y", "is");
const operators: readonly BinaryOperator[] = [
  "&&",
  "||",
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "+",
  "-",
  "*",
  "/",
  "%",
];
const literals: fc.Arbitrary<Expression> = fc.oneof(
  fc.constant<Expression>({ kind: "literal", type: "null", value: null, span }),
  fc.boolean().map(bool),
  fc
    .maxSafeInteger()
    .map((value): Expression => ({ kind: "literal", type: "int", value: value === 0 ? 0 : value, span })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): Expression => ({ kind: "literal", type: "double", value, span })),
  fc
    .oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("\\", '"', "'", "\n", "r", "`", "\u202e", "é", "\ud800") }),
    )
    .map(string),
);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => {
  const e = tie("expression");
  const optional = fc.boolean();
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      words.map(name),
      literals,
      fc
        .record({ of: e, field: fc.oneof(words, fc.constantFrom("if", "in", "a-b", "1", "a.b/c d")), optional })
        .map((r): Expression => ({ kind: "member", fieldSpan: span, span, ...r })),
      fc.record({ of: e, index: e, optional }).map((r): Expression => ({ kind: "index", span, ...r })),
      fc
        .record({ name: words.filter((w) => w !== "not"), args: fc.array(e, { maxLength: 3 }) })
        .map((r): Expression => ({ kind: "call", nameSpan: span, span, ...r })),
      fc
        .record({ receiver: e, name: words, args: fc.array(e, { maxLength: 3 }) })
        .map((r): Expression => ({ kind: "call", nameSpan: span, span, ...r })),
      fc
        .record({ operator: fc.constantFrom("!" as const, "-" as const), operand: e })
        .map((r): Expression => ({ kind: "unary", span, ...r })),
      fc
        .record({ operator: fc.constantFrom(...operators), left: e, right: e })
        .map((r): Expression => ({ kind: "binary", span, ...r })),
      fc.record({ test: e, then: e, otherwise: e }).map((r): Expression => ({ kind: "conditional", span, ...r })),
      fc
        .array(fc.record({ value: e, optional }), { maxLength: 3 })
        .map((items): Expression => ({ kind: "list", items, span })),
      fc
        .array(fc.record({ key: e, value: e, optional }), { maxLength: 3 })
        .map((entries): Expression => ({ kind: "map", entries, span })),
    ),
  };
});

describe("print and parse", () => {
  it("give the same expression", () => {
    fc.assert(
      fc.property(expression, (original) => {
        const text = printExpression(original);
        const { expression: parsed, diagnostics } = parse(text);
        expect(diagnostics, text).toEqual([]);
        expect(sameExpression(parsed, original), text).toBe(true);
        expect(printExpression(parsed)).toBe(text);
      }),
      { numRuns: 2_000, seed, verbose: 1 },
    );
  });

  it("need every parenthesis that is printed around an operator", () => {
    for (const outer of operators) {
      for (const inner of operators) {
        for (const text of [`(a ${inner} b) ${outer} c`, `a ${outer} (b ${inner} c)`]) {
          const printed = reprint(text);
          const bare = text.replace(/[()]/g, "");
          const isNeeded = !sameExpression(parse(bare).expression, parse(text).expression);
          expect(printed).toBe(isNeeded ? text : bare);
        }
      }
    }
  });
});

describe("sameness", () => {
  it.each([
    ["a+b", "( a + b )", true],
    ["a+b", "b+a", false],
    ["1", "1.0", false],
    ["0.0", "-0.0", false],
    ["a.b", "a.?b", false],
    ["f(a)", "a.f()", false],
    ["[a]", "[a, a]", false],
    ["{a: b}", "{a: c}", false],
  ])("of %s and %s is %s", (a, b, expected) => {
    expect(sameExpression(parse(a).expression, parse(b).expression)).toBe(expected);
  });
});

describe("spellings of YAML tests", () => {
  const methods = Object.entries(testSpellings).flatMap(([operator, spelling]) =>
    "method" in spelling ? [[operator, spelling.method] as const] : [],
  );
  it.each(methods)("%s prints as a method that the language has: %s", (_operator, method) => {
    expect(callable(method, true)).toBeDefined();
  });
});
