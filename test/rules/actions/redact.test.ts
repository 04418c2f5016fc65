import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectorExamples, expandExample } from "../../../facts/secrets/examples.ts";
import { replacementParts } from "../../../rules/actions/redact.ts";
import type { Payload } from "../../../schema/ports.ts";
import { outcome, transform } from "./context.ts";

const key = expandExample("ghp_{A36}");
const aws = expandExample("AKIA{U16}");
const seedKey = expandExample("sk-{A24}");
const all = { detectors: ["secrets/*"] };
const gh = "[REDACTED:github-token]";

describe("redact with detectors", () => {
  it.each<[string, Payload, Payload]>([
    ["args", { args: { command: `echo ${key}`, n: 1 } }, { args: { command: `echo ${gh}`, n: 1 } }],
    [
      "content",
      {
        content: [
          { type: "text", text: `a ${key} b` },
          { type: "text", text: "c" },
        ],
      },
      {
        content: [
          { type: "text", text: `a ${gh} b` },
          { type: "text", text: "c" },
        ],
      },
    ],
    [
      "details deep",
      { details: { a: [{ b: { c: [key] } }], [key]: 1 } },
      { details: { a: [{ b: { c: [gh] } }], [gh]: 1 } },
    ],
    ["structured", { structured: { k: key } }, { structured: { k: gh } }],
    [
      "messages of every role",
      {
        messages: [
          "user",
          "assistant",
          "tool_result",
          "custom",
          "bash_execution",
          "compaction_summary",
          "branch_summary",
        ].map((role) => ({ role, content: [{ type: "text", text: key }], output: key })),
      },
      {
        messages: [
          "user",
          "assistant",
          "tool_result",
          "custom",
          "bash_execution",
          "compaction_summary",
          "branch_summary",
        ].map((role) => ({ role, content: [{ type: "text", text: gh }], output: gh })),
      },
    ],
    [
      "prompt and system prompt",
      { prompt: key, system_prompt: `x${aws} ${key}` },
      { prompt: gh, system_prompt: `x${aws} ${gh}` },
    ],
    ["text", { text: key, images: [] }, { text: gh, images: [] }],
    ["command", { command: `curl -u x:${key} y` }, { command: `curl -u x:${gh} y` }],
    [
      "a value by its field's name",
      { details: { password: "hunter2-Zx9", note: "hunter2-Zx9" } },
      { details: { password: "[REDACTED:generic-password]", note: "hunter2-Zx9" } },
    ],
    [
      "a private key over several lines",
      { text: expandExample("-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n-----END RSA PRIVATE KEY-----\nrest") },
      { text: "[REDACTED:private-key]\nrest" },
    ],
  ])("%s", (_, payload, expected) => {
    const once = transform("redact", payload, all);
    expect(once).toEqual(expected);
    expect(transform("redact", once, all)).toBe(once);
  });

  it.each<[string, Payload]>([
    ["nothing to find", { content: [{ type: "text", text: "clean" }], details: { a: 1 } }],
    ["image data", { content: [{ type: "image", mimeType: "image/png", data: aws }] }],
    ["an empty payload", {}],
    ["null details", { details: null }],
  ])("gives the payload itself back: %s", (_, payload) => {
    expect(transform("redact", payload, all)).toBe(payload);
  });

  it("does not change the payload it was given", () => {
    const payload: Payload = { details: { a: [key] } };
    const before = JSON.stringify(payload);
    transform("redact", payload, all);
    expect(JSON.stringify(payload)).toBe(before);
  });
});

