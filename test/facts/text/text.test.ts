import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../../facts/text/edit.ts";
import { editText, isJson, splice } from "../../../facts/text/edit.ts";
import { oddities, textFacts } from "../../../facts/text/facts.ts";
import { mapTexts } from "../../../facts/text/walk.ts";
import { limits } from "../../../schema/limits.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { seed } from "../../properties/seed.ts";
import { judged } from "../event.ts";

const upper = (value: unknown, options = {}) => {
  const mapped = mapTexts(value, (text) => text.replaceAll("x", "Y"), options);
  if (mapped instanceof EvaluationError) throw new Error(mapped.message);
  return mapped;
};

describe("mapTexts", () => {
  it("maps deep strings and keeps what did not change by reference", () => {
    const value = { a: [{ b: "x" }, 1, null], c: { d: "q" } };
    const { value: out, changed } = upper(value);
    expect([out, changed]).toEqual([{ a: [{ b: "Y" }, 1, null], c: { d: "q" } }, true]);
    expect((out as typeof value).c).toBe(value.c);
    expect(value.a[0]).toEqual({ b: "x" });
  });
  it.each([["q"], [1], [null], [undefined], [["q", { a: "q" }]]])("returns %j itself when nothing changes", (value) => {
    const out = upper(value);
    expect(out.value).toBe(value);
    expect(out.changed).toBe(false);
  });
  it("gives dotted places, and hides keys that are no plain names", () => {
    const seen: string[] = [];
    mapTexts(
      { a: [{ "b c": "1" }], d: { e: "2" } },
      (text, where, key) => (seen.push(`${where}=${text}/${key}`), text),
      { root: "details" },
    );
    expect(seen).toEqual(["details.a[0].*=1/b c", "details.d.e=2/e"]);
  });
  it("maps keys when asked, as own properties", () => {
    expect(upper({ x: "q" }, { keys: true }).value).toEqual({ Y: "q" });
    const proto = JSON.parse('{"__proto__": {"a": "x"}, "b": "x"}') as object;
    const out = upper(proto).value as object;
    expect(Object.hasOwn(out, "__proto__")).toBe(true);
    expect(JSON.stringify(out)).toBe('{"__proto__":{"a":"Y"},"b":"Y"}');
    expect(Object.getPrototypeOf(out)).toBe(Object.prototype);
  });
  it("never touches image data, but looks at a `data` field that is no base64", () => {
    const image = { type: "image", data: "xxxx", mimeType: "image/png" };
    expect(upper([image]).value).toEqual([image]);
    expect(upper([{ type: "image", source: { type: "base64", media_type: "image/png", data: "xx" } }]).changed).toBe(
      false,
    );
    expect(upper([{ type: "image", data: "x: y" }]).changed).toBe(true);
    expect(upper([{ data: "xxxx" }]).changed).toBe(true);
  });
  it("is an error value over its bounds", () => {
    let deep: unknown = "x";
    for (let i = 0; i < 200; i++) deep = [deep];
    expect(mapTexts(deep, (t) => t)).toMatchObject({ code: "HW504" });
    expect(mapTexts(["a", "b"], (t) => t, { maxNodes: 2 })).toMatchObject({ code: "HW504" });
    let giant: unknown = "x";
    for (let i = 0; i < 200_000; i++) giant = { a: giant };
    expect(mapTexts(giant, (t) => t)).toMatchObject({ code: "HW504" });
  });
});

const find =
  (pattern: RegExp, replacement: string) =>
  (text: string): Edit[] =>
    [...text.matchAll(pattern)].map((m) => ({ start: m.index, end: m.index + m[0].length, text: replacement }));

