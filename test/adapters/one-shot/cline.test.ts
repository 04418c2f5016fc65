import { describe, expect, it } from "vitest";
import { cline } from "../../../adapters/one-shot/cline.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { asked, blocked, decision, noted, parsed, said } from "./decisions.ts";

// Recorded shapes of the source; not proven by a run.
const made = (hookName: string, more: Payload = {}): Payload => ({
  clineVersion: "3.0.0",
  hookName,
  timestamp: "1",
  taskId: "t1",
  workspaceRoots: ["/w"],
  userId: "u",
  ...more,
});
const call = { id: "c1", name: "execute_command", input: { command: "ls" } };
const legacy = { toolName: "execute_command", parameters: { command: "ls" } };
const before = made("PreToolUse", { tool_call: call, preToolUse: legacy });
const after = made("PostToolUse", { postToolUse: { ...legacy, result: "key=KEY", success: true } });
const prompt = made("UserPromptSubmit", { userPromptSubmit: { prompt: "hi" } });

describe("Cline's payloads, as its source has them", () => {
  it.each([
    [before, "tool_call", { tool: "execute_command", args: { command: "ls" }, call_id: "c1" }],
    [made("PreToolUse", { preToolUse: legacy }), "tool_call", { tool: "execute_command", args: { command: "ls" } }],
    [after, "tool_result", { result: { content: [{ text: "key=KEY" }], is_error: false } }],
    [
      made("PostToolUse", { tool_result: { ...call, output: "key=KEY", error: "no" } }),
      "tool_result",
      { result: { content: [{ text: "key=KEY" }], is_error: true } },
    ],
    [prompt, "input", { text: "hi" }],
    [made("UserPromptSubmit", { prompt: "hi" }), "input", { text: "hi" }],
    [made("TaskStart"), "session_start", { reason: "new" }],
    [made("TaskComplete"), "agent_end", {}],
    [made("SessionShutdown"), "session_shutdown", {}],
  ])("%# are read", (payload, event, fields) => {
    expect(cline.claims(payload, {})).toBe(true);
    expect(cline.read(payload)).toMatchObject({ event, session: "t1", cwd: "/w", payload: fields });
  });

  it("cannot be judged where the older form says another call", () => {
    const payload = made("PreToolUse", { tool_call: call, preToolUse: { ...legacy, parameters: { command: "echo" } } });
    expect(cline.read(payload)).toEqual({ unreadable: expect.stringContaining("preToolUse"), name: "PreToolUse" });
  });

  it.each<[string, unknown, Payload]>([
    ["run_commands", { commands: ["ls"] }, { command: "ls" }],
    ["run_commands", { commands: ["cd /", "ls"] }, { command: "cd /", commands: ["cd /", "ls"] }],
    ["run_commands", { commands: [{ command: "git", args: ["log", "a b"] }] }, { command: "'git' log 'a b'" }],
    ["run_commands", { command: "ls", args: ["-l"] }, { command: "'ls' -l" }],
    ["run_commands", { cmd: "ls" }, { command: "ls" }],
    ["run_commands", ["ls"], { command: "ls" }],
    ["run_commands", "ls", { command: "ls" }],
    ["read_files", { files: [{ path: "a" }, "b", { file_path: "c" }] }, { paths: ["a", "b", "c"] }],
    ["read_files", "a", { path: "a" }],
    ["fetch_web_content", { requests: [{ url: "https://a.example/", prompt: "x" }] }, { url: "https://a.example/" }],
    ["search_codebase", { queries: ["a", "b"] }, { pattern: "a|b" }],
    ["apply_patch", "*** Begin", { input: "*** Begin" }],
  ])("of its command line are read: %s %j", (name, input, args) => {
    const given = made("tool_call", { tool_call: { id: "c1", name, input } });
    expect(cline.read(given)).toMatchObject({ event: "tool_call", payload: { tool: name, args, call_id: "c1" } });
  });

  it.each<[string, unknown]>([
    ["run_commands", { commands: [1] }],
    ["run_commands", { commands: [] }],
    ["read_files", { files: [{}] }],
    ["apply_patch", 1],
  ])("that no tool takes cannot be judged: %s %j", (name, input) => {
    const given = made("tool_call", { tool_call: { id: "c1", name, input } });
    expect(cline.read(given)).toEqual({ unreadable: expect.any(String), name: "tool_call" });
  });

  it.each([
    ["agent_start", "session_start"],
    ["agent_resume", "session_start"],
    ["agent_end", "agent_end"],
    ["agent_abort", "agent_end"],
    ["agent_error", "error"],
    ["pre_compact", "session_before_compact"],
    ["session_shutdown", "session_shutdown"],
  ])("name their events as the command line does: %s", (name, event) => {
    expect(cline.read(made(name))).toMatchObject({ event });
  });

  it("put rewritten commands back into the shape that the tool takes, or refuse", () => {
    const given = (commands: readonly string[]) =>
      made("tool_call", { tool_call: { id: "c1", name: "run_commands", input: { commands } } });
    const changed = (args: Payload) => decision({ changes: { args } });
    expect(said(cline, given(["ls"]), changed({ command: "true" })).document).toEqual({
      cancel: false,
      overrideInput: { commands: ["true"] },
    });
    expect(said(cline, given(["a", "b"]), changed({ command: "true", commands: ["a", "b"] })).document).toMatchObject({
      cancel: true,
    });
  });

  it.each([
    [made("PreToolUse"), "PreToolUse"],
    [made("UserPromptSubmit"), "UserPromptSubmit"],
    [{ clineVersion: "3" }, ""],
  ])("%# cannot be judged", (payload, name) => {
    expect(cline.read(payload)).toEqual({ unreadable: expect.any(String), name });
  });
});

