import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { actionShapes } from "../../../rules/actions/about.ts";
import { actions } from "../../../rules/actions/registry.ts";
import { canonicalEvent } from "../../../schema/events.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { context, outcome, transform } from "./context.ts";
import "../../properties/seed.ts";

const count = (text: string): number => [...text].length;
const cut = (text: string, parameters: object): string =>
  (transform("truncate", { content: [{ type: "text", text }] }, parameters).content as { text: string }[])[0]
    ?.text as string;

describe("truncate", () => {
  it("counts and cuts characters alike, whether they take one unit or two", () => {
    const keep = fc.constantFrom("head", "tail", "both");
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("x", "y", "é"), { maxLength: 120 }),
        fc.integer({ min: 1, max: 90 }),
        keep,
        (units, max, side) => {
          const wide = (text: string): string => text.replace(/[xyé]/g, (c) => ({ x: "😀", y: "𝒴" })[c] ?? c);
          // The marker holds none of these.
          const how = { max_chars: max, keep: side, marker: "[{omitted}|{total}]" };
          expect(cut(wide(units.join("")), how)).toBe(wide(cut(units.join(""), how)));
        },
      ),
      { numRuns: 300 },
    );
  });

  const long = "0123456789".repeat(20);
  it.each([
    [{ max_chars: 80 }, /^0123456789\d*\n\[… (\d+) of 200 characters left out\]$/],
    [{ max_chars: 80, keep: "tail" }, /^\[… (\d+) of 200 characters left out\]\n\d*0123456789$/],
    [{ max_chars: 80, keep: "both" }, /^0123\d*\n\[… (\d+) of 200 characters left out\]\n\d*6789$/],
    [{ max_chars: 80, marker: "<cut {omitted}/{total}>" }, /^\d+\n<cut (\d+)\/200>$/],
    [{ max_chars: 80, marker: "<cut>" }, /^\d+\n<cut> \((\d+) of 200 characters\)$/],
  ])("%j", (parameters, pattern) => {
    const text = cut(long, parameters);
    const omitted = Number(pattern.exec(text)?.[1]);
    expect(text).toMatch(pattern);
    expect(count(text)).toBeLessThanOrEqual(80);
    const kept = text
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .join("");
    expect(omitted).toBe(200 - kept.length);
    expect(cut(text, parameters)).toBe(text);
  });
  it.each([
    ["short text", "short", { max_chars: 5 }, "short"],
    ["text of astral characters that fits", "😀".repeat(5), { max_chars: 5 }, "😀".repeat(5)],
    ["a bound smaller than the marker", long, { max_chars: 3 }, "[… "],
  ])("%s", (_, text, parameters, expected) => expect(cut(text, parameters)).toBe(expected));

  it("keeps within the bound, never splits a character and settles at once", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n"), maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        fc.constantFrom("head", "tail", "both"),
        (text, max_chars, keep) => {
          const out = cut(text, { max_chars, keep });
          expect(count(out)).toBeLessThanOrEqual(max_chars);
          expect((out as string & { isWellFormed(): boolean }).isWellFormed()).toBe(true);
          expect(cut(out, { max_chars, keep })).toBe(out);
          if (count(text) <= max_chars) expect(out).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("is about tool results by default, by any name of the role, as text or parts", () => {
    const messages = ["tool_result", "tool", "toolResult", "user"].map((role) => ({ role, content: long, text: "ok" }));
    const out = transform(
      "truncate",
      { messages: [...messages, { role: "user", content: [{ type: "tool_result", content: long }] }] },
      { max_chars: 50 },
    ).messages as { content: string }[];
    expect(out.map((m) => typeof m.content === "string" && count(m.content) <= 50)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(out[3]).toBe(messages[3]);
  });
  it("takes the messages that `where` holds for", () => {
    const messages = [
      { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: long }] }] },
      { role: "tool_result", content: long },
    ];
    const asked: unknown[] = [];
    const out = transform(
      "truncate",
      { messages },
      { max_chars: 50, where: true },
      { test: (name, message) => (asked.push(name), (message as { role: string }).role === "user") },
    );
    expect(asked).toEqual(["where", "where"]);
    expect(out.messages?.[1]).toBe(messages[1]);
    expect(JSON.stringify(out.messages?.[0]).length).toBeLessThan(150);
  });
  it("gives the payload itself back when nothing is too long, and leaves images alone", () => {
    const payload = {
      content: [
        { type: "image", data: long },
        { type: "text", text: "x" },
      ],
      messages: [{ role: "tool_result", content: "x" }],
    };
    expect(transform("truncate", payload, { max_chars: 50 })).toBe(payload);
  });
  it("passes on the error of its condition", () => {
    const error = new EvaluationError("HW502", "no");
    expect(outcome("truncate", { messages: [{}] }, { max_chars: 5, where: true }, { test: () => error })).toBe(error);
    expect(outcome("truncate", {}, {})).toMatchObject({ code: "HW502" });
  });
});

