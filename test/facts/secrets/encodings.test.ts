import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNamed } from "../../../facts/secrets/edits.ts";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { knownValues } from "../../../facts/secrets/known.ts";
import { editText, type FindEdits } from "../../../facts/text/edit.ts";
import { scannerFor } from "./made.ts";

const scanner = scannerFor(["secrets/*"]);
const key = expandExample("ghp_{A36}");
const pem = expandExample("-----BEGIN PRIVATE KEY-----\n{b64}\n{b64}\n{b20}==\n-----END PRIVATE KEY-----\n");

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const wrapped = (text: string, indent = ""): string => text.replace(/.{64}/g, `$&\n${indent}`);
const percent = (text: string): string => text.replace(/[\s\S]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const units = (text: string): string =>
  text.replace(/[\s\S]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
const bytes = (text: string): string => text.replace(/[\s\S]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
const json = (text: string): string => JSON.stringify(text).slice(1, -1);

const secretText = `first line\ntoken ${key}\nlast line with more words\n`;

describe("a secret inside an encoded text", () => {
  it.each<[string, string]>([
    ["base64", base64(secretText)],
    ["base64, one byte in", base64(`x${secretText}`)],
    ["base64, two bytes in", base64(`xx${secretText}`)],
    ["base64url", Buffer.from(`${secretText}??>>`).toString("base64url")],
    ["base64 in lines", wrapped(base64(secretText.repeat(3)))],
    ["base64 in indented lines", wrapped(base64(secretText.repeat(3)), "    ")],
    [
      "base64 among binary data",
      Buffer.concat([Buffer.alloc(30, 0xe1), Buffer.from(secretText), Buffer.alloc(30, 0xf0)]).toString("base64"),
    ],
    ["hex", hex(secretText)],
    ["upper-case hex", hex(secretText).toUpperCase()],
    ["hex in lines", wrapped(hex(secretText))],
    ["percent", percent(secretText)],
    ["\\u", units(secretText)],
    ["\\u{}", key.replace(/[\s\S]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)],
    ["\\x", bytes(secretText)],
    ["JSON, with a line break before it", json(`a\n${key}`)],
    ["JSON in JSON", json(json(`a\n${key}`))],
    ["base64 in base64", base64(base64(secretText))],
    ["base64 in JSON in lines", json(wrapped(base64(secretText)))],
    ["hex in base64", base64(hex(secretText))],
    ["percent in base64", base64(percent(secretText))],
    ["base64, three deep", base64(base64(base64(secretText)))],
    ["an armoured key", base64(pem)],
    ["an armoured key in JSON", json(pem)],
    ["an armoured key in indented lines", pem.replace(/\n/g, "\n    ")],
  ])("%s", (_, text) => {
    for (const around of [text, `data: "${text}"\nmore words follow here`]) {
      const found = scanner.find(around);
      expect(found.length).toBeGreaterThan(0);
      const once = scanner.redact(around);
      expect(once).toContain("[REDACTED:");
      expect(scanner.redact(once)).toBe(once);
    }
  });
  it("redacts the part that encodes it and no more than a group beyond", () => {
    const text = `A=${base64(secretText)};`;
    const [finding] = scanner.find(text);
    const part = Buffer.from(text.slice(finding?.start, finding?.end), "base64").toString();
    expect(part).toContain(key);
    expect(part.length).toBeLessThanOrEqual(key.length + 4);
  });
  it("is left four deep", () => {
    expect(scanner.find(base64(base64(base64(base64(`a ${key} b`)))))).toEqual([]);
  });
});

/** Characters whose low byte is a letter's, a long s and the sign of Kelvin: none of them is of base64 or hexadecimal. */
const lookalikes = ["\u0141", "\u0431", "\u4e41", "\u017f", "\u212a"];

describe("a secret inside an encoded text that other characters stand beside", () => {
  it.each(lookalikes.flatMap((other) => [1, 23, 24, 60].map((count): [string, number] => [other, count])))(
    "%s, %i times",
    (other, count) => {
      const beside = other.repeat(count);
      for (const encoded of [base64(secretText), hex(secretText)]) {
        for (const given of [
          `${beside}${encoded}`,
          `${encoded}${beside}`,
          `${base64("nothing to be seen in here, nothing at all")}${beside}${encoded}`,
          `${"x".repeat(24)}${beside}${encoded}${beside}${"0".repeat(24)}`,
        ]) {
          expect(scanner.find(given).length, given).toBeGreaterThan(0);
        }
      }
    },
  );
});

describe("encoded text without a secret stays", () => {
  it.each([
    ["words", base64("nothing to see here, only some words and more of them")],
    ["an image", expandExample("data:image/png;base64,iVBORw0KGgo{b3000}=")],
    ["zeros", "A".repeat(5_000)],
    ["integrity of a lock file", expandExample('"integrity": "sha512-{b86}=="')],
    ["a SHA", expandExample("commit {h40} {h64} {h128}")],
    ["a path", "/usr/share/doc/package/examples/very/long/path/to/some/where/README"],
    [
      "a source map",
      `//# sourceMappingURL=data:application/json;base64,${base64('{"version":3,"sources":["a.ts"],"mappings":"AAAA,SAASA"}')}`,
    ],
    ["an address", "https://x.io/a%20b?q=%C3%A9&r=100%25"],
    ["a regular expression", "/^\\s*(?:\\\\u[0-9a-f]{4}|\\n)+$/"],
  ])("%s", (_, text) => expect(scanner.find(text)).toEqual([]));
});

describe("a secret that what is shown hides", () => {
  const [head, tail] = [key.slice(0, 9), key.slice(9)];
  it.each<[string, string]>([
    ["colours in it", `\u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${key.slice(4)}`],
    ["colours round each character", [...key].map((c) => `\u001b[1m${c}\u001b[0m`).join("")],
    ["a link round a part of it", `${head}\u001b]8;;https://a.test/\u001b\\${tail}\u001b]8;;\u0007`],
    ["a zero width space", `${head}\u200b${tail}`],
    ["a soft hyphen", `${head}\u00ad${tail}`],
    ["controls of direction", `\u202d${head}\u2066${tail}\u2069\u202c`],
    ["tag characters", `${head}\u{e0041}\u{e0042}${tail}`],
    ["selectors in each place", [...key].map((c) => `${c}\ufe0f`).join("")],
    ["a mark of the order of bytes", `${head}\ufeff${tail}`],
  ])("%s", (_, text) => {
    for (const around of [
      text,
      `a ${text} b`,
      `é😀 ${text}\n`,
      `${"word ".repeat(300)}${text} ${"word ".repeat(300)}`,
    ]) {
      const [start, end] = [around.indexOf(text), around.indexOf(text) + text.length];
      const [found, ...more] = scanner.find(around);
      expect(more).toEqual([]);
      expect(found?.detector).toBe("secrets/github-token");
      expect(start <= (found?.start ?? -1) && (found?.end ?? around.length) <= end).toBe(true);
      expect(around[found?.start ?? 0]).toBe(key[0]);
      expect(around[(found?.end ?? 1) - 1]).toBe(key.at(-1));
      expect(scanner.find(scanner.redact(around))).toEqual([]);
    }
  });
  it("is found in JSON too, wherever places are looked for", () => {
    const text = JSON.stringify({ a: "plain", b: `gh\u200bp_${key.slice(4)}` });
    const find: FindEdits = (part, name) => findNamed(scanner, part, name).map((one) => ({ ...one, text: "#" }));
    expect(editText(text, find, undefined, (part) => scanner.places(part))).toBe('{"a":"plain","b":"#"}');
  });
  it.each([
    ["movements of the cursor, which part words", `${head}\u001b[2C${tail}`],
    ["nulls, which part words", `${head}\u0000${tail}`],
    ["plain text in colours", "\u001b[32mok\u001b[0m 12 passed \u001b[2m(token)\u001b[0m"],
    ["an emoji", "👨\u200d👩\u200d👧 token=\u2764\ufe0f"],
  ])("leaves %s", (_, text) => expect(scanner.find(text)).toEqual([]));
});

describe("UTF-16 in base64 and hexadecimal", () => {
  it.each<[string, string]>([
    ["base64", Buffer.from(secretText, "utf16le").toString("base64")],
    ["base64 of the other order", Buffer.from(secretText, "utf16le").swap16().toString("base64")],
    ["base64 behind a mark", Buffer.from(`\ufeff${secretText}`, "utf16le").toString("base64")],
    ["hex", Buffer.from(secretText, "utf16le").toString("hex")],
  ])("%s", (_, text) => {
    const once = scanner.redact(`-enc ${text}`);
    expect(once).toContain("[REDACTED:github-token]");
    expect(Buffer.from(once.replace(/\[[^\]]*\]/, " "), "base64").toString("utf16le")).not.toContain(key.slice(4));
    expect(scanner.find(once)).toEqual([]);
  });
});

describe("known values", () => {
  const value = "correct horse/battery+staple?7";
  const known = scannerFor(["secrets/jwt"], { known: knownValues([{ name: "DB", value }]).usable });
  it.each<[string, string]>([
    ["as it is", value],
    ["base64", base64(value)],
    ["base64, one byte in", base64(`a${value}zz`)],
    ["base64, two bytes in", base64(`ab${value}z`)],
    ["base64url", Buffer.from(`é${value}~~`).toString("base64url")],
    ["hex", hex(value)],
    ["upper-case hex", hex(value).toUpperCase()],
    ["percent", encodeURIComponent(value)],
    ["lower-case percent", encodeURIComponent(value).replace(/%../g, (c) => c.toLowerCase())],
    ["all percent", percent(value)],
    ["JSON", json(value)],
    ["\\u", units(value)],
    ["base64 of JSON", base64(json(`"${value}"`))],
    ["form", new URLSearchParams({ a: value }).toString()],
    ["lower-case form", new URLSearchParams({ a: value }).toString().replace(/%../g, (c) => c.toLowerCase())],
    ["all form", percent(value).replaceAll("%20", "+")],
  ])("%s", (_, text) => {
    const around = `one ${text} two`;
    expect(known.find(around).map(({ detector }) => detector)).toEqual(["secrets/known-value"]);
    expect(known.redact(around)).toMatch(/^one \S{0,8}\[REDACTED:known-value\]\S{0,8} two$/);
  });
  it("characters that markup escapes", () => {
    const odd = `a<b>&c"d'9`;
    const one = scannerFor(["secrets/jwt"], { known: [{ name: "X", value: odd }] });
    for (const quote of ["&#39;", "&#x27;", "&apos;", "'"]) {
      const text = `a&lt;b&gt;&amp;c&quot;d${quote}9`;
      expect(one.redact(`<p>${text}</p>`)).toBe("<p>[REDACTED:known-value]</p>");
    }
    expect(one.redact("<p>a&lt;b&gt;&amp;c&#34;d&#39;9</p>")).toBe("<p>[REDACTED:known-value]</p>");
  });
  it("quotes and characters beyond ASCII", () => {
    const odd = 'pä"ss\\wörd😀1';
    const one = scannerFor(["secrets/jwt"], { known: [{ name: "X", value: odd }] });
    for (const text of [odd, json(odd), base64(odd), encodeURIComponent(odd)]) {
      expect(one.redact(`a ${text} b`)).toMatch(/^a \S*\[REDACTED:known-value\]\S* b$/);
    }
  });
  it("are found wherever they stand", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 0, maxLength: 40 }), fc.string({ maxLength: 40 }), (before, after) => {
        for (const text of [value, base64(before + value + after)]) {
          const around = `${before} ${text} ${after}`;
          expect(known.redact(around)).toContain("[REDACTED:known-value]");
        }
      }),
      { numRuns: 200 },
    );
  });
  it("that are too short or one character are refused by name", () => {
    expect(
      knownValues([
        { name: "A", value: "short" },
        { name: "B", value: "xxxxxxxxxxxx" },
        { name: "C", value: "  long-enough-1\n" },
      ]),
    ).toEqual({ usable: [{ name: "C", value: "long-enough-1" }], tooWeak: ["A", "B"] });
  });
});
