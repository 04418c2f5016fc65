import { describe, expect, it } from "vitest";
import type { PiContext } from "../../../adapters/gastown/api.ts";
import { toolCallEvent, toolResultEvent } from "../pi/payloads.ts";
import { configured, ended, type Given, hooked, says, sessionStart, warnings, withPre } from "./fake-session.ts";

const start = { type: "before_agent_start", prompt: "do it" } as const;

describe("the options of the command line", () => {
  it("are registered with pi", () => {
    expect([...hooked().flags].map(([name, flag]) => [name, (flag as { type: string }).type])).toEqual([
      ["hooks-config", "string"],
      ["gastown-mode", "boolean"],
      ["claude-settings", "boolean"],
    ]);
  });
});

describe("gastown mode", () => {
  const v1 = async (given: Given) => {
    const session = hooked(given);
    await session.fire("session_start", sessionStart);
    const reply = await session.fire("tool_call", toolCallEvent());
    await session.fire("session_before_compact", { type: "session_before_compact" });
    await session.fire("tool_result", toolResultEvent());
    return { ...session, reply };
  };

  it.each([
    ["the option", { flags: { "gastown-mode": true } }],
    ["GT_ROLE", { env: { GT_ROLE: "polecat" } }],
  ])("by %s runs the built-in hooks with 5 seconds each, and none after a tool", async (_name, given) => {
    const { commands, started } = await v1(given);
    expect(commands()).toEqual(["gt prime", "gt tap guard", "bd sync"]);
    expect(started.map(({ options }) => options.timeout)).toEqual([5_000, 5_000, 5_000]);
    expect(started.map(({ told }) => told["hook_event_name"])).toEqual(["SessionStart", "PreToolUse", "PreCompact"]);
  });

  it.each([
    ["no sign of it", {}],
    ["an empty GT_ROLE", { env: { GT_ROLE: "" } }],
  ])("with %s is off: nothing runs", async (_name, given) => {
    const { commands, lines } = await v1(given);
    expect(commands()).toEqual([]);
    expect(lines).toEqual([]);
  });

  it("never runs the built-in hooks beside a runtime configuration", async () => {
    const { commands } = await v1({ env: { GT_ROLE: "x", ...configured("PreToolUse", "own") } });
    expect(commands()).toEqual(["own"]);
  });

  it("skips a missing program without a word on the screen", async () => {
    const programs = { "gt tap guard": ended({ exitCode: 127, stderr: "gt: not found" }) };
    const { reply, screen, lines } = await v1({ env: { GT_ROLE: "x" }, programs });
    expect(reply).toBeUndefined();
    expect(screen).toEqual([]);
    expect(lines.map((line) => line["message"])).toContain("the program of the hook is missing; it is skipped");
  });

  it.each([
    [2, true],
    [0, false],
    [1, false],
    [3, false],
    [127, false],
  ])("exit code %d of the guard blocks: %s", async (exitCode, blocks) => {
    const programs = { "gt tap guard": ended({ exitCode, stderr: "not on this branch" }) };
    const { reply } = await v1({ env: { GT_ROLE: "x" }, programs });
    expect(reply).toEqual(blocks ? { block: true, reason: "Blocked by a hook: not on this branch" } : undefined);
  });

  it("gives raw output to the model, as v1 does", async () => {
    const { fire } = await v1({
      env: { GT_ROLE: "x" },
      programs: { "gt prime": ended({ stdout: "You are a polecat.\n" }) },
    });
    expect(await fire("before_agent_start", start)).toMatchObject({
      message: { content: "<hook-context>\n[SessionStart] You are a polecat.\n</hook-context>", display: false },
    });
  });
});

