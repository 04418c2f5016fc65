import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { knownValues } from "../../../facts/secrets/known.ts";
import { createRedact } from "../../../rules/actions/redact.ts";
import { limits } from "../../../schema/limits.ts";
import type { Payload } from "../../../schema/ports.ts";
import { fasterThanLinear } from "../../work.ts";
import { context, outcome, transform } from "./context.ts";

const key = expandExample("ghp_{A36}");
const other = expandExample("glpat-{w20}");
const all = { detectors: ["secrets/*"] };
const gh = "[REDACTED:github-token]";

describe("every part of a message", () => {
  it.each<[string, unknown, unknown]>([
    ["text", { type: "text", text: key }, { type: "text", text: gh }],
    ["thinking", { type: "thinking", thinking: `a ${key}` }, { type: "thinking", thinking: `a ${gh}` }],
    [
      "tool_use",
      { type: "tool_use", id: "1", name: "bash", input: { command: key } },
      { type: "tool_use", id: "1", name: "bash", input: { command: gh } },
    ],
    [
      "tool_result in a part",
      { type: "tool_result", content: [{ type: "text", text: key }] },
      { type: "tool_result", content: [{ type: "text", text: gh }] },
    ],
    [
      "an embedded resource",
      { type: "resource", resource: { uri: `https://x:${key}@a.test/`, mimeType: "text/plain", text: key } },
      { type: "resource", resource: { uri: `https://x:${gh}@a.test/`, mimeType: "text/plain", text: gh } },
    ],
    [
      "a link to one",
      { type: "resource_link", uri: "a", description: key },
      { type: "resource_link", uri: "a", description: gh },
    ],
    ["what no host has yet", { type: "new", a: { b: [[key]] } }, { type: "new", a: { b: [[gh]] } }],
    [
      "arguments of a call as JSON text",
      { function: { arguments: `{"k": "${key}"}` } },
      { function: { arguments: `{"k": "${gh}"}` } },
    ],
  ])("%s", (_, part, expected) => {
    for (const role of ["user", "assistant", "tool_result", "system", "custom"])
      expect(transform("redact", { messages: [{ role, content: [part] }] }, all)).toEqual({
        messages: [{ role, content: [expected] }],
      });
    expect(transform("redact", { content: [part] }, all)).toEqual({ content: [expected] });
  });
  it("keeps what did not change by reference", () => {
    const clean = { role: "user", content: [{ type: "text", text: "a" }] };
    const { messages } = transform("redact", { messages: [clean, { role: "user", content: key }] }, all);
    expect(messages?.[0]).toBe(clean);
  });
});

describe("keys", () => {
  it.each<[string, Payload, Payload]>([
    ["of details", { details: { [key]: 1 } }, { details: { [gh]: 1 } }],
    ["of arguments", { args: { env: { [key]: "x" } } }, { args: { env: { [gh]: "x" } } }],
    ["of a message", { messages: [{ role: "user", [key]: "x" }] }, { messages: [{ role: "user", [gh]: "x" }] }],
    [
      "that read alike once they are redacted",
      { details: { [key]: 1, [`${key.slice(0, -1)}0`]: 2, [gh]: 3, a: 4 } },
      { details: { [`${gh}~2`]: 1, [`${gh}~3`]: 2, [gh]: 3, a: 4 } },
    ],
  ])("%s", (_, payload, expected) => {
    const once = transform("redact", payload, all);
    expect(once).toEqual(expected);
    expect(transform("redact", once, all)).toBe(once);
  });
  it("of JSON text that read alike lose no value", () => {
    const text = `{"${key}": 1, "n": {"${key}": {}}, "${key.slice(0, -1)}0": 2, "${other}": 3}`;
    const once = transform("redact", { text }, all);
    expect(JSON.parse(once.text as string)).toEqual({
      [gh]: 1,
      n: { [gh]: {} },
      [`${gh}~2`]: 2,
      "[REDACTED:gitlab-token]": 3,
    });
    expect(transform("redact", once, all)).toBe(once);
  });
});

describe("JSON text", () => {
  it.each([
    [`{"a":"caf\\u00e9 ${key} \\/x","b":1.50e3}`, `{"a":"caf\\u00e9 ${gh} \\/x","b":1.50e3}`],
    [`[ "\\"${key}\\"" ,\n "\\u0041" ]`, `[ "\\"${gh}\\"" ,\n "\\u0041" ]`],
    [JSON.stringify({ in: `{"k":"\\u00e9 ${key}"}`, z: "é" }), JSON.stringify({ in: `{"k":"\\u00e9 ${gh}"}`, z: "é" })],
  ])("changes only what was found: %s", (text, expected) => {
    expect(transform("redact", { text }, all).text).toBe(expected);
  });
});

