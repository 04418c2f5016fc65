import { describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { windsurf } from "../../../adapters/one-shot/windsurf.ts";
import { asked, blocked, decision, noted, said } from "./decisions.ts";

// Recorded shapes of the documents; not proven by a run.
const made = (agent_action_name: string, tool_info: Payload): Payload => ({
  agent_action_name,
  trajectory_id: "t1",
  execution_id: "e1",
  timestamp: "2026-11-22T00:00:00Z",
  tool_info,
});
const command = made("pre_run_command", { command_line: "ls", cwd: "/w" });
const prompt = made("pre_user_prompt", { user_prompt: "hi" });
const edits = [{ old_string: "a", new_string: "b" }];
const mcp = { mcp_server_name: "fs", mcp_tool_name: "read", mcp_tool_arguments: { path: "a" } };

describe("Windsurf's payloads, as documented", () => {
  it.each([
    [command, "tool_call", { tool: "bash", args: { command: "ls", cwd: "/w" } }],
    [made("pre_read_code", { file_path: "/w/a" }), "tool_call", { tool: "read", args: { path: "/w/a" } }],
    [
      made("pre_write_code", { file_path: "/w/a", edits }),
      "tool_call",
      { tool: "edit", args: { path: "/w/a", edits } },
    ],
    [
      made("pre_write_code", { file_path: "/w/a", edits: [{ old_string: "", new_string: "b" }] }),
      "tool_call",
      { tool: "write", args: { path: "/w/a", content: "b" } },
    ],
    [made("pre_mcp_tool_use", mcp), "tool_call", { tool: "mcp__fs__read", args: { path: "a" } }],
    [
      made("post_mcp_tool_use", { ...mcp, mcp_result: "text" }),
      "tool_result",
      { tool: "mcp__fs__read", result: { content: [{ type: "text", text: "text" }] } },
    ],
    [made("post_read_code", { file_path: "/w/a" }), "tool_result", { tool: "read", result: { content: [] } }],
    [prompt, "input", { text: "hi" }],
    [made("post_cascade_response", { response: "done" }), "message_end", { message: { role: "assistant" } }],
  ])("%# are read", (payload, event, fields) => {
    expect(windsurf.claims(payload, {})).toBe(true);
    expect(windsurf.read(payload)).toMatchObject({ event, session: "t1", payload: fields });
  });

  it.each([
    [made("pre_run_command", {}), "pre_run_command"],
    [{ tool_info: {} }, ""],
  ])("%# cannot be judged", (payload, name) => {
    expect(windsurf.read(payload)).toEqual({ unreadable: expect.any(String), name });
  });

  it("of the set-up of a worktree are nobody's business", () => {
    expect(windsurf.read(made("post_setup_worktree", {}))).toBe("ignored");
  });
});

describe("Windsurf's replies, as documented, are exit codes", () => {
  it.each([
    ["block a call", command, blocked, "not this"],
    ["block a call that needs asking", command, asked, "only a human lets it run"],
    [
      "block a call that would be rewritten",
      command,
      decision({ changes: { args: { command: "x" } } }),
      "only as it is",
    ],
    ["add to the reason of a block", command, { ...blocked, changes: noted.changes }, "mind the gap"],
    ["block a prompt", prompt, blocked, "not this"],
    ["block a prompt that would be redacted", prompt, decision({ changes: { text: "***" } }), "only as it is"],
  ])("%s", (_, payload, decided, text) => {
    const { reply } = said(windsurf, payload, decided);
    expect(reply).toEqual({ stdout: "", stderr: expect.stringContaining(text), exitCode: 2 });
  });

  it.each([
    ["a plain allow", command, decision()],
    ["a text that has no way", command, noted],
    ["what is over already", made("post_run_command", { command_line: "ls" }), blocked],
  ])("say nothing to %s", (_, payload, decided) => {
    expect(said(windsurf, payload, decided).reply).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it.each(["pre_run_command", "pre_user_prompt", "post_read_code", ""])("close a fault on `%s`", (name) => {
    expect(windsurf.fault(name, "why")).toEqual({ stdout: "", stderr: "why\n", exitCode: 2 });
  });
});