describe("JSON text", () => {
  it.each([
    [`{"a": "${key}", "n": 1.0}`, `{"a": "${gh}", "n": 1.0}`],
    [
      `{"password":"hunter2-Zx9","n":12345678901234567890}`,
      `{"password":"[REDACTED:generic-password]","n":12345678901234567890}`,
    ],
    [JSON.stringify({ inner: JSON.stringify({ k: key }) }), JSON.stringify({ inner: JSON.stringify({ k: gh }) })],
    [
      JSON.stringify({ pem: expandExample("-----BEGIN PRIVATE KEY-----\n{b64}\n-----END PRIVATE KEY-----\n") }),
      JSON.stringify({ pem: "[REDACTED:private-key]\n" }),
    ],
    [`{"k": "\\u0041${aws.slice(1)}"}`, '{"k": "[REDACTED:aws-access-key]"}'],
    [`{"${key}": [1]}`, `{"${gh}": [1]}`],
  ])("%s", (text, expected) => {
    const once = transform("redact", { text }, all);
    expect(once.text).toBe(expected);
    expect(() => JSON.parse(once.text as string)).not.toThrow();
    expect(transform("redact", once, all)).toBe(once);
  });
  it("stays JSON with a pattern that runs on over the string", () => {
    const parameters = { patterns: [{ name: "k", regex: "(API_KEY=)\\S+", replacement: "{match[1]}[REDACTED]" }] };
    expect(transform("redact", { text: '{"a":"API_KEY=abc","b":[1]}' }, parameters).text).toBe(
      '{"a":"API_KEY=[REDACTED]","b":[1]}',
    );
  });
});

describe("redact with patterns", () => {
  it.each([
    [
      "the language page's example",
      { name: "api-key", regex: "(API_KEY=)\\S+", replacement: "{match[1]}[REDACTED]" },
      "x API_KEY=abc API_KEY=d y",
      "x API_KEY=[REDACTED] API_KEY=[REDACTED] y",
    ],
    [
      "the default replacement",
      { name: "ticket", regex: "T-\\d+" },
      "see T-12, T-3",
      "see [REDACTED:ticket], [REDACTED:ticket]",
    ],
    ["a name that its pattern matches", { name: "key", regex: "key" }, "a key b", "a [REDACTED:key] b"],
    [
      "a replacement that its pattern matches",
      { name: "n", regex: "\\d+", replacement: "#1" },
      "a 42 b 7",
      "a #1 b #1",
    ],
    ["an absent group", { name: "n", regex: "a(b)?c", replacement: "<{match[1]}{match[7]}>" }, "ac abc", "<> <b>"],
    ["the whole match", { name: "n", regex: "a+", replacement: "({match[0]})" }, "xaa", "x(aa)"],
    ["an empty replacement", { name: "n", regex: "a+", replacement: "" }, "xaay", "xy"],
    ["an empty match", { name: "n", regex: "z*" }, "abc", "abc"],
    [
      "too little entropy",
      { name: "n", regex: "k=\\S+", min_entropy: 3 },
      "k=aaaaaaaa k=a8Zf0Kq3",
      "k=aaaaaaaa [REDACTED:n]",
    ],
    [
      "too little entropy of the secret alone",
      { name: "n", regex: "(longer_name=)(\\w+)", secret: 2, min_entropy: 2 },
      "longer_name=aaaa longer_name=a8Zf",
      "longer_name=aaaa [REDACTED:n]",
    ],
    [
      "exceptions",
      { name: "n", regex: "k=(\\w+)", secret: 1, except: ["^test", "(?i)DUMMY"] },
      "k=test1 k=xdummy k=atest",
      "k=test1 k=xdummy [REDACTED:n]",
    ],
    [
      "exceptions about a group that matched nothing: the whole match",
      { name: "n", regex: "k(=\\w+)?", secret: 1, except: ["^=x"] },
      "k k=x k=y",
      "[REDACTED:n] k=x [REDACTED:n]",
    ],
    [
      "exceptions about a group that is not there: the whole match",
      { name: "n", regex: "k=\\w+", secret: 7, except: ["^k=x"] },
      "k=x k=y",
      "k=x [REDACTED:n]",
    ],
    ["no number in the braces", { name: "n", regex: "a", replacement: "{match[x]}{1}" }, "a", "{match[x]}{1}"],
  ])("%s", (_, pattern, text, expected) => {
    expect(transform("redact", { text }, { patterns: [pattern] }).text).toBe(expected);
  });

  it.each([
    ["key", "key", undefined],
    ["n", "\\d+", "#1"],
    ["w", "[A-Z]{4,}", undefined],
  ])("twice is once for %s", (name, regex, replacement) => {
    const parameters = {
      detectors: ["secrets/*"],
      patterns: [{ name, regex, ...(replacement !== undefined && { replacement }) }],
    };
    const once = transform("redact", { text: `key 42 ABCD ${aws} ${key}` }, parameters);
    expect(transform("redact", once, parameters)).toBe(once);
  });
  it("does not touch role and type", () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "user text" }] }];
    expect(
      transform("redact", { messages }, { patterns: [{ name: "w", regex: "user|text", replacement: "#" }] }).messages,
    ).toEqual([{ role: "user", content: [{ type: "text", text: "# #" }] }]);
  });
  it("prefers the leftmost, then the longest, and hides what both cover", () => {
    const parameters = {
      patterns: [
        { name: "a", regex: "bc", replacement: "A" },
        { name: "b", regex: "abc", replacement: "B" },
        { name: "c", regex: "cd", replacement: "C" },
      ],
    };
    expect(transform("redact", { text: "xabcdx" }, parameters).text).toBe("xBx");
  });
});

