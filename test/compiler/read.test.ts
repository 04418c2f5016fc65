import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, Scalar } from "yaml";
import { readYaml } from "../../compiler/read.ts";
import { child, scalarSource, toValue, type YamlScalar } from "../../compiler/yaml-node.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => readYaml("p.yaml", bytes(text));

describe("reading refuses what is not one plain YAML document", () => {
  const refused: [name: string, text: string | Uint8Array, code: string, at: string][] = [
    ["an empty file", "", "HW002", "1:1"],
    ["only comments", "# nothing\n", "HW002", "1:1"],
    ["bytes that are not UTF-8", new Uint8Array([0x76, 0xff, 0xfe]), "HW003", "1:1"],
    ["a control character", "version: 1\npolicy: a\u0000b\n", "HW003", "2:10"],
    ["a file over the bound", "#".repeat(1_048_577), "HW004", "1:1"],
    ["an unclosed bracket", "rules: [\n", "HW005", "2:1"],
    ["a tab as indentation", "a:\n\tb: 1\n", "HW005", "2:1"],
    ["several documents", "a: 1\n---\nb: 2\n", "HW006", "2:1"],
    ["a tag", "when: !!binary y\n", "HW007", "1:16"],
    ["a tag of the core schema", "when: !!str y\n", "HW007", "1:13"],
    ["an expression that starts with `!`", "when: !x y\n", "HW011", "1:7"],
    ["a duplicate key", "a: 1\na: 2\n", "HW009", "2:1"],
    ["a merge key", "a: &x { b: 1 }\nc: { <<: *x }\n", "HW008", "2:6"],
    ["an alias to itself", "a: &x [ *x ]\n", "HW008", "1:9"],
    ["an alias without anchor", "a: *x\n", "HW008", "1:4"],
    ["deep flow nesting", `${"[".repeat(40)}${"]".repeat(40)}`, "HW010", "1:34"],
    ["very deep flow nesting", "[".repeat(20_000), "HW010", "1:257"],
    ["very deep block nesting", `${"- ".repeat(20_000)}x`, "HW010", "1:40001"],
    [
      "very deep indentation",
      Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}k:`).join("\n"),
      "HW010",
      "129:129",
    ],
    ["deep block nesting", `${"- ".repeat(40)}x`, "HW010", "1:67"],
    ["a mapping as key", "? { a: 1 }\n: 2\n", "HW005", "1:3"],
  ];
  it.each(refused)("%s", (_name, text, code, at) => {
    const result = readYaml("p.yaml", typeof text === "string" ? bytes(text) : text);
    const [first] = result.diagnostics;
    expect(first?.code).toBe(code);
    const place = result.source.position(first?.span.start ?? -1);
    expect(`${place.line}:${place.column}`).toBe(at);
    expect(first?.help).not.toBe("");
    expect(result.root).toBeUndefined();
  });

  it("an alias bomb is refused before it is expanded", () => {
    const lines = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 12; i++)
      lines.push(
        `k${i}: &k${i} [${Array(9)
          .fill(`*${i === 1 ? "a" : `k${i - 1}`}`)
          .join(", ")}]`,
      );
    const result = read(lines.join("\n"));
    expect(result.diagnostics.map((d) => d.code)).toEqual(["HW008"]);
    expect(result.root).toBeUndefined();
  });
});

describe("reading keeps what the author wrote", () => {
  it("YAML 1.2 core: `no`, octal-looking and date-looking text stay what they are", () => {
    const { root } = read("a: no\nb: 0o17\nc: 2027-01-31\nd: ~\ne: 1.5\n1: x\n");
    expect(toValue(root as never)).toEqual({ a: "no", b: 15, c: "2027-01-31", d: null, e: 1.5, 1: "x" });
  });

  it("a key `__proto__` is an own key and sets no prototype", () => {
    const { root } = read("__proto__: { polluted: true }\n");
    const value = toValue(root as never) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("a few aliases are expanded", () => {
    const { root } = read("a: &x [1, 2]\nb: *x\n");
    expect(toValue(root as never)).toEqual({ a: [1, 2], b: [1, 2] });
  });
});

describe("text inside a scalar maps back to the file", () => {
  const styles = ["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED"] as const;
  const word = fc.stringMatching(/^[a-zA-Z0-9'"\\$ü€😀=&|<>(){}.,-]{1,12}$/u);
  const sentence = fc
    .array(fc.array(word, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 })
    .map((lines) => lines.map((w) => w.join(" ")).join("\n"));

  it.each(styles)("%s scalars, every character", (type) => {
    fc.assert(
      fc.property(sentence, (value) => {
        const document = new Document({ key: "" });
        const scalar = new Scalar(value);
        scalar.type = type;
        document.set("key", scalar);
        const { root, source, diagnostics } = read(String(document));
        fc.pre(diagnostics.length === 0);
        const node = child(root, "key") as YamlScalar;
        expect(node.value).toBe(value);
        const inner = scalarSource(source, node);
        let last = 0;
        for (let i = 0; i < value.length; i++) {
          const span = inner.toFile({ start: i, end: i + 1 });
          expect(span.start).toBeGreaterThanOrEqual(last);
          last = span.start;
          if (/\s/.test(value[i] as string)) continue;
          const raw = source.text.slice(span.start, span.end);
          const same = raw === value[i] || raw === "''" || raw.startsWith("\\");
          expect(
            same,
            `character ${i} ${JSON.stringify(value[i])} maps to ${JSON.stringify(raw)} in\n${source.text}`,
          ).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("an error in the second line of a block scalar is shown in that line", () => {
    const { root, source } = read("when: |\n  a &&\n  b == c\n");
    const inner = scalarSource(source, child(root, "when") as YamlScalar);
    expect(source.position(inner.toFile({ start: 5, end: 6 }).start)).toEqual({ line: 3, column: 3 });
  });
});
