import { describe, expect, it } from "vitest";
import { copilot } from "../../../adapters/one-shot/copilot.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { callerOf, dialects } from "../../../adapters/one-shot/registry.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

// Payloads as copilot 1.0.102 sent them in a headless run.
const camel = { sessionId: "s1", timestamp: 1795317759422, cwd: "/w" };
const pascal = { session_id: "s1", timestamp: "2026-11-22T03:23:20.024Z", cwd: "/w" };
const before: Payload = { ...camel, toolName: "bash", toolArgs: { command: "ls", description: "look" } };
const after: Payload = { ...before, toolResult: { resultType: "success", textResultForLlm: "key=KEY" } };
const prompt: Payload = { ...camel, prompt: "hi" };
const transformed: Payload = { ...camel, prompt: "hi", transformedPrompt: "now\n\nhi" };
const stop: Payload = { ...camel, transcriptPath: "/t", stopReason: "end_turn", stop_hook_active: false };
const pascalBefore: Payload = {
  ...pascal,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};
const pascalAfter: Payload = {
  ...pascalBefore,
  hook_event_name: "PostToolUse",
  tool_result: { result_type: "success", text_result_for_llm: "key=KEY" },
};
const pascalStop: Payload = { ...pascal, hook_event_name: "Stop", transcript_path: "/t", stop_reason: "end_turn" };

describe("Copilot CLI's payloads, as recorded", () => {
  it.each([
    ["a call", before, "tool_call", { tool: "bash", args: { command: "ls", description: "look" } }],
    ["a call in Pascal case", pascalBefore, "tool_call", { tool: "Bash", args: { command: "ls" } }],
    ["a result", after, "tool_result", { tool: "bash", result: { content: [{ text: "key=KEY" }], is_error: false } }],
    ["a result in Pascal case", pascalAfter, "tool_result", { result: { content: [{ text: "key=KEY" }] } }],
    ["a failure", { ...before, error: "no such" }, "tool_result", { result: { is_error: true } }],
    ["arguments as JSON text", { ...before, toolArgs: '{"command":"ls"}' }, "tool_call", { args: { command: "ls" } }],
    ["arguments as other text", { ...before, toolArgs: "patch" }, "tool_call", { args: { input: "patch" } }],
    ["a tool of a server", { ...before, toolName: "my-fs-read_file" }, "tool_call", { tool: "mcp__my-fs__read_file" }],
    ["a prompt", prompt, "input", { text: "hi" }],
    [
      "a prompt in Pascal case",
      { ...pascal, hook_event_name: "UserPromptSubmit", prompt: "hi" },
      "input",
      { text: "hi" },
    ],
    ["a prompt about to be sent", transformed, "before_agent_start", { prompt: "now\n\nhi" }],
    ["a start", { ...camel, source: "new", initialPrompt: "hi" }, "session_start", { reason: "new" }],
    ["an end", { ...camel, reason: "complete" }, "session_shutdown", { reason: "complete" }],
    ["a stop", stop, "stop", { active: false }],
    ["a stop in Pascal case", pascalStop, "stop", { active: false }],
    ["a sub-agent", { ...camel, agentName: "explore" }, "subagent_start", { agent_type: "explore" }],
    ["a sub-agent's stop", { ...camel, agentName: "explore", stopReason: "end_turn" }, "subagent_stop", {}],
    ["a compaction", { ...camel, trigger: "auto" }, "session_before_compact", { trigger: "auto" }],
  ])("%s is read", (_, payload, event, fields) => {
    expect(copilot.read(payload)).toMatchObject({ event, session: "s1", cwd: "/w", payload: fields });
  });

  it.each([
    ["a request for permission", { ...camel, hookName: "permissionRequest", toolName: "bash", toolInput: {} }],
    ["a notification", { ...camel, message: "m", title: "t" }],
    ["an error", { ...camel, error: { message: "m" } }],
    ["another event of its own", { ...pascal, hook_event_name: "Notification" }],
  ])("%s is nobody's business", (_, payload) => {
    expect(copilot.read(payload)).toBe("ignored");
  });

  it.each([
    ["nothing telling", { ...camel }, ""],
    ["a call without arguments", { ...camel, toolName: "bash", toolArgs: 7 }, "preToolUse"],
    ["a prompt that is no text", { ...camel, prompt: 7 }, "userPromptSubmitted"],
  ])("%s cannot be judged", (_, payload, name) => {
    expect(copilot.read(payload)).toEqual({ unreadable: expect.any(String), name });
  });

  it.each([before, after, prompt, stop, pascalBefore, pascalAfter, pascalStop])(
    "are known as its own %#",
    (payload) => {
      expect(copilot.claims(payload, {})).toBe(true);
    },
  );

  it.each([
    ["Claude Code's", { hook_event_name: "PreToolUse", session_id: "s", permission_mode: "default" }],
    ["VS Code's", { ...pascal, hook_event_name: "PreToolUse", transcript_path: "/t", tool_use_id: "c" }],
    ["Cursor's", { ...pascal, hook_event_name: "preToolUse", conversation_id: "c" }],
    ["Gemini's", { ...pascal, hook_event_name: "BeforeTool", transcript_path: "/t" }],
  ])("are not %s", (_, payload) => {
    expect(copilot.claims(payload, {})).toBe(false);
  });

  it("are answered in its dialect where it reads Claude Code's files", () => {
    const claude = dialects["claude-code"];
    expect(claude && callerOf(claude, pascalBefore, {})).toBe(copilot);
  });
});

