import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createRegexEngine } from "../../facts/regex.ts";
import type { Regex } from "../../schema/ports.ts";
import { spawnSync } from "../bounded-process.ts";

const addon = createRegexEngine({ prefer: "re2" });
const script = createRegexEngine({ prefer: "re2js" });

function compiled(engine: typeof addon, pattern: string, flags = {}): Regex {
  const regex = engine.compile(pattern, flags);
  if ("kind" in regex) throw new Error(`${pattern}: ${regex.message}`);
  return regex;
}

/** Whether the addon can be loaded here, asked without the code under test. */
const isBuilt = spawnSync(process.execPath, ["-e", 'new (require("re2"))("a")'], { stdio: "ignore" }).status === 0;

describe("engines", () => {
  it("are the addon when it is there, and the script engine when asked for or nothing else is there", () => {
    const usual = isBuilt ? "re2" : "re2js";
    expect([addon.name, script.name, createRegexEngine().name]).toEqual([usual, "re2js", usual]);
  });
  it.each([
    [addon.name, addon],
    [script.name, script],
  ])("%s tells the version of the installed package", (name, engine) => {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string };
    expect(engine.version).toBe(version);
  });
});

const texts = [
  "",
  "a",
  "ab",
  "aab\nb",
  "xABa b_1",
  "été 😀α𝄞Ω",
  "a-b.c/d\\e",
  "line1\r\nline2\n",
  "[(?<x>)]{2}",
  "\u212aK\u017fS",
  "\ud800x",
  "  \t\u00a0\u2003",
  "foobarfoo",
  "0129 aF",
  "aéa",
];
const patterns = [
  "a",
  "",
  "^",
  "$",
  "^a",
  "a$",
  "^$",
  "(?m)^",
  "(?m)$",
  "(?m)^b",
  "(?m)a$",
  "\\A",
  "\\z",
  "\\b",
  "\\B",
  "\\ba",
  "a\\b",
  "\\Ba",
  ".",
  "(?s).",
  ".*",
  ".+?",
  "a*",
  "a+?",
  "(a|b)+",
  "(a)|(b)",
  "(?:a|ab)(b?)",
  "(a*)(b*)",
  "[a-c]",
  "[^a-c]",
  "[]a]",
  "[^]a]",
  "[a-]",
  "[-a]",
  "[a\\-c]",
  "[\\]\\[]",
  "[(?<]",
  "[[:alpha:]]+",
  "[[:^alpha:]]",
  "[[:word:]]+",
  "[\\w.-]+",
  "[\\d\\s]",
  "[\\p{L}]+",
  "[^\\P{L}]",
  "\\d+",
  "\\D",
  "\\w+",
  "\\W",
  "\\s",
  "\\S+",
  "\\pL+",
  "\\p{Lu}",
  "\\P{Lu}+",
  "\\p{Greek}+",
  "\\p{^Greek}+",
  "\\pN",
  "\\p{So}",
  "\\p{Any}",
  "(?i)k",
  "(?i)s",
  "(?i)é",
  "(?i:A)b",
  "(?i)[a-c]+",
  "(?-i)a",
  "(?U)a+",
  "(?i)\\p{Lu}",
  "(?P<n>a)(?P<m>b)?",
  "(?<n>a)|(?<m>b)",
  "\\x41",
  "\\x{1F600}",
  "\\101",
  "\\0",
  "\\n",
  "\\r\\n",
  "\\t|\\f|\\v|\\a",
  "\\.",
  "\\/",
  "/",
  "\\\\",
  "\\_",
  "\\-",
  "\\é",
  "\\Qa-b.c\\E",
  "\\Q[(?<x>)]\\E\\{",
  "\\Qa",
  "{",
  "a{",
  "x{|{x",
  "a{0}",
  "a{1,2}",
  "a{2,}",
  "[ab]{2}",
  "(?:ab){1,3}",
  "x{0,1000}",
  "a{,2}",
  "]",
  "}",
  "a|b|",
  "|",
  "(|a)+",
  "()",
  "(?:)",
  "((a)(b)?)*",
  "(foo)(bar)?\\b",
  "o+|f",
  "\\x{fffd}x",
  "é|😀",
  "😀",
  "[😀-😂]",
  "[é😀]+",
  "[^é]",
  "\\$|\\^",
  "[$^]",
  "#",
  " ",
  "(?s:.)b",
  "(?m:^b$)",
  "^*",
  "(?:a*)*",
  "(?:a|b)*?b",
  "a??",
  "\\pZ+",
  "(?i)straße|ß",
  "[[:space:]]",
  "[[:upper:]][[:lower:]]?",
  "(?m)^.*$",
  "\\S+\\s*$",
];