describe("images", () => {
  const image = { type: "image", data: "aGVsbG8=", mimeType: "image/png" };
  const blob = { type: "resource", resource: { uri: "a", mimeType: "application/pdf", blob: "aGVsbG8=" } };
  const source = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "aGVsbG8=" } };
  const url = { type: "image_url", image_url: { url: "data:image/png;base64,aGVsbG8=" } };
  const block = { ...all, images: "block" };
  it("pass as they are unless they are blocked", () => {
    const payload = { content: [image, blob, source, url], images: [image] };
    expect(transform("redact", payload, all)).toBe(payload);
    expect(transform("redact", payload, { ...all, detectors: ["secrets/*", "text/*"], images: "pass" })).toBe(payload);
  });
  it.each<[string, unknown, unknown]>([
    ["an image", image, { type: "text", text: "[withheld: image]" }],
    ["sound", { ...image, type: "audio" }, { type: "text", text: "[withheld: audio]" }],
    ["an image by its address", url, { type: "text", text: "[withheld: image]" }],
    [
      "a resource",
      blob,
      { type: "resource", resource: { uri: "a", mimeType: "text/plain", text: "[withheld: data]" } },
    ],
    [
      "a document",
      source,
      { type: "document", source: { type: "text", media_type: "text/plain", data: "[withheld: data]" } },
    ],
    ["no link to an image", { type: "image_url", image_url: { url: "https://a.test/x.png" } }, undefined],
  ])("are replaced by a note when they are blocked: %s", (_, part, expected) => {
    const once = transform("redact", { content: [part] }, block);
    expect(once.content).toEqual([expected ?? part]);
    expect(transform("redact", once, block)).toBe(once);
  });
  it("are blocked in messages and beside an input, too", () => {
    expect(
      transform("redact", { messages: [{ role: "user", content: [image] }], images: [image] }, { images: "block" }),
    ).toEqual({
      messages: [{ role: "user", content: [{ type: "text", text: "[withheld: image]" }] }],
      images: [{ type: "text", text: "[withheld: image]" }],
    });
  });
  it("that are text are looked at", () => {
    const svg = { type: "image", mimeType: "image/svg+xml", data: `<svg>${key}</svg>` };
    expect(transform("redact", { content: [svg] }, all).content).toEqual([{ ...svg, data: `<svg>${gh}</svg>` }]);
  });
  const encoded = Buffer.from(`TOKEN = ${key}\n`).toString("base64");
  it.each<[string, (data: string) => unknown]>([
    ["a resource of a type that may be text", (blob) => ({ resource: { mimeType: "application/octet-stream", blob } })],
    ["a resource of a type that is text", (blob) => ({ resource: { mimeType: "application/x-pem-file", blob } })],
    ["a source without a type", (data) => ({ type: "document", source: { type: "base64", data } })],
    ["a source of text", (data) => ({ source: { type: "base64", media_type: "application/toml", data } })],
    ["data of an unknown type", (data) => ({ mimeType: "x", data })],
  ])("no image: %s is looked at, and blocked with the images", (_, part) => {
    const { content, details } = transform(
      "redact",
      { content: [part(encoded)], details: part(encoded) } as never,
      all,
    );
    for (const given of [content?.[0], details]) {
      expect(given).not.toEqual(part(encoded));
      expect(JSON.stringify(given)).toContain(gh);
    }
    const clean = { content: [part("aGVsbG8=")] } as never;
    expect(transform("redact", clean, all)).toBe(clean);
    expect(JSON.stringify(transform("redact", clean, block))).toContain("[withheld: data]");
  });
  it("whose data is no base64 are looked at", () => {
    expect(transform("redact", { content: [{ ...image, data: `: ${key}` }] }, all).content).toEqual([
      { ...image, data: `: ${gh}` },
    ]);
  });
});

describe("fields of a structure", () => {
  it("hold no secret either, and stay as a pattern finds them", () => {
    const call = (type: string, role: string) => ({ type: "tool_use", input: { type, role: [role] } });
    const patterns = [{ name: "w", regex: "user|tool_use|kind", replacement: "#" }];
    const payload = { messages: [{ role: "user", content: [call(key, `kind ${other}`)] }] };
    const once = transform("redact", payload, { ...all, patterns });
    expect(once.messages).toEqual([{ role: "user", content: [call(gh, "kind [REDACTED:gitlab-token]")] }]);
    expect(transform("redact", once, { ...all, patterns })).toBe(once);
  });
});