describe("fields", () => {
  const payload: Payload = {
    details: { headers: { auth: key }, body: key, headersX: key },
    content: [{ type: "text", text: key }],
  };
  it.each([
    [["details.headers"], { ...payload, details: { headers: { auth: gh }, body: key, headersX: key } }],
    [["result.details.body"], { ...payload, details: { headers: { auth: key }, body: gh, headersX: key } }],
    [["content"], { ...payload, content: [{ type: "text", text: gh }] }],
    [
      ["content[0].text", "details.headersX"],
      { content: [{ type: "text", text: gh }], details: { headers: { auth: key }, body: key, headersX: gh } },
    ],
    [["nope"], payload],
  ])("%j", (fields, expected) => {
    expect(transform("redact", payload, { ...all, fields })).toEqual(expected);
  });
});

describe("errors are values", () => {
  it.each([
    ["an unknown detector", { detectors: ["secrets/nope"] }, "HW507", /secrets\/nope/],
    ["a refused pattern", { patterns: [{ name: "p", regex: "(?=x)" }] }, "HW507", /look-ahead/],
    ["a refused exception", { patterns: [{ name: "p", regex: "x", except: ["(?=x)"] }] }, "HW507", /look-ahead/],
  ])("%s", (_, parameters, code, message) => {
    expect(outcome("redact", { text: "x" }, parameters)).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
  it("text over the bound is not passed on unscanned", () => {
    expect(
      outcome(
        "redact",
        { prompt: "a".repeat(20_000_000), text: "a".repeat(14_000_000) },
        { patterns: [{ name: "p", regex: "zzz" }] },
      ),
    ).toMatchObject({ code: "HW507" });
  });
  it("a payload that is too deep is not passed on", () => {
    let deep: unknown = key;
    for (let i = 0; i < 200; i++) deep = { deep };
    expect(outcome("redact", { details: deep }, all)).toMatchObject({ code: "HW504" });
  });
});

describe("seed omp-authoring-hooks, API-key redactor", () => {
  const patterns = [
    "\\b(sk|pk)-[a-zA-Z0-9]{20,}\\b",
    "\\bAKIA[A-Z0-9]{16}\\b",
    "\\bghp_[a-zA-Z0-9]{36}\\b",
    "\\b[a-zA-Z0-9_-]{20,}\\s*=\\s*[\"']?[a-zA-Z0-9._/+=-]{20,}[\"']?",
  ].map((regex, i) => ({ name: `seed-${i}`, regex, replacement: "[REDACTED]" }));
  const text = `${seedKey} ${aws}\n${key}, a_long_variable_name_here = "abcdefghijklmnopqrstuvwx"; short=1`;
  it("redacts the four kinds", () => {
    const once = transform("redact", { content: [{ type: "text", text }] }, { patterns });
    expect(once.content).toEqual([{ type: "text", text: "[REDACTED] [REDACTED]\n[REDACTED], [REDACTED]; short=1" }]);
    expect(transform("redact", once, { patterns })).toBe(once);
  });
  it("and the detectors know its key kinds", () => {
    expect(transform("redact", { text: `${seedKey} ${aws} ${key}` }, all).text).toBe(
      `[REDACTED:prefixed-key] [REDACTED:aws-access-key] ${gh}`,
    );
  });
});

describe("any payload", () => {
  const samples = Object.values(detectorExamples).flatMap((e) => [...e.match, ...e.noMatch].map(expandExample));
  const piece = fc.oneof(
    fc.constantFrom(...samples),
    fc.constantFrom(" ", "\n", "=", ": ", "password=", '"', "[REDACTED:x]", "key", ",", "\\n"),
    fc.string({ maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      text,
      text.map((t) => JSON.stringify({ t })),
      fc.integer(),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(text, tie("node"), { maxKeys: 3 }),
    ),
  })).node;
  it("redacting twice is redacting once, and JSON stays JSON", () => {
    fc.assert(
      fc.property(value, text, (details, plain) => {
        const payload: Payload = { details, text: plain, prompt: JSON.stringify({ plain, details }) };
        const once = transform("redact", payload, all);
        expect(transform("redact", once, all)).toBe(once);
        expect(() => JSON.parse(once.prompt as string)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe("any text with all detectors", () => {
  const every = { detectors: ["secrets/*", "pii/*", "text/*"] };
  const samples = Object.values(detectorExamples).flatMap((e) => e.match.map(expandExample));
  const odd = fc.constantFrom(
    "\u001b[1m",
    "\u001b[m",
    "\u200b",
    "\u00ad",
    "\ufe0f",
    "✔\ufe0f",
    "é",
    "\u202e",
    "\u001b[2C",
  );
  const piece = fc.oneof(
    fc.constantFrom(...samples),
    fc.tuple(fc.constantFrom(...samples), odd, fc.nat()).map(([text, put, at]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place);
    }),
    odd,
    fc.constantFrom("\n", " ", "password=", '"', "{", "data: ", "<!-- x", "4539148803436467"),
  );
  const line = fc.oneof(
    fc.array(piece, { maxLength: 4 }).map((parts) => parts.join("")),
    fc
      .dictionary(piece, fc.oneof(piece, fc.constant(4_539_148_803_436_467), fc.integer()), { maxKeys: 3 })
      .map((value) => JSON.stringify(value)),
  );
  const text = fc.array(line, { maxLength: 4 }).map((lines) => lines.join("\n"));
  it("redacting twice is redacting once", () => {
    fc.assert(
      fc.property(text, fc.array(fc.oneof(piece, fc.integer(), fc.constant(4_539_148_803_436_467))), (text, list) => {
        const once = transform("redact", { text, details: { list } }, every);
        expect(transform("redact", once, every)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });
  it("lines of JSON stay JSON", () => {
    const value = fc.dictionary(piece, fc.oneof(piece, fc.constant(4_539_148_803_436_467)), { minKeys: 1, maxKeys: 3 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 4 }), (values) => {
        const text = values.map((each) => JSON.stringify(each)).join("\n");
        const once = transform("redact", { text }, { detectors: ["pii/card", "secrets/*-token"] });
        for (const each of (once.text as string).split("\n")) expect(() => JSON.parse(each)).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

describe("replacementParts", () => {
  it.each([
    ["", [""]],
    ["a", ["a"]],
    ["{match[1]}", [1]],
    ["a{match[12]}b", ["a", 12, "b"]],
  ])("%j", (text, parts) => expect(replacementParts(text)).toEqual(parts));
});