const reason = expect.stringContaining("not this");

describe.each([
  ["camel", before, after, prompt, stop],
  ["Pascal", pascalBefore, pascalAfter, { ...pascal, hook_event_name: "UserPromptSubmit", prompt: "hi" }, pascalStop],
])("Copilot CLI's replies in %s case are flat", (_, call, result, submitted, stopping) => {
  it.each([
    ["block", call, blocked, { permissionDecision: "deny", permissionDecisionReason: reason }],
    ["ask", call, asked, { permissionDecision: "ask", permissionDecisionReason: expect.stringContaining("Really?") }],
    ["rewrite", call, decision({ changes: { args: { command: "x" } } }), { modifiedArgs: { command: "x" } }],
    ["add to a call", call, noted, { additionalContext: "mind the gap" }],
    ["add to a result", result, noted, { additionalContext: "mind the gap" }],
    ["refuse a prompt", submitted, blocked, { decision: "block", reason }],
    ["refuse a prompt that needs asking", submitted, asked, { decision: "block", reason: expect.any(String) }],
    ["rewrite a prompt", submitted, decision({ changes: { text: "***" } }), { modifiedPrompt: "***" }],
    ["add to a prompt", submitted, noted, { additionalContext: "mind the gap" }],
    ["refuse a stop", stopping, blocked, { decision: "block", reason }],
  ])("%s", (_name, payload, made, expected) => {
    const { document, reply } = said(copilot, payload as Payload, made);
    expect(document).toEqual(expected);
    expect(reply.exitCode).toBe(Object.hasOwn(expected, "permissionDecision") && made === blocked ? 2 : 0);
  });

  it("redact a result in its own shape", () => {
    const content = changedContent(copilot, result, (text) => text.replace("KEY", "***"));
    const { document } = said(copilot, result, decision({ changes: { content } }));
    expect(document).toEqual({ modifiedResult: { resultType: "success", textResultForLlm: "key=***" } });
  });

  it("say nothing to a plain allow, and skip the host's prompt only where a rule says so", () => {
    expect(said(copilot, call, decision()).reply.stdout).toBe("");
    expect(said(copilot, call, decision(), { skipPrompt: true }).document).toEqual({ permissionDecision: "allow" });
  });
});

describe("Copilot CLI's prompt about to be sent", () => {
  it("is replaced whole, with what is injected behind it", () => {
    const made = decision({ changes: { prompt: "***" } });
    expect(said(copilot, transformed, made).document).toEqual({ modifiedTransformedPrompt: "***" });
    expect(said(copilot, transformed, noted).document).toEqual({
      modifiedTransformedPrompt: "now\n\nhi\n\nmind the gap",
    });
  });
});

describe("a fault of ours on Copilot CLI", () => {
  it.each([
    ["a call", "preToolUse", before, { permissionDecision: "deny", permissionDecisionReason: "why" }, 2],
    [
      "a call of a name in Pascal case",
      "PreToolUse",
      pascalBefore,
      { permissionDecision: "deny", permissionDecisionReason: "why" },
      2,
    ],
    ["a result", "postToolUse", after, { modifiedResult: { resultType: "failure", textResultForLlm: "why" } }, 0],
    ["a prompt", "userPromptSubmitted", prompt, { decision: "block", reason: "why" }, 0],
    ["a prompt about to be sent", "userPromptTransformed", transformed, { modifiedTransformedPrompt: "why" }, 0],
    ["a stop", "agentStop", stop, undefined, 0],
    ["nobody knows what", "", {}, undefined, 2],
    [
      "a call known by its payload alone",
      "",
      before,
      { permissionDecision: "deny", permissionDecisionReason: "why" },
      2,
    ],
  ])("closes %s", (_, name, payload, expected, exitCode) => {
    const { document, reply } = parsed(copilot.fault(name, "why", payload));
    expect(document).toEqual(expected);
    expect(reply.exitCode).toBe(exitCode);
  });
});
