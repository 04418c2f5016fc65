import { describe, expect, it } from "vitest";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { limits } from "../../../schema/limits.ts";
import type { Payload } from "../../../schema/ports.ts";
import { outcome, transform } from "./context.ts";

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
  it("whose data is no base64 are looked at", () => {
    expect(transform("redact", { content: [{ ...image, data: `: ${key}` }] }, all).content).toEqual([
      { ...image, data: `: ${gh}` },
    ]);
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
