import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../adapters/one-shot/claude-code.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

const base = { session_id: "s1", transcript_path: "/t", cwd: "/w", permission_mode: "default" };
const bash: Payload = {
  ...base,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "cat notes.txt", description: "d" },
  tool_use_id: "c1",
};
const resultOf = (tool_name: string, tool_response: unknown): Payload => ({
  ...bash,
  hook_event_name: "PostToolUse",
  tool_name,
  tool_response,
});
const bashResult = resultOf("Bash", {
  stdout: "key=KEY\nrest",
  stderr: "",
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});
const readResult = resultOf("Read", {
  type: "text",
  file: { filePath: "/w/notes.txt", content: "key=KEY", numLines: 1, startLine: 1, totalLines: 1 },
});
const mcpResult = resultOf("mcp__fs__read", [{ type: "text", text: "key=KEY" }]);
const event = (name: string, more: Payload = {}): Payload => ({ ...base, hook_event_name: name, ...more });

describe("Claude Code's payloads", () => {
  it.each([
    ["PreToolUse", bash, "tool_call", { tool: "Bash", call_id: "c1", args: bash["tool_input"] }],
    ["UserPromptSubmit", event("UserPromptSubmit", { prompt: "hi" }), "input", { text: "hi" }],
    ["SessionStart", event("SessionStart", { source: "resume" }), "session_start", { reason: "resume" }],
    ["SessionEnd", event("SessionEnd", { reason: "clear" }), "session_shutdown", { reason: "clear" }],
    [
      "Stop",
      event("Stop", { stop_hook_active: true, last_assistant_message: "done" }),
      "stop",
      { active: true, last_message: "done" },
    ],
    ["SubagentStart", event("SubagentStart", { agent_type: "x" }), "subagent_start", { agent_type: "x" }],
    ["SubagentStop", event("SubagentStop"), "subagent_stop", { active: false }],
    ["PreCompact", event("PreCompact", { trigger: "auto" }), "session_before_compact", { trigger: "auto" }],
    ["PostCompact", event("PostCompact"), "session_compact", {}],
  ])("%s is the event of the table", (_, payload, name, expected) => {
    expect(claudeCode.read(payload)).toMatchObject({ event: name, payload: expected, session: "s1", cwd: "/w" });
  });

  it("name the sub-agent that acts", () => {
    const call = claudeCode.read({ ...bash, agent_id: "a1", agent_type: "Explore" });
    expect(call).toMatchObject({ agent: { id: "a1", type: "Explore" } });
  });

  it("of events that no rule is about are ignored", () => {
    for (const name of ["Notification", "PermissionRequest", "ConfigChange", "toString", "__proto__"])
      expect(claudeCode.read(event(name))).toBe("ignored");
  });

  it.each([
    ["no event", { ...base }],
    ["a call without a tool", { ...bash, tool_name: 1 }],
    ["a call without arguments", { ...bash, tool_input: null }],
    ["a prompt without a text", event("UserPromptSubmit")],
  ])("with %s cannot be judged", (_, payload) => {
    expect(claudeCode.read(payload)).toHaveProperty("unreadable");
  });
});