describe("numbers", () => {
  const card = 4_539_148_803_436_467;
  const pii = { detectors: ["pii/card"] };
  it.each<[string, Payload, Payload]>([
    ["structured content", { structured: { card, n: 1 } }, { structured: { card: "[REDACTED:card]", n: 1 } }],
    ["details", { details: [[card]] }, { details: [["[REDACTED:card]"]] }],
    ["arguments", { args: { card, n: 20 } }, { args: { card: "[REDACTED:card]", n: 20 } }],
    [
      "messages",
      { messages: [{ role: "user", n: card, timestamp: 1_732_291_234_567 }] },
      { messages: [{ role: "user", n: "[REDACTED:card]", timestamp: 1_732_291_234_567 }] },
    ],
  ])("that are secrets are none in %s", (_, payload, expected) => {
    const once = transform("redact", payload, pii);
    expect(once).toEqual(expected);
    expect(transform("redact", once, pii)).toBe(once);
  });
  it("are known values too", () => {
    const found = { known: knownValues([{ name: "PIN", value: "8392017455" }]).usable, notes: [] };
    const action = createRedact({ all: found.known, of: () => found });
    const payload = { details: { pin: 8_392_017_455, other: 8_392_017_456 } } as never;
    expect(action.transform?.(payload, { values: { env: ["PIN"] } }, context())).toEqual({
      details: { pin: "[REDACTED:known-value]", other: 8_392_017_456 },
    });
  });
  it("are no text, which patterns look at", () => {
    const payload: Payload = { details: { id: 12_345_678 }, messages: [{ role: "user", at: 12_345_678 }] };
    expect(transform("redact", payload, { ...pii, patterns: [{ name: "id", regex: "^\\d{8}$" }] })).toBe(payload);
  });
  it("in places that are not wanted stay", () => {
    const payload: Payload = { details: { card }, structured: { card } };
    expect(transform("redact", payload, { ...pii, fields: ["structured"] })).toEqual({
      details: { card },
      structured: { card: "[REDACTED:card]" },
    });
  });
});

describe("lines of JSON", () => {
  const pii = { detectors: ["secrets/*", "pii/card"] };
  const card = 4_539_148_803_436_467;
  const line = (value: unknown): string => JSON.stringify(value);
  it.each<[string, string]>([
    ["each a value", `${line({ card, a: key })}\n${line([card])}\n${line({ a: 1 })}\n`],
    ["with line breaks of Windows", `${line({ card })}\r\n${line({ card })}`],
    ["behind what a log says first", `12:00 INFO sent ${line({ card, b: [card] })}\n12:01 INFO token ${key}`],
    ["as an event stream", `event: x\ndata: ${line({ card, "a\\b": `\n${key}` })}\n\n`],
  ])("stay JSON: %s", (_, text) => {
    const once = transform("redact", { text }, pii);
    expect(once.text).not.toContain(String(card));
    expect(once.text).not.toContain(key);
    for (const each of once.text?.split("\n") ?? []) {
      const json = /[[{]["[{].*/.exec(each)?.[0];
      if (json !== undefined) expect(() => JSON.parse(json)).not.toThrow();
    }
    expect(transform("redact", once, pii)).toBe(once);
  });
  it.each([
    ["JSON that ends too soon", (count: number) => `{"a":[${`"${key}",`.repeat(count)}`],
    ["many lines", (count: number) => `{"a":"${key}"}\n`.repeat(count)],
  ] as const)("take work by their length: %s", (_, text) => {
    const work = (count: number): number =>
      unitsOf(() => expect(transform("redact", { text: text(count) }, pii).text).not.toContain(key));
    expect(fasterThanLinear(work, 5_000)).toBeUndefined();
  });
  it("hold no secret even where they cannot stay JSON", () => {
    const text = `{"a":"-----BEGIN PRIVATE KEY-----"}\n{"${expandExample("{b64}")}":1}\n${key} {"a":1}`;
    const once = transform("redact", { text }, pii);
    expect(once.text).not.toContain(key);
    expect(transform("redact", once, pii)).toBe(once);
  });
});

describe("bounds", () => {
  const nested = (depth: number): unknown => {
    let value: unknown = key;
    for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
    return value;
  };
  it("what is within them is redacted at every depth", () => {
    expect(JSON.stringify(transform("redact", { details: nested(limits.payloadDepth) }, all).details)).toContain(gh);
  });
  it.each<[string, Payload]>([
    ["depth", { details: nested(limits.payloadDepth + 1) }],
    ["extreme depth", { details: nested(300_000) }],
    ["nodes", { details: Array.from({ length: limits.payloadNodes + 1 }, () => 0) }],
  ])("over %s nothing is passed on", (_, payload) => {
    expect(outcome("redact", payload, all)).toMatchObject({ code: "HW504" });
  });
});
