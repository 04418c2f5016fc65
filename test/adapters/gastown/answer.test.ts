import { describe, expect, it } from "vitest";
import { readHookAnswer } from "../../../adapters/gastown/answer.ts";
import { limits } from "../../../schema/limits.ts";

const read = (value: unknown) => readHookAnswer(JSON.stringify(value));

describe("the output of a hook", () => {
  it("in JSON gives decision, reason, context and arguments", () => {
    const answer = { decision: "deny", reason: "no", additionalContext: "note", updatedInput: { a: 1 } };
    expect(read(answer)).toEqual({ decision: "deny", reason: "no", context: "note", input: { a: 1 }, warnings: [] });
  });

  it.each([["allow"], ["deny"], ["ask"]])("may decide %s", (decision) => {
    expect(read({ decision })).toEqual({ decision, warnings: [] });
  });

  it("may use the words and places of Claude Code", () => {
    expect(read({ decision: "block" }).decision).toBe("deny");
    expect(read({ decision: "approve" }).decision).toBe("allow");
    const inner = { permissionDecision: "deny", permissionDecisionReason: "r", additionalContext: "c" };
    expect(read({ hookSpecificOutput: inner })).toEqual({ decision: "deny", reason: "r", context: "c", warnings: [] });
  });

  it("that is no JSON is raw text for the model", () => {
    expect(readHookAnswer(" plain text\n")).toEqual({ output: "plain text", warnings: [] });
    expect(readHookAnswer('["a"]')).toEqual({ output: '["a"]', warnings: [] });
    expect(readHookAnswer('{"mail":3}')).toEqual({ output: '{"mail":3}', warnings: [] });
  });

  it("prefers additionalContext over the raw output", () => {
    expect(read({ additionalContext: "note" })).toEqual({ context: "note", warnings: [] });
    expect(read({ decision: "allow" })).toEqual({ decision: "allow", warnings: [] });
  });

  it.each([
    [
      { continue: false, stopReason: "frozen" },
      { decision: "deny", reason: "frozen" },
    ],
    [{ continue: false }, { decision: "deny" }],
    [
      { continue: false, decision: "approve", reason: "fine" },
      { decision: "deny", reason: "fine" },
    ],
    [{ continue: true }, {}],
    [{ continue: "false" }, {}],
    [
      { stopReason: "frozen", decision: "allow", reason: "fine" },
      { decision: "allow", reason: "fine" },
    ],
  ])("may stop in the words of Claude Code: %j", (given, expected) => {
    expect(read(given)).toEqual({ ...expected, warnings: [] });
  });

  it("may say a refusal in either place, and the strictest counts", () => {
    expect(read({ decision: "approve", hookSpecificOutput: { permissionDecision: "deny" } }).decision).toBe("deny");
    expect(read({ decision: "ask", hookSpecificOutput: { permissionDecision: "allow" } }).decision).toBe("ask");
  });

  it("holds the answer beside other text, which is left out with a warning", () => {
    const answer = readHookAnswer('Welcome\n{"decision":"ask","additionalContext":"note"}\ndone');
    expect(answer).toEqual({ decision: "ask", context: "note", warnings: [expect.stringContaining("text beside")] });
  });

  it("that answers more than once counts as its last answer, with the strictest decision", () => {
    const answer = readHookAnswer('{"decision":"deny","reason":"no"}{"decision":"allow","additionalContext":"b"}');
    expect(answer).toMatchObject({ decision: "deny", reason: "no", context: "b" });
    expect(answer.warnings).toEqual([expect.stringContaining("more than once")]);
  });

  it("that is empty says nothing", () => {
    expect(readHookAnswer(" \n")).toEqual({ warnings: [] });
  });

  it("in malformed JSON decides nothing and is warned of", () => {
    const answer = readHookAnswer('{"decision":"deny"');
    expect([answer.decision, answer.unread]).toEqual([undefined, true]);
    expect(readHookAnswer('{"mail":3')).toEqual({
      output: '{"mail":3',
      warnings: [expect.stringContaining("not valid JSON")],
    });
    expect(answer.warnings).toEqual([expect.stringContaining("not valid JSON")]);
  });

  it.each([
    ["decision", { decision: "perhaps" }],
    ["decision", { decision: ["deny"] }],
    ["decision", { decision: "toString" }],
    ["reason", { decision: "deny", reason: 5 }],
    ["additionalContext", { additionalContext: {} }],
    ["updatedInput", { updatedInput: "x" }],
    ["updatedInput", { updatedInput: ["x"] }],
  ])("with a %s of the wrong kind leaves it out with a warning", (field, value) => {
    const answer = read(value);
    expect(answer.warnings).toEqual([expect.stringContaining(field)]);
    expect(answer.input).toBeUndefined();
  });

  it("never gives __proto__, prototype and constructor, at any depth, and says so", () => {
    const answer = readHookAnswer(
      '{"updatedInput":{"__proto__":{"x":1},"prototype":1,"constructor":2,"keep":{"__proto__":3,"a":4}}}',
    );
    expect(answer.input).toEqual({ keep: { a: 4 } });
    expect(Object.hasOwn(answer.input ?? {}, "__proto__")).toBe(false);
    expect(answer.warnings).toEqual(["`__proto__` is ignored", "`prototype` is ignored", "`constructor` is ignored"]);
  });

  it("is cut to the bound of injected text", () => {
    expect(readHookAnswer("x".repeat(limits.injected + 5)).output).toHaveLength(limits.injected);
    expect(read({ additionalContext: "x".repeat(limits.injected + 5) }).context).toHaveLength(limits.injected);
  });

  it("nested too deep is malformed, and nothing throws", () => {
    expect(() => readHookAnswer(`{"a":${"[".repeat(60_000)}`)).not.toThrow();
  });
});