describe("Cline's replies leave with exit 0", () => {
  it.each([
    ["block", before, blocked, { cancel: true, errorMessage: expect.stringContaining("not this") }],
    [
      "block what needs asking",
      before,
      asked,
      { cancel: true, errorMessage: expect.stringContaining("only a human lets it run") },
    ],
    ["rewrite", before, decision({ changes: { args: { a: 1 } } }), { cancel: false, overrideInput: { a: 1 } }],
    ["add to a call", before, noted, { cancel: false, contextModification: "mind the gap" }],
    ["add to a result", after, noted, { cancel: false, contextModification: "mind the gap" }],
    [
      "end the task where a result could not be judged",
      after,
      blocked,
      { cancel: true, errorMessage: expect.any(String) },
    ],
    ["refuse a prompt", prompt, blocked, { cancel: true, errorMessage: expect.any(String) }],
    [
      "refuse a prompt that would be redacted",
      prompt,
      decision({ changes: { text: "***" } }),
      { cancel: true, errorMessage: expect.stringContaining("only as it is") },
    ],
    ["add at the start", made("TaskStart"), noted, { cancel: false, contextModification: "mind the gap" }],
    ["allow", before, decision(), { cancel: false }],
  ])("%s", (_, payload, decided, expected) => {
    const { document, reply } = said(cline, payload, decided);
    expect(document).toEqual(expected);
    expect(reply).toMatchObject({ exitCode: 0, stderr: "" });
  });

  it.each(["PreToolUse", "PostToolUse", "UserPromptSubmit", ""])("close a fault on `%s`, with exit 0 too", (name) => {
    const { document, reply } = parsed(cline.fault(name, "why"));
    expect(document).toEqual({ cancel: true, errorMessage: "why" });
    expect(reply.exitCode).toBe(0);
  });

  it("only tell of a fault where nothing can be refused", () => {
    expect(cline.fault("TaskComplete", "why")).toEqual({ stdout: "", stderr: "why\n", exitCode: 0 });
  });
});
