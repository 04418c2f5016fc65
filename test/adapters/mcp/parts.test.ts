import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasDoubleKeys } from "../../../adapters/json-text.ts";
import { EnvelopeScan } from "../../../adapters/mcp/envelope-scan.ts";
import { FrameReader } from "../../../adapters/mcp/frames.ts";
import { stillFits } from "../../../adapters/mcp/output-schema.ts";
import { ruleName, serverName } from "../../../adapters/mcp/server-name.ts";
import { callView } from "../../../adapters/mcp/views.ts";

describe("double keys", () => {
  it.each([
    ['{"a":1,"a":2}', true],
    ['{"a":1,"\\u0061":2}', true],
    ['{"x":[{"a":1},{"b":{"c":1,"c":2}}]}', true],
    ['{"a":{"a":1},"b":["a","a"],"c":"a"}', false],
    ['[{"a":1},{"a":1}]', false],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}', false],
    ['"a"', false],
  ])("%s: %s", (text, expected) => {
    expect(hasDoubleKeys(text)).toBe(expected);
  });

  it("are never seen in what was written by a writer", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => !hasDoubleKeys(JSON.stringify(value))));
  });
});

describe("the envelope of a message that is too long", () => {
  it.each([
    [
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":9,"x":[1,{"method":"no"}]}}',
      { id: 7, method: "tools/call" },
    ],
    ['{"result":{"id":1},"id":"a\\"b"}', { id: 'a"b' }],
    ['{"id":1,"id":2}', {}],
    ['[{"id":1}]', {}],
    ['{"params":{"id":1}}', {}],
    ['{"id":null,"method":5}', {}],
  ])("%s", (text, expected) => {
    const scan = new EnvelopeScan();
    for (const byte of Buffer.from(text)) scan.feed(Uint8Array.of(byte));
    expect(scan.envelope()).toEqual(expected);
  });

  it("agrees with a parser", () => {
    const message = fc.record({
      params: fc.jsonValue(),
      id: fc.oneof(fc.integer(), fc.string({ maxLength: 40 })),
      method: fc.string({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(message, ({ params, id, method }) => {
        const scan = new EnvelopeScan();
        scan.feed(Buffer.from(JSON.stringify({ params, id, method }, null, 1)));
        expect(scan.envelope()).toEqual({ id: Object.is(id, -0) ? 0 : id, method });
      }),
    );
  });
});

describe("frames", () => {
  it("are the same however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1 })),
        fc.integer({ min: 1, max: 9 }),
        (texts, size) => {
          const wanted = texts.map((text) => JSON.stringify(text));
          const bytes = Buffer.from(wanted.map((text) => `${text}\r\n`).join(""));
          const reader = new FrameReader(1_000_000);
          const seen: string[] = [];
          for (let i = 0; i < bytes.length; i += size)
            for (const frame of reader.push(bytes.subarray(i, i + size)))
              if (frame.kind === "text") seen.push(frame.text.trim());
          expect([...reader.end()]).toEqual([]);
          expect(seen).toEqual(wanted.map((text) => text.trim()));
        },
      ),
    );
  });

  it("over the bound are not held, and the next one is read again", () => {
    const reader = new FrameReader(20);
    const frames = [
      ...reader.push(Buffer.from(`{"id":3,"result":"${"x".repeat(50)}"}\n{"id":4}\nlast`)),
      ...reader.end(),
    ];
    expect(frames).toEqual([
      { kind: "oversized", envelope: { id: 3 } },
      { kind: "text", text: '{"id":4}' },
      { kind: "text", text: "last" },
    ]);
  });
});

