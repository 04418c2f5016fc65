import { describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { goose } from "../../../adapters/one-shot/goose.ts";
import { asked, blocked, decision, noted, parsed, said } from "./decisions.ts";

// Recorded shapes of the documents; not proven by a run.
const made = (event: string, more: Payload = {}): Payload => ({
  event,
  session_id: "s1",
  matcher_context: "",
  working_dir: "/w",
  ...more,
});
const call = { tool_name: "developer__shell", tool_input: { command: "ls" }, tool_call_id: "c1" };
const before = made("PreToolUse", call);
const stop = made("Stop", { message: "done" });

describe("Goose's payloads, as documented", () => {
  it.each([
    [before, "tool_call", { tool: "developer__shell", args: { command: "ls" }, call_id: "c1" }],
    [made("PreToolUse", { ...call, tool_name: "github__list" }), "tool_call", { tool: "mcp__github__list" }],
    [made("PostToolUse", { ...call, tool_output: "text" }), "tool_result", { result: { content: [{ text: "text" }] } }],
    [made("PostToolUseFailure", { ...call, message: "no" }), "tool_result", { result: { is_error: true } }],
    [made("UserPromptSubmit", { message: "hi" }), "input", { text: "hi" }],
    [made("SessionStart"), "session_start", {}],
    [stop, "stop", { last_message: "done" }],
  ])("%# are read", (payload, event, fields) => {
    expect(goose.claims(payload, {})).toBe(true);
    expect(goose.read(payload)).toMatchObject({ event, session: "s1", cwd: "/w", payload: fields });
  });

  it.each(["BeforeReadFile", "BeforeShellExecution", "AfterFileEdit", "AfterShellExecution", "PreToolUseResult"])(
    "of `%s` are the same call once more",
    (event) => {
      expect(goose.read(made(event, call))).toBe("ignored");
    },
  );

  it.each([
    [made("PreToolUse", { tool_name: "x" }), "PreToolUse"],
    [{ session_id: "s1" }, ""],
  ])("%# cannot be judged", (payload, name) => {
    expect(goose.read(payload)).toEqual({ unreadable: expect.any(String), name });
  });
});

describe("Goose's replies, as documented", () => {
  it.each([
    ["block", before, blocked, { decision: "block", reason: expect.stringContaining("not this") }],
    [
      "block what needs asking",
      before,
      asked,
      { decision: "block", reason: expect.stringContaining("only a human lets it run") },
    ],
    [
      "block what would be rewritten",
      before,
      decision({ changes: { args: { command: "x" } } }),
      { decision: "block", reason: expect.stringContaining("only as it is") },
    ],
    ["allow in words, for silence may be a failure", before, decision(), { decision: "allow" }],
    ["allow though a text has no way", before, noted, { decision: "allow" }],
    ["refuse a stop", stop, blocked, { decision: "block", reason: expect.any(String) }],
    ["let it stop", stop, decision(), { decision: "allow" }],
  ])("%s", (_, payload, decided, expected) => {
    expect(said(goose, payload, decided).document).toEqual(expected);
  });

  it("are silent where nothing can be refused", () => {
    expect(said(goose, made("UserPromptSubmit", { message: "hi" }), blocked).reply.stdout).toBe("");
    expect(said(goose, made("PostToolUse", call), blocked).reply.stdout).toBe("");
  });

  it.each([
    ["PreToolUse", { decision: "block", reason: "why" }, 2],
    ["", { decision: "block", reason: "why" }, 2],
    ["Stop", { decision: "allow" }, 0],
    ["PostToolUse", undefined, 0],
  ])("close a fault on `%s`", (name, expected, exitCode) => {
    const { document, reply } = parsed(goose.fault(name, "why"));
    expect(document).toEqual(expected);
    expect(reply.exitCode).toBe(exitCode);
  });
});
