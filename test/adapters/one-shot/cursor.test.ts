import { describe, expect, it } from "vitest";
import { cursor } from "../../../adapters/one-shot/cursor.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { callerOf, dialects } from "../../../adapters/one-shot/registry.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

// Recorded shapes of the documents; not proven by a run.
const made = (hook_event_name: string, more: Payload = {}): Payload => ({
  conversation_id: "c1",
  generation_id: "g1",
  model: "m",
  hook_event_name,
  cursor_version: "2.1",
  workspace_roots: ["/w"],
  user_email: "u@example.com",
  transcript_path: null,
  ...more,
});
const tool = { tool_name: "Write", tool_input: { file_path: "/w/a", content: "x" }, tool_use_id: "t1" };
const before = made("preToolUse", tool);
const shell = made("beforeShellExecution", { command: "ls", cwd: "/w" });
const mcp = made("beforeMCPExecution", { tool_name: "list", tool_input: '{"path":"a"}', command: "server" });
const file = made("beforeReadFile", { file_path: "/w/a", content: "key=KEY" });
const after = made("postToolUse", { ...tool, tool_output: '{"output":"key=KEY"}' });
const mcpAfter = made("postToolUse", {
  tool_name: "MCP:list",
  tool_input: "{}",
  tool_output: '{"content":[{"type":"text","text":"key=KEY"}]}',
});
const prompt = made("beforeSubmitPrompt", { prompt: "hi" });

describe("Cursor's payloads, as documented", () => {
  it.each([
    [before, "tool_call", { tool: "Write", args: { file_path: "/w/a", content: "x" }, call_id: "t1" }],
    [made("preToolUse", { ...tool, tool_input: '{"a":1}' }), "tool_call", { args: { a: 1 } }],
    [made("preToolUse", { ...tool, tool_input: "not { json" }), "tool_call", { args: { input: "not { json" } }],
    [shell, "tool_call", { tool: "bash", args: { command: "ls", cwd: "/w" } }],
    [mcp, "tool_call", { tool: "mcp__cursor__list", args: { path: "a" } }],
    [file, "tool_call", { tool: "read", args: { path: "/w/a" } }],
    [after, "tool_result", { result: { content: [{ text: "key=KEY" }], is_error: false } }],
    [mcpAfter, "tool_result", { tool: "mcp__cursor__list", result: { content: [{ text: "key=KEY" }] } }],
    [made("postToolUseFailure", { ...tool, error_message: "no" }), "tool_result", { result: { is_error: true } }],
    [prompt, "input", { text: "hi" }],
    [made("sessionStart"), "session_start", {}],
    [made("stop", { status: "completed", loop_count: 1 }), "stop", { active: true }],
    [made("afterAgentResponse", { text: "done" }), "message_end", { message: { role: "assistant" } }],
    [made("PreToolUse", tool), "tool_call", { tool: "Write" }],
  ])("%# are read", (payload, event, fields) => {
    expect(cursor.claims(payload, {})).toBe(true);
    expect(cursor.read(payload)).toMatchObject({ event, session: "c1", cwd: "/w", payload: fields });
  });

  it("of a file bring its text along, which is judged as a result", () => {
    expect(cursor.read(file)).toMatchObject({
      also: { event: "tool_result", payload: { tool: "read", result: { content: [{ text: "key=KEY" }] } } },
    });
  });

  it.each(["afterAgentThought", "afterFileEdit", "afterShellExecution", "workspaceOpen"])("`%s` is ignored", (name) => {
    expect(cursor.read(made(name))).toBe("ignored");
  });

  it.each([
    [made("preToolUse"), "preToolUse"],
    [made("beforeShellExecution"), "beforeShellExecution"],
    [{ conversation_id: "c1" }, ""],
  ])("%# cannot be judged", (payload, name) => {
    expect(cursor.read(payload)).toEqual({ unreadable: expect.any(String), name });
  });

  it("are answered in its dialect where it reads Claude Code's files", () => {
    const claude = dialects["claude-code"];
    expect(claude && callerOf(claude, made("PreToolUse", tool), {})).toBe(cursor);
  });
});

