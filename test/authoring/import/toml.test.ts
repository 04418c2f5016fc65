import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToml, type TomlDocument, type TomlPath } from "../../../authoring/import/toml.ts";
import { seed } from "../../properties/seed.ts";

function documentOf(text: string): TomlDocument {
  const read = readToml("x.toml", new TextEncoder().encode(text));
  if ("diagnostic" in read) throw new Error(read.diagnostic.message);
  return read;
}

const sample = `# a comment with [brackets] and "quotes
top = 1 # [not.a.table]
"quoted key" = 'it''
a.b . c = """x ] # \\" [ \\
  y"""
list = [ # ] one
  "]", '[', { k = "}" }, [1,
  2]]
[one]
k = '''lit ' " # [x]
[[not.a.header]]'''
[[many]]
id = 1
[many.sub]
x = true
[[many.deep]]
y = 1
[[many]]
id = 2
[many.sub]
x = false
[[many.deep]]
y = 2
[[many.deep]]
y = 3
`.replace("'it''", `'it"s'`);

describe("places in TOML", () => {
  const cases: readonly [TomlPath, number, string][] = [
    [["top"], 2, "top"],
    [["quoted key"], 3, '"quoted key"'],
    [["a", "b", "c"], 4, "a.b . c"],
    [["list"], 6, "list"],
    [["list", 2, "k"], 6, "list"],
    [["one", "k"], 10, "k"],
    [["many", 0, "id"], 13, "id"],
    [["many", 0], 12, "[[many]]"],
    [["many", 0, "sub", "x"], 15, "x"],
    [["many", 0, "deep", 0, "y"], 17, "y"],
    [["many", 1, "id"], 19, "id"],
    [["many", 1, "sub", "x"], 21, "x"],
    [["many", 1, "deep", 0, "y"], 23, "y"],
    [["many", 1, "deep", 1, "y"], 25, "y"],
    [["many", 1, "deep", 1, "nothing"], 24, "[[many.deep]]"],
  ];
  it.each(cases)("%j stands in line %i", (path, line, text) => {
    const document = documentOf(sample);
    const span = document.place(path);
    expect(document.source.position(span.start).line).toBe(line);
    expect(document.source.text.slice(span.start, span.end)).toBe(text);
  });

  it.each([
    ["k = 'ab.c'", "ab.c", 5],
    ["k = '''\nab.c'''", "ab.c", 8],
    ['k = "ab.c"', "ab.c", 5],
    ['k = """ab.c"""', "ab.c", 7],
  ])("the text of %j is found", (text, value, at) => {
    expect(documentOf(text).textSpan(["k"], value)).toEqual({ start: at, end: at + value.length });
    expect(documentOf(text).textSpan(["k"], value, { start: 2, end: 3 })).toEqual({ start: at + 2, end: at + 3 });
  });

  it("the text of a value with escapes is its key", () => {
    expect(documentOf('k = "a\\tb"').textSpan(["k"], "a\tb")).toEqual({ start: 0, end: 1 });
  });

  it("every key of a generated document is found in its line", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "]", "[", '"', "#", "=", ".", "\\", "{"), maxLength: 6 });
    const value = fc.oneof(
      word.map((text) => JSON.stringify(text)),
      word.map((text) => `'${text}'`),
      word.map((text) => `'''${text}'''`),
      word.map((text) => `[${JSON.stringify(text)}, '${text}' ] # ${text}`),
      fc.constantFrom("1", "true", "{ a = ']' }", "[[1], [2]]"),
    );
    fc.assert(
      fc.property(fc.array(fc.array(value, { maxLength: 4 }), { minLength: 1, maxLength: 6 }), (tables) => {
        const lines: string[] = [];
        const wanted: [TomlPath, number][] = [];
        tables.forEach((values, i) => {
          lines.push("[[t]]");
          wanted.push([["t", i], lines.length]);
          values.forEach((text, n) => {
            lines.push(`k${n} = ${text}`);
            wanted.push([["t", i, `k${n}`], lines.length]);
          });
        });
        const document = documentOf(lines.join("\n"));
        for (const [path, line] of wanted) expect(document.source.position(document.place(path).start).line).toBe(line);
      }),
      { seed, numRuns: 200 },
    );
  });

  it("text that is no TOML is a value, never a throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."[]{}='\"#.\\\n ab1-:"), maxLength: 60 }), (text) => {
        expect(typeof readToml("x.toml", new TextEncoder().encode(text))).toBe("object");
      }),
      { seed, numRuns: 500 },
    );
  });
});
