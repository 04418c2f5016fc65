import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { childrenOf } from "../../../compiler/parse/depth.ts";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { ExpressionGrammar } from "../../../compiler/parse/grammar.ts";
import { Source } from "../../../diagnostics/source.ts";
import type { Expression } from "../../../rules/ast.ts";
import { limits } from "../../../schema/limits.ts";
import { seed } from "../../properties/seed.ts";

const parse = (text: string) => parseExpression(new Source("policy.yaml", text));
const codes = (text: string) => parse(text).diagnostics.map((d) => d.code);

describe("the grammar", () => {
  it("is built once, at the first parse", async () => {
    vi.resetModules();
    const grammar = await import("../../../compiler/parse/grammar.ts");
    const fresh = await import("../../../compiler/parse/expression.ts");
    const prototype = grammar.ExpressionGrammar.prototype as unknown as { performSelfAnalysis(): void };
    const build = vi.spyOn(prototype, "performSelfAnalysis");
    expect(build.mock.calls.length).toBe(0);
    fresh.parseExpression(new Source("policy.yaml", "a"));
    fresh.parseExpression(new Source("policy.yaml", "b && c"));
    expect(build.mock.calls.length).toBe(1);
    build.mockRestore();
  });

  it("passes the checks of its own generator", () => {
    expect(() => new ExpressionGrammar(true)).not.toThrow();
  });
});

describe("bounds", () => {
  const deep = limits.expressionDepth;

  it.each([
    ["parentheses", `${"(".repeat(deep)}a${")".repeat(deep)}`],
    ["lists", `${"[".repeat(deep - 1)}a${"]".repeat(deep - 1)}`],
    ["prefixes", `${"!".repeat(deep - 1)}a`],
    ["fields", `a${".b".repeat(deep - 1)}`],
    ["conditionals", `${"a ? b : ".repeat(deep - 1)}c`],
    ["disjunctions", `a${" || b".repeat(deep - 1)}`],
  ])("takes %s at the bound", (_, text) => expect(codes(text)).toEqual([]));

  it.each([
    ["parentheses", `${"(".repeat(deep + 1)}a${")".repeat(deep + 1)}`],
    ["ten thousand parentheses", "(".repeat(10_000)],
    ["ten thousand mixed brackets", "f([{".repeat(10_000)],
    ["lists", `${"[".repeat(deep)}a${"]".repeat(deep)}`],
    ["prefixes", `${"!-".repeat(10_000)}a`],
    ["fields", `a${".b".repeat(10_000)}`],
    ["conditionals", `${"a?b:".repeat(10_000)}c`],
    ["disjunctions", `a${"||b".repeat(10_000)}`],
    ["a megabyte of names", "a && ".repeat(200_000)],
    ["a megabyte of nulls", "\0".repeat(1_048_576)],
    ["a megabyte of brackets", "(".repeat(1_048_576)],
  ])("refuses too much: %s", (_, text) => expect(codes(text)).toContain("HW203"));

  const noise = [
    "a b ",
    ") ",
    "( a ",
    "a && ",
    "=== ",
    "'",
    '"""',
    "\0 ",
    "$a ",
    "a ? ",
    ": ",
    ", ",
    "{ ",
    "a. ",
    "/",
    "r'x\\",
    "a[",
    "`",
    "not ",
    "1u ",
    "“",
  ];
  it.each(noise)("ends soon on a long run of %j", (part) => {
    const text = part.repeat(Math.floor(60_000 / part.length));
    const { diagnostics } = parse(text);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThan(60);
  });

  it("takes a list of many elements", () => {
    expect(codes(`x in [${"1,".repeat(20_000)}]`)).toEqual([]);
  });
});

describe("any text", () => {
  const fragments = fc.constantFrom(
    "a",
    "b.c",
    "f(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "&&",
    "||",
    "===",
    "!",
    "-",
    "?",
    ":",
    ",",
    ".",
    ".?",
    "in",
    "not",
    "and",
    "'x'",
    '"',
    "'''",
    "1",
    "1u",
    "0x",
    "r'",
    "b''",
    "/a/",
    "//",
    "\n",
    "\0",
    "\u00a0",
    "ß",
    "\ud800",
    "$p",
    "`",
    "if",
    "null",
    " ",
    "=",
    "T{",
    "\\",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(fragments, { maxLength: 25 }).map((parts) => parts.join("")),
    fc.array(fragments, { maxLength: 25 }).map((parts) => parts.join(" ")),
  );

  const holdsError = (e: Expression): boolean => e.kind === "error" || childrenOf(e).some(holdsError);
  const spans = (e: Expression): readonly { start: number; end: number }[] => [e.span, ...childrenOf(e).flatMap(spans)];

  it("gives an expression, and a diagnostic wherever it holds an error", () => {
    fc.assert(
      fc.property(text, (input) => {
        const { expression, diagnostics } = parse(input);
        expect(holdsError(expression) && diagnostics.length === 0).toBe(false);
        for (const span of [...spans(expression), ...diagnostics.map((d) => d.span)]) {
          expect(span.start >= 0 && span.start <= span.end && span.end <= input.length).toBe(true);
        }
        for (const d of diagnostics) expect(d.help).not.toBe("");
      }),
      { numRuns: 3_000, seed, verbose: 1 },
    );
  });

  it("is parsed alike at every time", () => {
    fc.assert(
      fc.property(text, (input) => {
        expect(parse(input)).toEqual(parse(input));
      }),
      { numRuns: 200, seed },
    );
  });
});