describe("drop", () => {
  const messages = [
    { role: "custom", custom_type: "debug-only" },
    { role: "user" },
    { role: "custom", custom_type: "other" },
  ];
  const debugOnly = (_: string, message: unknown): boolean =>
    (message as { custom_type?: string }).custom_type === "debug-only";
  it("removes the messages that `where` holds for (seed omp-authoring-hooks)", () => {
    expect(transform("drop", { messages }, { where: true }, { test: debugOnly }).messages).toEqual(messages.slice(1));
  });
  it.each([
    ["nothing matches", { messages }],
    ["there are no messages", { text: "x" }],
  ])("gives the payload itself back when %s", (_, payload) => {
    expect(transform("drop", payload, { where: true }, { test: () => false })).toBe(payload);
  });
  it("tells the code of an error and nothing of the message", () => {
    const result = outcome(
      "drop",
      { messages },
      { where: true },
      { test: () => new EvaluationError("HW503", "at secret-value") },
    );
    expect(result).toMatchObject({ code: "HW503" });
    expect((result as EvaluationError).message).not.toContain("secret-value");
  });
});

describe("inject", () => {
  const deliver = (parameters: object, parts = {}) =>
    actions
      .get("inject")
      ?.deliver?.({}, parameters, context({ text: (name) => (name === "content" ? "Run the tests." : "?"), ...parts }));
  it("delivers a message with its defaults", () => {
    expect(deliver({ content: true })).toEqual({
      rule: "p/r",
      as: "message",
      content: "Run the tests.",
      custom_type: "hookwarden",
      display: true,
    });
  });
  it("takes its parameters", () => {
    expect(deliver({ as: "system", custom_type: "note", display: false })).toMatchObject({
      as: "system",
      custom_type: "note",
      display: false,
    });
    expect(deliver({ as: "append" })).toMatchObject({ as: "append" });
  });
  it("asks the session for `once`, only when there is text", () => {
    const scopes: string[] = [];
    const once = (scope: string) => (scopes.push(scope), scopes.length === 1);
    expect(deliver({ once: "session" }, { once })).toBeDefined();
    expect(deliver({ once: "turn" }, { once })).toBeUndefined();
    expect(deliver({ once: "turn" }, { once, text: () => "" })).toBeUndefined();
    expect(deliver({}, { once })).toBeDefined();
    expect(scopes).toEqual(["session", "turn"]);
  });
  it("cuts text over the bound, between characters", () => {
    const content = deliver({}, { text: () => `a${"😀".repeat(10_000)}` })?.content as string;
    expect(content.length).toBe(16_383);
    expect(content.endsWith("😀")).toBe(true);
  });
});

describe("seed omp-authoring-hooks", () => {
  it("context filter: tool messages are shortened at 8000 characters, all else stays", () => {
    const long = "x".repeat(9_000);
    const messages = [
      {
        role: "tool",
        content: [
          { type: "text", text: long },
          { type: "image", data: "aa" },
        ],
      },
      { role: "user", content: [{ type: "text", text: long }] },
    ];
    const out = transform("truncate", { messages }, { max_chars: 8_000, marker: "[... truncated by context-filter]" })
      .messages as typeof messages;
    const text = out[0]?.content[0]?.text as string;
    expect(text).toMatch(/^x+\n\[\.\.\. truncated by context-filter\] \(\d+ of 9000 characters\)$/);
    expect(text.length).toBe(8_000);
    expect(out[0]?.content[1]).toBe(messages[0]?.content[1]);
    expect(out[1]).toBe(messages[1]);
  });
  it("rm-rf blocker: block and ask are guards with nothing to run", () => {
    for (const name of ["block", "ask"]) expect(actions.get(name)).toEqual({ name, kind: "guard" });
  });
});

describe("shapes", () => {
  it("describe every action and nothing else", () => {
    expect(Object.keys(actionShapes).sort()).toEqual([...actions.keys()].sort());
  });
  it.each(Object.entries(actionShapes))("%s is complete and consistent", (name, shape) => {
    expect(shape.kind).toBe(actions.get(name)?.kind);
    expect(shape.doc).toMatch(/^[A-Z].*\.$/);
    expect(shape.example).toContain(name);
    expect(shape.events.length).toBeGreaterThan(0);
    for (const event of shape.events) expect(canonicalEvent(event)).toBe(event);
    for (const parameter of shape.parameters) {
      expect(parameter.doc).toMatch(/\.$/);
      expect(parameter.type.startsWith("choice")).toBe(parameter.values !== undefined);
      if (parameter.default !== undefined && parameter.values) expect(parameter.values).toContain(parameter.default);
      if (parameter.required) expect(parameter.default).toBeUndefined();
    }
    for (const one of shape.oneOf ?? []) expect(shape.parameters.map((p) => p.name)).toContain(one);
  });
  it("use the engine of the context", () => {
    const engine = createRegexEngine({ prefer: "re2js" });
    expect(
      transform("redact", { text: "abc" }, { patterns: [{ name: "b", regex: "b" }] }, { regex: engine }).text,
    ).toBe("a[REDACTED:b]c");
  });
});