const denied = (text: string): Payload => ({
  permission: "deny",
  user_message: expect.stringContaining(text),
  agent_message: expect.stringContaining(text),
});

describe("Cursor's replies, as documented, are always a document", () => {
  const rewritten = decision({ changes: { args: { command: "x" } } });
  it.each([
    ["block", before, blocked, denied("not this")],
    ["block a shell command", shell, blocked, denied("not this")],
    ["ask before a shell command", shell, asked, { ...denied("Really?"), permission: "ask" }],
    ["ask before a call of a server", mcp, asked, { ...denied("Really?"), permission: "ask" }],
    ["block what needs asking anywhere else", before, asked, denied("only a human lets it run")],
    ["block a read that needs asking", file, asked, denied("only a human lets it run")],
    ["rewrite", before, rewritten, { updated_input: { command: "x" } }],
    ["block a shell command that would be rewritten", shell, rewritten, denied("only as it is")],
    ["read a file", file, decision(), { permission: "allow" }],
    ["not read a file that would be redacted", file, decision({ changes: { content: [] } }), denied("only as it is")],
    ["allow without a grant", before, decision(), {}],
    ["take a prompt", prompt, decision(), { continue: true }],
    ["refuse a prompt", prompt, blocked, { continue: false, user_message: expect.stringContaining("not this") }],
    [
      "refuse a prompt that would be redacted",
      prompt,
      decision({ changes: { text: "***" } }),
      { continue: false, user_message: expect.stringContaining("only as it is") },
    ],
    ["add to a result", after, noted, { additional_context: "mind the gap" }],
    ["add at the start", made("sessionStart"), noted, { additional_context: "mind the gap" }],
    ["go on after a stop", made("stop"), blocked, { followup_message: expect.stringContaining("not this") }],
    ["let it stop", made("stop"), decision(), {}],
  ])("%s", (_, payload, decided, expected) => {
    const { document, reply } = said(cursor, payload, decided);
    expect(document).toEqual(expected);
    expect(reply.exitCode).toBe(0);
  });

  it("skip the host's prompt only where a rule says so", () => {
    expect(said(cursor, shell, decision(), { skipPrompt: true }).document).toEqual({ permission: "allow" });
  });

  it("redact the result of a server in its own shape", () => {
    const content = changedContent(cursor, mcpAfter, (text) => text.replace("KEY", "***"));
    const { document } = said(cursor, mcpAfter, decision({ changes: { content } }));
    expect(document).toEqual({ updated_mcp_tool_output: { content: [{ type: "text", text: "key=***" }] } });
  });

  it("have no way to redact another result", () => {
    const content = changedContent(cursor, after, () => "***");
    expect(said(cursor, after, decision({ changes: { content } })).document).toEqual({});
  });

  it("keep a text within what the host takes", () => {
    const long = decision({ changes: { message: { custom_type: "n", content: "a".repeat(20_000), display: false } } });
    const { document } = said(cursor, after, long);
    expect((document as { additional_context: string }).additional_context).toHaveLength(10_000);
  });
});

describe("a fault of ours on Cursor", () => {
  it.each([
    ["preToolUse", denied("why"), 2],
    ["beforeShellExecution", denied("why"), 2],
    ["beforeMCPExecution", denied("why"), 2],
    ["beforeReadFile", denied("why"), 2],
    ["beforeSubmitPrompt", { continue: false, user_message: "why" }, 2],
    ["postToolUse", { updated_mcp_tool_output: { content: [{ type: "text", text: "why" }] } }, 0],
    ["stop", {}, 0],
    ["", undefined, 2],
  ])("closes `%s`", (name, expected, exitCode) => {
    const { document, reply } = parsed(cursor.fault(name, "why"));
    expect(document).toEqual(expected);
    expect(reply.exitCode).toBe(exitCode);
  });
});
