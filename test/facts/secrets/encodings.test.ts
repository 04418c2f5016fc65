import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { knownValues } from "../../../facts/secrets/known.ts";
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
  ])("%s", (_, text) => {
    const around = `one ${text} two`;
    expect(known.find(around).map(({ detector }) => detector)).toEqual(["secrets/known-value"]);
    expect(known.redact(around)).toMatch(/^one \S{0,8}\[REDACTED:known-value\]\S{0,8} two$/);
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