describe("editText", () => {
  it.each([
    ["plain s1 text", "plain # text"],
    ['{"a": "s1", "n": 1.50e400, "b": [ "s2" ]}', '{"a": "#", "n": 1.50e400, "b": [ "#" ]}'],
    ['{"a":12345678901234567890,"a":"s1"}', '{"a":12345678901234567890,"a":"#"}'],
    ['{"a":"\\u0073\\u0031 \\"q\\"\\n"}', '{"a":"# \\"q\\"\\n"}'],
    ['{"s1": 1}', '{"#": 1}'],
    ['{"a": "{\\"b\\": \\"s1\\"}"}', '{"a": "{\\"b\\":#}"}'.replace("#", ' \\"#\\"')],
    ["{not json s1", "{not json #"],
    ['  ["s1"]\n', '  ["#"]\n'],
    ['"s1"', '"#"'],
  ])("%s", (text, expected) => {
    const edited = editText(text, find(/s\d/g, "#"));
    expect(edited).toBe(expected);
    expect(isJson(edited)).toBe(isJson(text));
  });

  it.each([
    [
      "keeps JSON where a find runs on over the end of its string",
      '{"a":"KEY=abc","b":1}',
      /KEY=\S+/g,
      "KEY=#",
      '{"a":"KEY=#","b":1}',
    ],
    [
      "makes a find across name and value when it stays JSON",
      '{"pw": "abc"}',
      /"pw": "\w+"/g,
      '"pw": "#"',
      '{"pw": "#"}',
    ],
    [
      "replaces the value where a find across name and value would break JSON",
      '{"pw": "abc", "q": 1}',
      /"pw": "\w+"/g,
      "#",
      '{"pw": "#", "q": 1}',
    ],
    ["replaces a number with a text", '{"pin": 1234, "q": 1}', /"pin": \d+/g, "#", '{"pin": "#", "q": 1}'],
    [
      "replaces the whole number that a find cuts",
      '{"pin": 1234, "q": 1}',
      /"pin": \d\d/g,
      "#",
      '{"pin": "#", "q": 1}',
    ],
    ["replaces names where there is no value", '{"pin": true}', /"pin": t/g, "#", '{"#": true}'],
    [
      "replaces whole a string with escapes that is cut",
      '{"a": "x\\ny", "q": 1}',
      /"a": "x/g,
      "#",
      '{"a": "#", "q": 1}',
    ],
    ["encodes what it puts in", '["s"]', /s/g, 'a"b\n', '["a\\"b\\n"]'],
  ])("%s", (_, text, pattern, replacement, expected) => {
    const edited = editText(text, find(pattern, replacement));
    expect(edited).toBe(expected);
    expect(JSON.parse(edited)).toBeDefined();
  });

  it("keeps any JSON valid, whatever the find", () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.constantFrom(/\w+/g, /"[^"]*"\s*:/g, /[{}[\],:]+/g, /\d/g, /.{1,7}/g),
        (json, pattern) => {
          const edited = editText(json, find(pattern, "#"));
          if (isJson(json)) expect(isJson(edited)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
  it("splices edits left to right and skips what overlaps", () => {
    expect(
      splice("abcdef", [
        { start: 1, end: 3, text: "-" },
        { start: 2, end: 4, text: "!" },
        { start: 5, end: 6, text: "" },
      ]),
    ).toBe("a-de");
  });
});

const counts = (text: string): object => {
  const { places: _, ...rest } = oddities(text);
  return rest;
};

describe("oddities", () => {
  const none = { invisible: 0, bidi: 0, ansi: 0, tags: 0, controls: 0, overwrites: 0, mixed_scripts: false };
  it.each([
    ["plain\n\ttext\r\nhere\r", {}],
    ["a\u200bb\u200bc", { invisible: 2 }],
    ["\ufefftext", {}],
    ["te\ufeffxt", { invisible: 1 }],
    ["soft\u00adhyphen", { invisible: 1 }],
    ["line\u2028end", { invisible: 1 }],
    ["filled\u3164in\uffa0", { invisible: 2 }],
    ["\u1112\u1161\u11ab \u115f\u1161", {}],
    ["a\u1160b", { invisible: 1 }],
    ["a\u034fb", { invisible: 1 }],
    ["\u{e0048}\u{e0049}", { tags: 2 }],
    ["\u{e0001}x", { tags: 1 }],
    ["flag \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}!", {}],
    ["\u{1f3f4}\u{e0067}", { tags: 1 }],
    ["family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}", {}],
    ["heart \u2764\ufe0f and 1\ufe0f\u20e3", {}],
    ["a\ufe0f\ufe0f", { invisible: 2 }],
    ["می\u200cخواهم", {}],
    ["שלום\u200f!", {}],
    ["abc\u200fdef", { bidi: 1 }],
    ["a\u202eb\u2066c\u2069", { bidi: 3 }],
    ["\u001b[31mred\u001b[0m", { ansi: 2 }],
    ["\u001b]8;;https://a.test\u001b\\\\x", { ansi: 2 }],
    ["over\rwrite", { overwrites: 1 }],
    ["bell\u0007 and c1 \u009b1m", { controls: 1, ansi: 1 }],
    ["nul\u0000del\u007fback\b", { controls: 3 }],
    ["half \ud83d pair", { controls: 1 }],
    ["p\u0430ypal", { mixed_scripts: true }],
    ["привет world", {}],
    ["\u0391dmin", { mixed_scripts: true }],
    ["5 μm and Δx", {}],
    ["日本語text", {}],
    ["p\u200b\u0430y", { invisible: 1, mixed_scripts: true }],
  ])("%j", (text, expected) => {
    expect(counts(text)).toEqual({ ...none, ...expected });
  });

  it.each([
    ["a\u200bb", [{ kind: "invisible", where: "w", offset: 1, code: "U+200B", name: "zero width space" }]],
    ["😀\u202e", [{ kind: "bidi", where: "w", offset: 2, code: "U+202E", name: "right-to-left override" }]],
    ["x\u{e0041}", [{ kind: "tag", where: "w", offset: 1, code: "U+E0041", name: "tag `A`" }]],
    ["ab\u001b[1m", [{ kind: "ansi", where: "w", offset: 2, code: "U+001B", name: "escape" }]],
    ["ok\rno", [{ kind: "overwrite", where: "w", offset: 2, code: "U+000D", name: "carriage return" }]],
    ["\u0001", [{ kind: "control", where: "w", offset: 0, code: "U+0001", name: "control character" }]],
    [
      "go p\u0430y",
      [{ kind: "mixed_script", where: "w", offset: 4, code: "U+0430", name: "letter of another script" }],
    ],
    ["a\ufe0f", [{ kind: "invisible", where: "w", offset: 1, code: "U+FE0F", name: "variation selector" }]],
    ["plain", []],
  ])("%j names its places", (text, expected) => {
    expect(oddities(text, "w").places).toEqual(expected);
  });

  it("names the first places only and counts all", () => {
    const { invisible, places } = oddities("\u200b".repeat(100));
    expect([invisible, places.length, places.at(-1)?.offset]).toEqual([100, limits.textPlaces, limits.textPlaces - 1]);
  });

  it("names a place that points at the character, whatever the text", () => {
    const word = fc.constantFrom("a", "\u200b", "\r", "😀", "\u{e0041}", "\u0430", " ", "\u001b[0m", "\u202e");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const text = words.join("");
        for (const { offset, code } of oddities(text).places)
          expect(`U+${text.codePointAt(offset)?.toString(16).toUpperCase().padStart(4, "0")}`).toBe(code);
      }),
      { seed },
    );
  });

  it("counts over every place of an event, and says where", () => {
    const event = judged({
      args: { command: "a\u200bb", deep: [{ "k\u202e": 1 }] },
      prompt: "\u001b[0m",
      messages: [{ role: "user", content: "p\u0430" }],
    });
    const { places, ...rest } = textFacts(event);
    expect(rest).toEqual({ ...none, invisible: 1, bidi: 1, ansi: 1, mixed_scripts: true });
    expect(places.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
      "invisible args.command",
      "bidi args.deep[0]",
      "mixed_script messages[0].content",
      "ansi prompt",
    ]);
  });

  it("counts what is too deep to be looked at as odd", () => {
    let deep: unknown = "x";
    for (let i = 0; i < 300; i++) deep = [deep];
    const { invisible, places } = textFacts(judged({ args: { deep } }));
    expect([invisible, places[0]?.where, places[0]?.code]).toEqual([1, "args", ""]);
  });
});