describe("Claude Code's replies to a call", () => {
  const specific = (fields: Payload) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

  it("say nothing where nothing is to be said", () => {
    expect(said(claudeCode, bash, decision()).reply).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  it("deny with rule and reason", () => {
    const { document, reply } = said(claudeCode, bash, blocked);
    expect(document).toEqual(
      specific({
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringMatching(/^Blocked by hookwarden \(rule p\/no\): not this/),
      }),
    );
    expect(reply.exitCode).toBe(2);
  });

  it("ask the host's human", () => {
    expect(said(claudeCode, bash, asked).document).toEqual(
      specific({ permissionDecision: "ask", permissionDecisionReason: "hookwarden asks (p/ask): Really?" }),
    );
  });

  it("leave the host's own prompt alone, unless a rule says that it may be skipped", () => {
    const open = decision({ answered: "rule", matched: [{ rule: "p/ok", outcome: "allow" }] });
    expect(said(claudeCode, bash, open).document).toBeUndefined();
    expect(said(claudeCode, bash, open, { skipPrompt: true }).document).toEqual(
      specific({ permissionDecision: "allow" }),
    );
  });

  it("give the whole new arguments, and a note", () => {
    const args = { command: "echo hello" };
    const changes = { args, message: noted.changes.message } as NonNullable<typeof noted.changes>;
    expect(said(claudeCode, bash, decision({ changes })).document).toEqual(
      specific({ updatedInput: args, additionalContext: "mind the gap" }),
    );
  });

  it("tell the human what rules say", () => {
    const made = decision({ notices: [{ rule: "p/n", level: "info", message: "look" }] });
    expect(said(claudeCode, bash, made).document).toEqual({ systemMessage: "look [p/n]" });
  });
});

describe("Claude Code's redacted results", () => {
  const redacted = (payload: Payload) => {
    const content = changedContent(claudeCode, payload, (text) => text.replace("KEY", "***"));
    const { document } = said(claudeCode, payload, decision({ changes: { content } }));
    return (document as { hookSpecificOutput: Payload }).hookSpecificOutput["updatedToolOutput"];
  };

  it.each([
    ["Bash", bashResult],
    ["Read", readResult],
    ["MCP", mcpResult],
    ["text", resultOf("Other", "key=KEY")],
    ["a deep shape", resultOf("Other", { a: [{ b: { c: "key=KEY", n: 3 } }], type: "KEY-form" })],
  ])("keep the shape of %s", (_, payload) => {
    const given = payload["tool_response"];
    const expected = JSON.parse(JSON.stringify(given).replaceAll("key=KEY", "key=***"));
    expect(redacted(payload)).toEqual(expected);
  });

  it.each([
    ["Bash", bashResult, { stdout: "gone", stderr: "", interrupted: false }],
    ["Read", readResult, { type: "text", file: { content: "gone", filePath: "", numLines: 1 } }],
    ["MCP", mcpResult, [{ type: "text", text: "gone" }]],
  ])("that are withheld keep the shape of %s, and nothing of the text", (_, payload, expected) => {
    const made = decision({ changes: { content: [{ type: "text", text: "gone" }], details: null, structured: null } });
    const { document } = said(claudeCode, payload, made);
    expect(document).toMatchObject({ hookSpecificOutput: { updatedToolOutput: expected } });
    expect(JSON.stringify(document)).not.toContain("KEY");
  });

  it("carry an image as an image", () => {
    const image = { type: "image", file: { base64: "AAAA", type: "image/png", originalSize: 3 } };
    const call = claudeCode.read(resultOf("Read", image));
    expect(call).toMatchObject({
      payload: { result: { content: [{ type: "image", data: "AAAA", mime_type: "image/png" }] } },
    });
  });

  it("append what is added to the main text", () => {
    const content = [...changedContent(claudeCode, bashResult, (text) => text), { type: "text", text: "added" }];
    const { document } = said(claudeCode, bashResult, decision({ changes: { content } }));
    expect(document).toMatchObject({ hookSpecificOutput: { updatedToolOutput: { stdout: "key=KEY\nrest\nadded" } } });
  });

  it("cannot be had of a failed call, whose text the host passes as it is", () => {
    const failed = { ...bash, hook_event_name: "PostToolUseFailure", error: "key=KEY" };
    expect(claudeCode.read(failed)).toMatchObject({ payload: { result: { is_error: true } } });
    const content = changedContent(claudeCode, failed, () => "***");
    expect(said(claudeCode, failed, decision({ changes: { content } })).document).toBeUndefined();
    expect(said(claudeCode, failed, noted).document).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "mind the gap" },
    });
  });
});

describe("Claude Code's replies to other events", () => {
  const prompt = event("UserPromptSubmit", { prompt: "hi KEY" });

  it.each([
    ["a blocked prompt", prompt, blocked, { decision: "block", reason: expect.stringContaining("not this") }],
    [
      "a prompt that a human should allow",
      prompt,
      asked,
      { decision: "block", reason: expect.stringMatching(/HW510/) },
    ],
    [
      "a prompt that a rule rewrites",
      prompt,
      decision({ changes: { text: "hi ***" }, matched: [{ rule: "p/hide", outcome: "redact" }] }),
      { decision: "block", reason: expect.stringContaining("p/hide") },
    ],
    [
      "a prompt with a note",
      prompt,
      noted,
      { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "mind the gap" } },
    ],
    [
      "a session's start with a note",
      event("SessionStart"),
      noted,
      { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "mind the gap" } },
    ],
    ["a refused stop", event("Stop"), blocked, { decision: "block", reason: expect.stringContaining("not this") }],
    ["an allowed stop", event("Stop"), decision(), undefined],
  ])("%s", (_, payload, made, expected) => {
    expect(said(claudeCode, payload, made).document).toEqual(expected);
  });

  it("refuse a compaction by exit code", () => {
    const { reply } = said(claudeCode, event("PreCompact"), blocked);
    expect(reply).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not this") });
  });
});

describe("Claude Code's replies to our own faults", () => {
  it("deny a call by document and by exit code", () => {
    const { document, reply } = parsed(claudeCode.fault("PreToolUse", "broken"));
    expect(document).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "broken",
      },
    });
    expect(reply).toMatchObject({ exitCode: 2, stderr: "broken\n" });
  });

  it.each([
    ["Bash", bashResult],
    ["Read", readResult],
    ["MCP", mcpResult],
  ])("withhold a result of %s, with exit 0, since exit 2 would only add to it", (_, payload) => {
    const { document, reply } = parsed(claudeCode.fault("PostToolUse", "broken", payload));
    expect(reply.exitCode).toBe(0);
    expect(JSON.stringify(document)).toContain("broken");
    expect(JSON.stringify(document)).not.toContain("KEY");
  });

  it("block what cannot be named, and let the agent stop", () => {
    expect(claudeCode.fault("", "broken")).toEqual({ stdout: "", stderr: "broken\n", exitCode: 2 });
    expect(parsed(claudeCode.fault("Stop", "broken"))).toMatchObject({
      document: { systemMessage: "broken" },
      reply: { exitCode: 0 },
    });
  });
});