describe("parity of the engines", () => {
  it(`covers ${patterns.length} patterns`, () => expect(patterns.length).toBeGreaterThan(125));
  it.each(patterns)("%j over every text", (pattern) => {
    const [left, right] = [compiled(addon, pattern), compiled(script, pattern)];
    for (const text of texts) {
      const found = left.matches(text);
      expect([text, right.matches(text)]).toEqual([text, found]);
      expect([left.test(text), right.test(text)]).toEqual([found.length > 0, found.length > 0]);
      for (let from = 0; from <= text.length + 1; from++)
        expect([text, from, right.exec(text, from)]).toEqual([text, from, left.exec(text, from)]);
      for (const match of found) expect(match.groups[0]).toBe(text.slice(match.start, match.end));
    }
  });
  it.each([
    [{ ignoreCase: true }, "A.B", "xa\nb aXb", [[5, 8]]],
    [{ dotAll: true }, "a.b", "a\nb", [[0, 3]]],
    [{ multiline: true }, "^b$", "a\nb\nc", [[2, 3]]],
    [{ ignoreCase: true, dotAll: true, multiline: true }, "^A.B$", "c\na\nb", [[2, 5]]],
    [
      { ignoreCase: true },
      "",
      "a",
      [
        [0, 0],
        [1, 1],
      ],
    ],
  ])("flags %j", (flags, pattern, text, spans) => {
    for (const engine of [addon, script])
      expect(
        compiled(engine, pattern, flags)
          .matches(text)
          .map((m) => [m.start, m.end]),
      ).toEqual(spans);
  });
  it("holds for made-up patterns and texts", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\w",
      "\\b",
      "é",
      "😀",
      "^",
      "$",
      "\\s",
      "(a)",
      "(?:b|)",
      "\\pL",
    );
    const piece = fc
      .tuple(atom, fc.constantFrom("", "*", "+", "?", "*?", "{1,2}"))
      .map(([a, r]) => (/^[$^]|^\\b/.test(a) ? a : a + r));
    const pattern = fc
      .array(
        fc.array(piece, { maxLength: 3 }).map((p) => p.join("")),
        { minLength: 1, maxLength: 3 },
      )
      .map((p) => p.join("|"));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "\n", " ", "1"), maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(compiled(script, p).matches(t)).toEqual(compiled(addon, p).matches(t));
      }),
      { numRuns: 400 },
    );
  });
});

describe("matching", () => {
  it("of short texts is the same however often it was asked, and for however many", () => {
    const engine = createRegexEngine({ prefer: "re2js" });
    const even = engine.compile("[02468]$");
    if ("kind" in even) throw new Error(even.message);
    for (let round = 0; round < 3; round++)
      for (let n = 0; n < 300; n++)
        for (const text of [`${n}`, `${"x".repeat(140)}${n}`])
          expect([text, even.test(text)]).toEqual([text, n % 2 === 0]);
  });
  it("sees the full text around `from`", () => {
    for (const engine of [addon, script]) {
      expect(compiled(engine, "^b").exec("ab", 1)).toBeUndefined();
      expect(compiled(engine, "\\bb").exec("ab", 1)).toBeUndefined();
      expect(compiled(engine, "b").exec("ab", 3)).toBeUndefined();
      expect(compiled(engine, "$").exec("ab", 2)).toEqual({ start: 2, end: 2, groups: [""] });
    }
  });
  it("gives groups, absent ones undefined", () => {
    for (const engine of [addon, script])
      expect(compiled(engine, "(?P<x>a)|(b)").exec("é b")?.groups).toEqual(["b", undefined, "b"]);
  });
  it.each([
    ["re2", addon],
    ["re2js", script],
  ])("%s takes time linear in the text where backtracking would not", (_, engine) => {
    expect(compiled(engine, "(a+)+$").test(`${"a".repeat(20_000)}b`)).toBe(false);
    expect(compiled(engine, "é[a-c]").matches("é😀b éa ".repeat(20_000)).length).toBe(20_000);
  });
});

describe("bundled into one file", () => {
  const folder = mkdtempSync(join(tmpdir(), "regex-bundle-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  it("works without the addon, with the script engine inside", async () => {
    const entry = join(folder, "entry.ts");
    writeFileSync(
      entry,
      `import { createRegexEngine } from ${JSON.stringify(join(process.cwd(), "facts/regex.ts"))};\nconst engine = createRegexEngine();\nconst regex = engine.compile("b+");\nexport const answer = [engine.name, "kind" in regex ? regex.message : regex.exec("abb")];\n`,
    );
    const outfile = join(folder, "bundle.mjs");
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      external: ["re2"],
      logLevel: "silent",
    });
    const { answer } = (await import(pathToFileURL(outfile).href)) as { answer: unknown };
    expect(answer).toEqual(["re2js", { start: 1, end: 3, groups: ["bb"] }]);
  });
});
