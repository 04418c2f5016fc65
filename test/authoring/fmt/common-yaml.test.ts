import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommonYaml } from "../../../authoring/fmt/common-yaml.ts";
import { nestedTooDeep } from "../../../compiler/nesting.ts";
import { readYaml } from "../../../compiler/read.ts";
import { limits } from "../../../schema/limits.ts";
import { manyRules } from "../../bench/many-rules.ts";
import { seed } from "../../properties/seed.ts";

const root = join(import.meta.dirname, "../../..");

/** Texts of this repository: YAML files, and blocks of YAML in pages. */
function texts(): [name: string, text: string][] {
  const found: [string, string][] = [];
  for (const folder of ["policies", "examples", "docs/guide", "test/spec", "test/fixtures/codes"])
    for (const name of readdirSync(join(root, folder), { recursive: true }) as string[]) {
      const path = join(root, folder, name);
      if (/\.ya?ml$/.test(name)) found.push([`${folder}/${name}`, readFileSync(path, "utf8")]);
      if (!name.endsWith(".md")) continue;
      const blocks = readFileSync(path, "utf8").matchAll(/^```ya?ml[^\n]*\n([\s\S]*?)^```$/gm);
      for (const [i, [, text = ""]] of [...blocks].entries()) found.push([`${folder}/${name} ${i}`, text]);
    }
  return [...found, ["many rules", manyRules(20)]];
}

const known = texts();

/** What is read without the library has to be what is read with it; gives whether anything was. */
function agrees(text: string): boolean {
  if (text.trim() === "" || nestedTooDeep(text) !== undefined) return false;
  const common = readCommonYaml(text);
  if (!common) return false;
  const { root: tree, diagnostics } = readYaml("p.yaml", new TextEncoder().encode(text));
  expect({ text, tree: common, diagnostics: [] }).toEqual({ text, tree, diagnostics });
  return true;
}

describe("YAML as policies are usually written", () => {
  it("is read like the library reads it, in every file and page of this repository", () => {
    const read = known.filter(([, text]) => agrees(text)).length;
    expect(read / known.length).toBeGreaterThan(0.5);
  });

  const common: [name: string, text: string][] = [
    ["scalars of the core schema", "a: 1\nb: -2.5\nc: true\nd: ~\ne: NULL\nf: -x\ng: 1.2.3\nh: .5x\ni: False\n"],
    ["quotes", "a: \"x\\n\\\"\\\\y\\u00e9\\x41\\U0001F600\"\nb: 'it''s'\n\"c d\": ''\n'e': \"\"\n"],
    ["comments", "# a\na: x # b\n# c\nb:   # d\n  # e\n  c: y#z\n\n  # f\n  d: 'q' # g\n# h\n"],
    ["lists at every indentation", "a:\n- x\n- y: 1\n  z: 2\nb:\n    - - p\n      - q\n    -   r: 1\n        s: 2\n"],
    ["flow collections on many lines", "a: [b, {c: d, /e.f: 'g'},\n  h i,\n\n  j ]\nk: {\n  l: m,\n}\nn:\n  [ ]\n"],
    [
      "literal and folded text",
      "a: |\n  x\n    y # z\n\n\nb: >-\n    p\n    q\n\n    r\n      s\n    t\n\nc: |-\n x\n",
    ],
    ["a last line without its end", "a:\n  b: [x]"],
    ["characters that end lines elsewhere", "a: x\u2028y\nb: \u0085z\n"],
  ];
  it.each(common)("%s", (_, text) => expect(agrees(text)).toBe(true));

  const left: [name: string, text: string][] = [
    ["a fault", "a: [\n"],
    ["a key that stands twice", "a: 1\n'a': 2\n"],
    ["a key that is no text", "null: 1\n"],
    ["an anchor", "a: &x 1\n"],
    ["an alias", "a: *x\n"],
    ["a tag", "a: !x 1\n"],
    ["a merge key", "<<: { a: 1 }\n"],
    ["a second document", "a: 1\n---\nb: 2\n"],
    ["a text over several lines", "a: x\n  y\n"],
    ["quotes over several lines", 'a: "x\n  y"\n'],
    ["a value that is missing", "a:\nb: 1\n"],
    ["a mapping within a line", "a: b: c\n"],
    ["an explicit key", "? a\n: b\n"],
    ["tabs", "a:\tb\n"],
    ["line ends with a carriage return", "a: b\r\n"],
    ["an indentation that fits nothing", "a:\n    b: 1\n  c: 2\n"],
    ["a comment that the library counts to the value before", "a:\n  b: 1\n  # c\nd: 2\n"],
    ["text with kept line breaks, or an indentation of its own", "a: |+\n  b\nc: |2\n   d\n"],
    ["numbers that are seldom written", "a: 0x1F\n"],
    ["a list at the top", "- a\n"],
    ["more levels than there may be", `${"a: {".repeat(40)}a: 1${"}".repeat(40)}\n`],
    ["more nodes than there may be", `a: [${"x,".repeat(limits.yamlNodes)}]\n`],
  ];
  it.each(left)("is left to the library: %s", (_, text) => expect(readCommonYaml(text)).toBeUndefined());

  it("is read like the library reads it, whatever it is changed to", () => {
    const pieces = [" ", "  ", "\n", "\n\n", "- ", ":", ": ", "#", " # c", "# c\n", "\n  # c\n", "'", '"', "[", "]"];
    pieces.push(
      "{",
      "}",
      ", ",
      "|",
      ">",
      "|-\n",
      ">-\n",
      "|+\n",
      "&a ",
      "*a",
      "!",
      "? ",
      "a",
      "1",
      "0x1",
      ".5",
      "null",
    );
    pieces.push("~", "\\", "\\n", "%", "@", "---\n", "key: ", "key:\n", "x y", "\u00e9", "\u2028");
    const short = known.map(([, text]) => text).filter((text) => text.length < 6_000);
    const change = fc.record({
      at: fc.nat(400),
      taken: fc.nat(3),
      piece: fc.constantFrom("", ...pieces),
    });
    const changed = fc
      .record({
        text: fc.constantFrom(...short),
        from: fc.oneof(fc.constant(0), fc.nat(60)),
        lines: fc.integer({ min: 1, max: 20 }),
        changes: fc.array(change, { maxLength: 4 }),
      })
      .map(({ text, from, lines, changes }) => {
        const all = text.split("\n");
        const part = all.slice(from % all.length).slice(0, lines);
        return changes.reduce(
          (now, { at, taken, piece }) => now.slice(0, at) + piece + now.slice(at + taken),
          `${part.join("\n")}\n`,
        );
      });
    let read = 0;
    fc.assert(
      fc.property(changed, (text) => {
        if (agrees(text)) read++;
      }),
      { seed, numRuns: 1_500 },
    );
    expect(read).toBeGreaterThan(50);
  });
});