describe("a refusal in an output", () => {
  const escape = "\u001b";
  const wide = (order: "utf16le" | "utf16be"): string => {
    const bytes = Buffer.from('\ufeff{"decision":"deny"}', "utf16le");
    return (order === "utf16le" ? bytes : bytes.swap16()).toString("utf8");
  };

  it.each([
    ["in colours", `{${escape}[34;1m"decision"${escape}[0m${escape}[1m:${escape}[0m ${escape}[32m"deny"${escape}[0m}`],
    ["in colours by lines", `{\n  ${escape}[34m"decision"${escape}[0m:\n ${escape}[32m"deny"${escape}[0m\n}`],
    ["behind the title of a terminal", `${escape}]0;build${String.fromCharCode(7)}{"decision":"deny"}`],
    ["with a byte order mark", '\ufeff{"decision":"deny"}'],
    ["in UTF-16", wide("utf16le")],
    ["in UTF-16 the other way round", wide("utf16be")],
    ["with zero bytes in its key", '{"deci\u0000sion":"deny"}'],
  ])("is heard: %s", (_, output) => {
    expect(readHookAnswer(output).decision).toBe("deny");
  });

  it.each([
    ["under another object", '{"reason":"x","result":{"decision":"deny"}}'],
    ["under an approval", '{"decision":"allow","inner":{"permissionDecision":"deny"}}'],
    ["in the other place", '{"hookSpecificOutput":{"decision":"deny"}}'],
    ["before a second field of its name", '{"decision":"deny","decision":"allow"}'],
    ["before a second field with an escape in its name", '{"decision":"deny","decis\\u0069on":"allow"}'],
    [
      "before a second object of its name",
      '{"hookSpecificOutput":{"permissionDecision":"deny"},"hookSpecificOutput":{}}',
    ],
  ])("that its reading leaves out is no approval: %s", (_, output) => {
    expect(readHookAnswer(output).unread).toBe(true);
  });

  it.each([
    ["in a text of its arguments", { updatedInput: { content: '{"decision":"deny"}' } }],
    ["in a reason", { decision: "allow", reason: 'the rule "decision": "deny" is off' }],
    ["in a context", { additionalContext: "decision: ask the team" }],
  ])("is none where it only stands %s", (_, answer) => {
    expect(read(answer).unread).toBeUndefined();
  });
});
