import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codex } from "../../../adapters/one-shot/codex.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import type { Decision } from "../../../schema/generated.ts";
import { asked, blocked, changedContent, decision, noted, parsed, said } from "./decisions.ts";

const base = {
  session_id: "s1",
  turn_id: "t1",
  model: "m",
  transcript_path: null,
  cwd: "/w",
  permission_mode: "default",
};
const bash: Payload = {
  ...base,
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "cat notes.txt" },
  tool_use_id: "c1",
};
const resultOf = (tool_response: unknown): Payload => ({ ...bash, hook_event_name: "PostToolUse", tool_response });
const patch: Payload = { ...bash, tool_name: "apply_patch", tool_input: { command: "*** Begin Patch" } };
const prompt: Payload = { ...base, hook_event_name: "UserPromptSubmit", prompt: "hi" };

/** The keys that the host's own schemas have (0.169.0); with any other key the whole answer is dropped and the call runs. */
const known: Readonly<Record<string, { readonly top: readonly string[]; readonly specific: readonly string[] }>> = {
  PreToolUse: {
    top: ["hookSpecificOutput", "systemMessage"],
    specific: ["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  },
  PostToolUse: {
    top: ["decision", "reason", "hookSpecificOutput", "systemMessage"],
    specific: ["hookEventName", "additionalContext"],
  },
  UserPromptSubmit: {
    top: ["decision", "reason", "hookSpecificOutput", "systemMessage"],
    specific: ["hookEventName", "additionalContext"],
  },
  SessionStart: { top: ["hookSpecificOutput", "systemMessage"], specific: ["hookEventName", "additionalContext"] },
  Stop: { top: ["decision", "reason", "systemMessage"], specific: [] },
  SubagentStop: { top: ["decision", "reason", "systemMessage"], specific: [] },
  PreCompact: { top: ["continue", "stopReason", "systemMessage"], specific: [] },
  SubagentStart: { top: [], specific: [] },
};

describe("Codex' payloads", () => {
  it("give a patch as the patch of an edit", () => {
    expect(codex.read(patch)).toMatchObject({ payload: { tool: "apply_patch", args: { patch: "*** Begin Patch" } } });
  });

  it("never promise that a human can be asked", () => {
    expect(codex.read(bash)).toMatchObject({ interactive: false });
  });
});

describe("Codex' replies", () => {
  it("deny with a reason and nothing else", () => {
    expect(said(codex, bash, blocked).document).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("not this"),
      },
    });
  });

  it("deny what a human should allow, and say how one can", () => {
    expect(said(codex, bash, asked).document).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("only a human lets it run"),
      },
    });
  });

  it("never allow barely, whatever a rule grants", () => {
    expect(said(codex, bash, decision(), { skipPrompt: true }).document).toBeUndefined();
  });

  it("rewrite only together with an allow, patches under the host's name", () => {
    expect(said(codex, bash, decision({ changes: { args: { command: "echo hi" } } })).document).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "allow",
        updatedInput: { command: "echo hi" },
      },
    });
    expect(said(codex, patch, decision({ changes: { args: { patch: "p" } } })).document).toMatchObject({
      hookSpecificOutput: { updatedInput: { command: "p" } },
    });
  });

  it.each([
    ["a text", "key=KEY", "key=***"],
    ["an MCP result", { content: [{ type: "text", text: "key=KEY" }] }, "key=***"],
  ])("put the redacted text of %s in place of the result", (_, response, expected) => {
    const content = changedContent(codex, resultOf(response), (text) => text.replace("KEY", "***"));
    expect(said(codex, resultOf(response), decision({ changes: { content } })).document).toEqual({
      decision: "block",
      reason: expected,
    });
  });

  it.each(["", " ", "\n\t"])("never block a result without a reason: %j", (text) => {
    const content = [{ type: "text" as const, text }];
    expect(said(codex, resultOf(""), decision({ changes: { content } })).document).toMatchObject({ reason: "(empty)" });
  });

  it("add a note to a result that stays", () => {
    expect(said(codex, resultOf("x"), noted).document).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "mind the gap" },
    });
  });

  it.each(["Stop", "SubagentStop"])("send the agent on with the reason", (hook_event_name) => {
    const { document } = said(codex, { ...base, hook_event_name }, blocked);
    expect(document).toEqual({ decision: "block", reason: expect.stringContaining("not this") });
    expect(said(codex, { ...base, hook_event_name }, decision()).document).toBeUndefined();
  });

  it("have only keys that the host knows, whatever was decided", () => {
    const payloads = [
      bash,
      patch,
      resultOf("text"),
      resultOf({ content: [] }),
      prompt,
      ...["SessionStart", "Stop", "SubagentStop", "SubagentStart", "PreCompact"].map((hook_event_name) => ({
        ...base,
        hook_event_name,
      })),
    ];
    const text = fc.option(fc.string(), { nil: undefined });
    const made = fc
      .record({ outcome: fc.constantFrom("allow", "ask", "block"), reason: text, note: text, text, notice: text })
      .map(({ outcome, reason, note, text: changed, notice }) =>
        decision({
          outcome: outcome as Decision["outcome"],
          ...(reason !== undefined && { reason }),
          ...(notice !== undefined && { notices: [{ rule: "p/n", level: "info", message: notice }] }),
          changes: {
            ...(note !== undefined && { message: { custom_type: "n", content: note, display: true } }),
            ...(changed !== undefined && {
              text: changed,
              args: { command: changed },
              content: [{ type: "text", text: changed }],
            }),
          },
        }),
      );
    fc.assert(
      fc.property(fc.constantFrom(...payloads), made, fc.boolean(), (payload, decided, skipPrompt) => {
        const { document } = said(codex, payload, decided, { skipPrompt });
        if (document === undefined) return;
        const rows = known[String((payload as Payload)["hook_event_name"])];
        const { hookSpecificOutput = {}, ...top } = document as Payload & { hookSpecificOutput?: Payload };
        expect(Object.keys(document as Payload).filter((key) => !rows?.top.includes(key))).toEqual([]);
        expect(Object.keys(hookSpecificOutput).filter((key) => !rows?.specific.includes(key))).toEqual([]);
        const { permissionDecision: permission, permissionDecisionReason: why, updatedInput } = hookSpecificOutput;
        expect(permission).not.toBe("ask");
        if (permission === "deny") expect(why).toMatch(/\S/);
        if (permission === "allow") expect(updatedInput).toBeDefined();
        if (top["decision"] !== undefined) expect(top["reason"]).toMatch(/\S/);
      }),
    );
  });
});

describe("Codex' replies to our own faults", () => {
  it.each(["PreToolUse", "PostToolUse", "UserPromptSubmit"])("refuse %s by document and by exit code", (name) => {
    const { document, reply } = parsed(codex.fault(name, "broken"));
    expect(JSON.stringify(document)).toContain("broken");
    expect(reply).toMatchObject({ exitCode: 2, stderr: "broken\n" });
  });

  it("refuse a compaction, and let what is only seen pass", () => {
    expect(parsed(codex.fault("PreCompact", "broken")).document).toEqual({ continue: false, stopReason: "broken" });
    expect(codex.fault("Stop", "broken")).toEqual({ stdout: "", stderr: "broken\n", exitCode: 0 });
    expect(codex.fault("", "broken").exitCode).toBe(2);
  });
});