describe("structured content that rules changed", () => {
  const text = { type: "string" };
  it.each([
    ["free text", { a: "x" }, { a: "y" }, { type: "object", properties: { a: text } }, true],
    ["no schema for the field", { a: "x" }, { a: "y" }, { type: "object" }, true],
    [
      "deep in lists",
      { a: [{ b: "x" }] },
      { a: [{ b: "y" }] },
      { properties: { a: { items: { properties: { b: text } } } } },
      true,
    ],
    [
      "a pattern elsewhere",
      { a: "x", b: "k" },
      { a: "y", b: "k" },
      { properties: { a: text, b: { pattern: "k" } } },
      true,
    ],
    ["a pattern", { a: "x" }, { a: "y" }, { properties: { a: { pattern: "x" } } }, false],
    ["a format", { a: "x" }, { a: "y" }, { properties: { a: { format: "uuid" } } }, false],
    ["an enum", { a: "x" }, { a: "y" }, { properties: { a: { enum: ["x"] } } }, false],
    ["an enum around", { a: "x" }, { a: "y" }, { enum: [{ a: "x" }] }, false],
    ["a const of nothing around", { a: "x" }, { a: "y" }, { const: null }, false],
    ["a reference", { a: "x" }, { a: "y" }, { properties: { a: { $ref: "#/$defs/a" } } }, false],
    ["an alternative", { a: "x" }, { a: "y" }, { anyOf: [{ properties: { a: text } }] }, false],
    [
      "no further properties, which held before",
      { a: "x" },
      { a: "y" },
      { properties: {}, additionalProperties: false },
      false,
    ],
    ["a key that is gone", { a: "x", b: 1 }, { b: 1 }, {}, false],
    ["a key that is new", { a: "x" }, { c: "x" }, {}, false],
    ["a number that became a text", { a: 1 }, { a: "y" }, {}, false],
    ["an item less", { a: [1, 2] }, { a: [1] }, {}, false],
    ["nothing at all", { a: "x" }, null, {}, false],
  ])("%s", (_what, before, after, schema, expected) => {
    expect(stillFits(before, after, schema)).toBe(expected);
  });
});

describe("names of servers", () => {
  it.each([
    [["npx", "-y", "@modelcontextprotocol/server-filesystem@1.2.3", "/data"], "server-filesystem"],
    [["/usr/bin/node", "servers/weather.mjs"], "weather"],
    [["uv", "run", "mcp-git"], "mcp-git"],
    [["/opt/my__server.exe"], "my_server"],
    [["node"], "node"],
    [[""], "server"],
  ])("%j is %s", (command, expected) => {
    expect(serverName(command)).toBe(expected);
  });

  it("never hold what ends a server's name", () => {
    fc.assert(
      fc.property(
        fc.string(),
        (given) => /^(?!_)[A-Za-z0-9_.-]+(?<!_)$/.test(ruleName(given)) && !ruleName(given).includes("__"),
      ),
    );
  });
});

describe("the view of a call's result", () => {
  it("gives back what it was made of when nothing is changed", () => {
    const part = fc.oneof(
      fc.record({ type: fc.constant("text"), text: fc.string() }),
      fc.record({
        type: fc.constantFrom("image", "audio"),
        data: fc.base64String(),
        mimeType: fc.constant("image/png"),
      }),
      fc.record({
        type: fc.constant("resource"),
        resource: fc.record({ uri: fc.string(), text: fc.string() }),
        annotations: fc.object(),
      }),
      fc.record({ type: fc.constant("resource"), resource: fc.record({ uri: fc.string(), blob: fc.base64String() }) }),
      fc.record({ type: fc.constant("resource_link"), uri: fc.string(), name: fc.string(), mimeType: fc.string() }),
    );
    const body = fc.record(
      { content: fc.array(part), structuredContent: fc.object(), isError: fc.boolean(), _meta: fc.object() },
      { requiredKeys: ["content"] },
    );
    fc.assert(
      fc.property(body, (given) => {
        const view = callView(given);
        const { content = [], details } = view?.result ?? {};
        expect(view?.changed({ content, ...(details === undefined ? {} : { details }) }, undefined)).toEqual(given);
      }),
    );
  });
});
