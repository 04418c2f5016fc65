import { describe, expect, it } from "vitest";
import { freezeDeep } from "../../../adapters/pi/judged-calls.ts";
import { toolCallEvent } from "../pi/payloads.ts";
import { ended, hooked, says, sessionStart, warnings, withPre } from "./fake-session.ts";

/** What hooks put in: other arguments for the call, and text for the model. */
const user = { role: "user", content: "go", timestamp: 1 };
const start = { type: "before_agent_start", prompt: "do it" } as const;

describe("updatedInput", () => {
  it("is put over the arguments, one level deep, in place, and the next hook sees it", async () => {
    const programs = { first: says({ updatedInput: { command: "echo safe", env: { A: "1" } } }) };
    const session = await withPre(programs);
    const event = {
      ...toolCallEvent(),
      input: { command: "echo raw", timeout: 3, env: { B: "2" } } as Record<string, unknown>,
    };
    const { input } = event;
    expect(await session.fire("tool_call", event)).toBeUndefined();
    expect(event.input).toBe(input);
    expect(input).toEqual({ command: "echo safe", timeout: 3, env: { A: "1" } });
    expect(session.started[1]?.told["tool_input"]).toEqual(input);
  });

  it("changes neither tool nor call id", async () => {
    const programs = {
      first: says({ updatedInput: { toolName: "x" }, tool_name: "write", tool_use_id: "other", toolCallId: "other" }),
    };
    const session = await withPre(programs);
    const event = toolCallEvent();
    await session.fire("tool_call", event);
    expect(event).toMatchObject({ toolName: "bash", toolCallId: "call_1_0", input: { toolName: "x" } });
  });

  it("never reaches into an object's prototype, and the log says so", async () => {
    const programs = {
      first: ended({ stdout: '{"updatedInput":{"__proto__":{"polluted":1},"constructor":1,"a":1}}' }),
    };
    const session = await withPre(programs);
    const event = toolCallEvent();
    await session.fire("tool_call", event);
    expect(event.input).toEqual({ command: "echo hello", a: 1 });
    expect(Object.getPrototypeOf(event.input)).toBe(Object.prototype);
    expect(Object.hasOwn(event.input, "constructor")).toBe(false);
    expect(warnings(session).map((line) => line["message"])).toEqual([
      "`__proto__` is ignored",
      "`constructor` is ignored",
    ]);
  });

  it.each([
    ["that is no object", says({ updatedInput: "touch" })],
    ["of a hook that failed", { ...says({ updatedInput: { command: "echo other" } }), exitCode: 1 }],
    ["of a hook that denies", says({ decision: "deny", updatedInput: { command: "echo other" } })],
  ])("%s changes nothing", async (_name, first) => {
    const session = await withPre({ first });
    const event = toolCallEvent();
    await session.fire("tool_call", event);
    expect(event.input).toEqual({ command: "echo hello" });
  });

  it("for a call that a guard judged before is a block, never a change", async () => {
    const session = await withPre({ first: says({ updatedInput: { command: "echo other" } }) });
    const event = toolCallEvent();
    freezeDeep(event.input);
    expect(await session.fire("tool_call", event)).toMatchObject({
      block: true,
      reason: expect.stringContaining("load hookwarden/gastown before"),
    });
    expect(event.input).toEqual({ command: "echo hello" });
  });
});

describe("text for the model", () => {
  it("of several hooks is one block at the next prompt, in their order", async () => {
    const programs = { first: says({ additionalContext: "one" }), second: ended({ stdout: "two" }) };
    const session = await withPre(programs);
    await session.fire("tool_call", toolCallEvent());
    const reply = await session.fire("context", { type: "context", messages: [user] });
    expect(reply?.messages).toEqual([
      user,
      expect.objectContaining({
        role: "custom",
        content: "<hook-context>\n[PreToolUse] one\n[PreToolUse] two\n</hook-context>",
      }),
    ]);
  });

  it("of an earlier session does not come in the next one", async () => {
    const session = await withPre({ first: says({ additionalContext: "one" }) });
    await session.fire("tool_call", toolCallEvent());
    expect(await session.fire("context", { type: "context", messages: [user] })).toBeDefined();
    await session.fire("tool_call", toolCallEvent());
    await session.fire("session_start", { ...sessionStart, reason: "new" });
    expect(await session.fire("context", { type: "context", messages: [user] })).toBeUndefined();
  });

  it("is delivered even when its hook blocks", async () => {
    const session = await withPre({ first: says({ decision: "deny", additionalContext: "use a branch" }) });
    await session.fire("tool_call", toolCallEvent());
    expect(JSON.stringify(await session.fire("context", { type: "context", messages: [user] }))).toContain(
      "use a branch",
    );
  });

  it("of a hook that failed is not its raw output", async () => {
    const session = await withPre({ first: ended({ exitCode: 1, stdout: "half a" }) });
    await session.fire("tool_call", toolCallEvent());
    expect(await session.fire("context", { type: "context", messages: [user] })).toBeUndefined();
  });

  it("of the session's start and of the prompt comes with the prompt", async () => {
    const hooks = {
      SessionStart: [{ hooks: [{ type: "command", command: "s" }] }],
      UserPromptSubmit: [{ hooks: [{ type: "command", command: "p" }] }],
    };
    const session = hooked({
      env: { PI_HOOKS_JSON: JSON.stringify(hooks) },
      programs: { s: ended({ stdout: "a" }), p: ended({ stdout: "b" }) },
    });
    await session.fire("session_start", sessionStart);
    expect(await session.fire("before_agent_start", start)).toMatchObject({
      message: { content: "<hook-context>\n[SessionStart] a\n[UserPromptSubmit] b\n</hook-context>" },
    });
    expect(session.started[1]?.told).toMatchObject({ hook_event_name: "UserPromptSubmit", prompt: "do it" });
    expect(await session.fire("context", { type: "context", messages: [user] })).toBeUndefined();
  });
});
