import { describe, expect, it } from "vitest";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { gemini } from "../../../adapters/one-shot/gemini.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

const base = { session_id: "s1", transcript_path: "/t", cwd: "/w", timestamp: "2026-11-22T00:00:00Z" };
const event = (name: string, more: Payload = {}): Payload => ({ ...base, hook_event_name: name, ...more });
const shell = event("BeforeTool", {
  tool_name: "run_shell_command",
  tool_input: { command: "cat notes.txt", description: "d" },
});
const resultOf = (tool_response: Payload): Payload => ({ ...shell, hook_event_name: "AfterTool", tool_response });
const prompt = event("BeforeAgent", { prompt: "hi" });
const request = event("BeforeModel", {
  llm_request: {
    model: "m",
    messages: [
      { role: "user", content: "key=KEY" },
      { role: "model", content: "ok" },
      { role: "user", content: "more" },
    ],
    config: { temperature: 0 },
  },
});

describe("Gemini CLI's payloads", () => {
  it("name MCP tools as policies do, where the host says which server it is", () => {
    const mcp = {
      ...shell,
      tool_name: "mcp_my_files_read_it",
      mcp_context: { server_name: "my_files", tool_name: "read_it" },
    };
    expect(gemini.read(mcp)).toMatchObject({ payload: { tool: "mcp__my_files__read_it" } });
    expect(gemini.read({ ...mcp, mcp_context: { server_name: "my_files" } })).toMatchObject({
      payload: { tool: "mcp__my_files__read_it" },
    });
  });

  it("name MCP tools as policies do, where the host says nothing about the server", () => {
    const named = (tool_name: string): unknown => gemini.read({ ...shell, tool_name });
    expect(named("mcp_jira_delete_issue")).toMatchObject({ payload: { tool: "mcp__jira__delete_issue" } });
    expect(named("mcp_my-hub_get")).toMatchObject({ payload: { tool: "mcp__my-hub__get" } });
    for (const same of ["mcp__jira__get", "mcp_jira", "mcp_", "read_mcp_resource"])
      expect(named(same)).toMatchObject({ payload: { tool: same } });
  });

  it("say what the model gets of a result, and whether the call failed", () => {
    const failed = resultOf({ llmContent: [{ text: "a" }], returnDisplay: "for people", error: { message: "b" } });
    const call = gemini.read(failed);
    expect(call).toMatchObject({ event: "tool_result", payload: { result: { is_error: true } } });
    expect(JSON.stringify(call)).toContain('"text":"a"');
    expect(JSON.stringify((call as { payload: unknown }).payload)).not.toContain("for people");
  });

  it("give a prompt as an input and as the start of the agent", () => {
    expect(gemini.read(prompt)).toMatchObject({
      event: "input",
      payload: { text: "hi" },
      also: { event: "before_agent_start", payload: { prompt: "hi" } },
    });
  });

  it("give the texts of a model request as its context", () => {
    expect(gemini.read(request)).toMatchObject({
      event: "context",
      payload: { messages: [{ role: "user", ref: 0 }, { role: "assistant" }, { role: "user" }] },
    });
  });

  it("of events that no rule is about are ignored", () => {
    for (const name of ["AfterModel", "BeforeToolSelection", "Notification"])
      expect(gemini.read(event(name))).toBe("ignored");
  });
});

describe("Gemini CLI's replies", () => {
  it.each([
    ["deny flat", shell, blocked, { decision: "deny", reason: expect.stringContaining("not this") }],
    ["ask the host's human", shell, asked, { decision: "ask", reason: "hookwarden asks (p/ask): Really?" }],
    ["say nothing of what is allowed", shell, decision(), undefined],
    [
      "give new arguments, which the host lays over the model's",
      shell,
      decision({ changes: { args: { command: "echo hi", description: "d" } } }),
      { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: { command: "echo hi", description: "d" } } },
    ],
    [
      "deny where an argument would have to go",
      shell,
      decision({ changes: { args: { command: "echo hi" } } }),
      { decision: "deny", reason: expect.stringContaining("leaving an argument out") },
    ],
    ["refuse a prompt", prompt, blocked, { decision: "deny", reason: expect.stringContaining("not this") }],
    ["refuse a prompt that a human should allow", prompt, asked, { decision: "deny", reason: expect.any(String) }],
    [
      "refuse a prompt that a rule rewrites",
      prompt,
      decision({ changes: { text: "x" } }),
      { decision: "deny", reason: expect.stringContaining("this prompt") },
    ],
    [
      "add to a prompt",
      prompt,
      noted,
      { hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "mind the gap" } },
    ],
    ["send the agent on", event("AfterAgent"), blocked, { decision: "deny", reason: expect.any(String) }],
    ["cannot stop a compaction", event("PreCompress"), blocked, undefined],
  ])("%s", (_, payload, made, expected) => {
    expect(said(gemini, payload, made).document).toEqual(expected);
  });

  it.each([
    ["a text", "key=KEY"],
    ["parts", [{ text: "key=KEY" }]],
  ])("put the redacted text of %s in place of the result, with a note beside it", (_, llmContent) => {
    const payload = resultOf({ llmContent, returnDisplay: "" });
    const content = changedContent(gemini, payload, (text) => text.replace("KEY", "***"));
    const changes = { content, ...(noted.changes.message && { message: noted.changes.message }) };
    expect(said(gemini, payload, decision({ changes })).document).toEqual({
      decision: "deny",
      reason: "key=***",
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "mind the gap" },
    });
  });

  it("keep a model request as long as it was, since the host fits messages by number", () => {
    const messages = [{ role: "user", content: [{ type: "text", text: "key=***" }], ref: 0 }];
    const { document } = said(gemini, request, decision({ changes: { messages } }));
    const given = request["llm_request"] as Payload;
    expect(document).toEqual({
      hookSpecificOutput: {
        hookEventName: "BeforeModel",
        llm_request: {
          ...given,
          messages: [
            { role: "user", content: "key=***" },
            { role: "model", content: "(left out by a policy)" },
            { role: "user", content: "(left out by a policy)" },
          ],
        },
      },
    });
  });
});

describe("Gemini CLI's replies to our own faults", () => {
  it.each(["BeforeTool", "AfterTool", "BeforeAgent", "BeforeModel"])("refuse %s both ways", (name) => {
    const { document, reply } = parsed(gemini.fault(name, "broken"));
    expect(document).toEqual({ decision: "deny", reason: "broken" });
    expect(reply).toMatchObject({ exitCode: 2, stderr: "broken\n" });
  });

  it("let the agent stop, and tell the human of the rest", () => {
    expect(gemini.fault("AfterAgent", "broken").exitCode).toBe(0);
    expect(parsed(gemini.fault("SessionStart", "broken")).document).toEqual({ systemMessage: "broken" });
    expect(gemini.fault("", "broken").exitCode).toBe(2);
  });
});
