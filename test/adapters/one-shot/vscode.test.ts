import { describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { vscode } from "../../../adapters/one-shot/vscode.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

/** Both spellings that the documents have. */
const camel = { timestamp: "2026-11-22T00:00:00Z", cwd: "/w", sessionId: "s1", transcript_path: "/t" };
const snake = { timestamp: "2026-11-22T00:00:00Z", cwd: "/w", session_id: "s1", transcript_path: "/t" };
const call = { tool_name: "runTerminalCommand", tool_input: { command: "ls" }, tool_use_id: "c1" };
const before: Payload = { ...camel, hookEventName: "PreToolUse", ...call };
const after: Payload = { ...camel, hookEventName: "PostToolUse", ...call, tool_response: "key=KEY" };
const event = (hookEventName: string, more: Payload = {}): Payload => ({ ...camel, hookEventName, ...more });

describe("VS Code's payloads, as documented", () => {
  it.each([
    ["camel case", before],
    ["snake case", { ...snake, hook_event_name: "PreToolUse", ...call }],
  ])("are read in %s", (_, payload) => {
    expect(vscode.claims(payload, {})).toBe(true);
    expect(vscode.read(payload)).toMatchObject({
      event: "tool_call",
      session: "s1",
      cwd: "/w",
      payload: { tool: "runTerminalCommand", args: { command: "ls" }, call_id: "c1" },
    });
  });
});

describe("VS Code's replies, as documented", () => {
  it.each([
    ["deny", before, blocked, { permissionDecision: "deny", permissionDecisionReason: expect.any(String) }],
    ["ask", before, asked, { permissionDecision: "ask", permissionDecisionReason: expect.any(String) }],
    ["add to a call", before, noted, { additionalContext: "mind the gap" }],
    ["rewrite", before, decision({ changes: { args: { command: "x" } } }), { updatedInput: { command: "x" } }],
    [
      "refuse a stop in the event's own part",
      event("Stop"),
      blocked,
      { decision: "block", reason: expect.any(String) },
    ],
  ])("%s", (_, payload, made, expected) => {
    const { document } = said(vscode, payload, made);
    expect(document).toEqual({ hookSpecificOutput: { hookEventName: payload["hookEventName"], ...expected } });
  });

  it("object to a result that they cannot replace", () => {
    const content = changedContent(vscode, after, () => "***");
    const { document } = said(vscode, after, decision({ changes: { content } }));
    expect(document).toMatchObject({ decision: "block", reason: expect.stringContaining("only as it is") });
    expect(JSON.stringify(document)).not.toContain("updatedToolOutput");
  });

  it("refuse a sub-agent's stop at the top", () => {
    expect(said(vscode, event("SubagentStop"), blocked).document).toMatchObject({ decision: "block" });
  });

  it("refuse a prompt by document and by exit code", () => {
    const { document, reply } = said(vscode, event("UserPromptSubmit", { prompt: "hi" }), blocked);
    expect(document).toMatchObject({ continue: false });
    expect(reply).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("not this") });
  });

  it("refuse a call at our own faults", () => {
    const { document, reply } = parsed(vscode.fault("PreToolUse", "broken"));
    expect(document).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    expect(reply.exitCode).toBe(2);
  });
});