describe("an invalid runtime configuration", () => {
  const broken: Given = { env: { GT_ROLE: "x", PI_HOOKS_JSON: "{" } };

  it("is one structured error, and no hook runs in the session, not even a built-in one", async () => {
    const session = hooked(broken);
    await session.fire("session_start", sessionStart);
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    await session.fire("session_start", { ...sessionStart, reason: "new" });
    expect(session.commands()).toEqual([]);
    expect(session.lines).toEqual([
      expect.objectContaining({
        level: "error",
        event: "config",
        configSource: "env",
        reason: expect.stringContaining("not valid JSON"),
      }),
    ]);
    expect(session.screen).toHaveLength(1);
  });

  it("is told to a human who looks on", async () => {
    const said: string[] = [];
    const ui = { confirm: () => Promise.resolve(false), notify: (message: string) => void said.push(message) };
    const session = hooked({ ...broken, context: { hasUI: true, ui } as Partial<PiContext> });
    await session.fire("session_start", sessionStart);
    expect(said).toEqual([expect.stringContaining("hooks are disabled for this session")]);
    expect(session.screen).toEqual([]);
  });

  it("of the option does not fall back to a valid variable", async () => {
    const session = hooked({ env: configured("PreToolUse", "own"), flags: { "hooks-config": "gone.json" } });
    await session.fire("session_start", sessionStart);
    await session.fire("tool_call", toolCallEvent());
    expect(session.commands()).toEqual([]);
    expect(session.lines).toEqual([
      expect.objectContaining({ configSource: "cli", path: expect.stringContaining("gone.json") }),
    ]);
  });
});

describe("a decision in JSON", () => {
  it("deny blocks the call, with its reason in the error and in the log, and no later hook runs", async () => {
    const session = await withPre({ first: says({ decision: "deny", reason: "freeze week" }) });
    expect(await session.fire("tool_call", toolCallEvent())).toEqual({
      block: true,
      reason: "Blocked by a hook: freeze week",
    });
    expect(session.commands()).toEqual(["first"]);
    expect(session.lines).toEqual([
      expect.objectContaining({
        event: "PreToolUse",
        command: "first",
        decision: "deny",
        reason: "freeze week",
        exitCode: 0,
        durationMs: 4,
        configSource: "env",
      }),
    ]);
  });

  it("deny without a reason names the hook", async () => {
    const session = await withPre({ first: says({ decision: "deny" }) });
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({
      reason: expect.stringContaining("first"),
    });
  });

  it("deny holds whatever the exit code", async () => {
    const session = await withPre({ first: { ...says({ decision: "deny", reason: "r" }), exitCode: 1 } });
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({ block: true });
  });

  it("allow lets the call go on", async () => {
    const session = await withPre({ first: says({ decision: "allow", reason: "fine" }) });
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    expect(session.commands()).toEqual(["first", "second"]);
    expect(warnings(session)).toEqual([]);
  });

  it("ask counts as allow, with a warning", async () => {
    const session = await withPre({ first: says({ decision: "ask", reason: "unsure" }) });
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    expect(warnings(session)).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("`ask` counts as allow"),
        decision: "ask",
        reason: "unsure",
        command: "first",
      }),
    ]);
    expect(session.screen).toHaveLength(1);
  });

  it("allow does not lift exit code 2", async () => {
    const session = await withPre({ first: { ...says({ decision: "allow", reason: "r" }), exitCode: 2 } });
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({ block: true });
  });

  it("that is malformed is ignored with a warning", async () => {
    const session = await withPre({ first: ended({ stdout: '{"mail":3' }) });
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    expect(warnings(session)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("not valid JSON") }),
    ]);
  });

  it("of a hook after the tool withholds the result as an error", async () => {
    const session = hooked({
      env: configured("PostToolUse", "after"),
      programs: { after: says({ decision: "deny", reason: "leaks" }) },
    });
    const reply = await session.fire("tool_result", toolResultEvent());
    expect(reply).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("leaks") }] });
    expect(JSON.stringify(reply)).not.toContain("raw text");
    expect(session.started[0]?.told).toMatchObject({
      tool_name: "bash",
      tool_response: { content: [{ text: "raw text" }] },
    });
  });

  it("counts for tool hooks alone", async () => {
    const session = hooked({
      env: configured("SessionStart", "s"),
      programs: { s: ended({ exitCode: 2, stderr: "no" }) },
    });
    expect(await session.fire("session_start", sessionStart)).toBeUndefined();
    expect(warnings(session)).toEqual([
      expect.objectContaining({ message: "a hook of SessionStart cannot deny anything" }),
    ]);
  });

  it("shows no secret and no control character in the reason", async () => {
    const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");
    const first = says({ decision: "deny", reason: `key ${secret}\u001b[2J` });
    const session = await withPre({ first }, { verbose: true });
    const reply = JSON.stringify(await session.fire("tool_call", toolCallEvent()));
    expect(reply + JSON.stringify(session.lines)).not.toContain(secret.slice(0, 16));
    expect(reply).not.toContain("\\u001b");
    expect(session.lines[0]?.["reason"]).not.toContain("\u001b");
    expect(session.lines[0]?.["redacted"]).toEqual(["reason", "stdout"]);
  });
});
