import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { namePath } from "../../../compiler/parse/name-path.ts";
import { Reporter } from "../../../compiler/parse/reporter.ts";
import { Source } from "../../../diagnostics/source.ts";
import { seed } from "../../properties/seed.ts";

const read = (text: string) => namePath(text, new Reporter(new Source("p.yaml", text), 0));

/** With a space behind it a text is no path, so that the grammar reads it; nothing else of it changes. */
const byGrammar = (text: string) => parseExpression(new Source("p.yaml", `${text} `)).expression;

describe("a path of names", () => {
  const paths = ["tool", "p.target.branch", "_", "a.b_1.C", "effects.pushes", "event.kind", "package_.as_"];
  it.each(paths)("`%s` is what the grammar makes of it", (text) => {
    expect(read(text)).toEqual(byGrammar(text));
  });

  const others = [
    "",
    "a.",
    ".a",
    "a..b",
    "a b",
    "a.b()",
    "a[0]",
    "1.a",
    "a.1",
    "é",
    "a.é",
    "a?.b",
    "a.`b`",
    "a\n",
    "-a",
  ];
  const words = ["true", "a.in", "not.a", "a.contains", "matches.a", "like", "if.a", "a.for", "null.x"];
  it.each([...others, ...words])("`%s` is left to the grammar", (text) => expect(read(text)).toBeUndefined());

  it("stands where it stands in the file", () => {
    const file = new Source("p.yaml", "each: { p: effects.pushes }\n");
    const { expression } = parseExpression(file, { start: 11, end: 25 });
    expect(expression).toMatchObject({ span: { start: 11, end: 25 }, fieldSpan: { start: 19, end: 25 } });
  });

  it("is what the grammar makes of it, whatever its names are", () => {
    const name = fc.oneof(
      fc.constantFrom(
        "true",
        "null",
        "in",
        "not",
        "and",
        "is",
        "like",
        "if",
        "notin",
        "inn",
        "trueish",
        "r",
        "b",
        "br",
      ),
      fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,6}$/),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 24 }), (names) => {
        const text = names.join(".");
        const path = read(text);
        if (path) expect(path).toEqual(byGrammar(text));
        expect(parseExpression(new Source("p.yaml", text)).expression).toEqual(byGrammar(text));
      }),
      { seed, numRuns: 500 },
    );
  });
});
