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

  it("that is empty says nothing", () => {
    expect(readHookAnswer(" \n")).toEqual({ warnings: [] });
  });

  it("in malformed JSON decides nothing and is warned of", () => {
    const answer = readHookAnswer('{"decision":"deny"');
    expect(answer.decision).toBeUndefined();
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
