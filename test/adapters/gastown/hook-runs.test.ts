import { describe, expect, it } from "vitest";
import { limits } from "../../../schema/limits.ts";
import { toolCallEvent, toolResultEvent } from "../pi/payloads.ts";
import { configured, ended, hooked, sessionStart, warnings, withPre } from "./fake-session.ts";

describe("a hook", () => {
  it("is started by the shell with the user's own text, and reads the event from standard input", async () => {
    const session = await withPre(
      {},
      { env: { ...configured("PreToolUse", 'check "$HOME"'), PATH: ".:/usr/bin::bin", GT_RIG: "r" } },
    );
    await session.fire("tool_call", toolCallEvent("echo $(date)"));
    const [{ command, options, told }] = session.started as [(typeof session.started)[number]];
    expect(command).toEqual(["/bin/sh", "-lc", 'check "$HOME"']);
    expect(told).toEqual({
      hook_event_name: "PreToolUse",
      cwd: "/work",
      session_id: "s1",
      tool_name: "bash",
      tool_input: { command: "echo $(date)" },
      tool_use_id: "call_1_0",
    });
    expect(options).toMatchObject({
      cwd: "/work",
      env: { PATH: "/usr/bin", GT_RIG: "r", CLAUDE_PROJECT_DIR: "/work" },
    });
  });

  it("runs where its matcher fits", async () => {
    const groups = [
      { matcher: "Bash", hooks: [{ type: "command", command: "shell" }] },
      { matcher: "Read", hooks: [{ type: "command", command: "files" }] },
    ];
    const session = hooked({ env: { PI_HOOKS_JSON: JSON.stringify({ PreToolUse: groups }) } });
    await session.fire("tool_call", toolCallEvent());
    expect(session.commands()).toEqual(["shell"]);
  });

  it("of the session's start may ask how it began", async () => {
    const groups = ["startup", "clear", "new"].map((matcher) => ({
      matcher,
      hooks: [{ type: "command", command: matcher }],
    }));
    const session = hooked({ env: { PI_HOOKS_JSON: JSON.stringify({ SessionStart: groups }) } });
    await session.fire("session_start", { type: "session_start", reason: "new" });
    expect(session.commands()).toEqual(["clear", "new"]);
    expect(session.started[0]?.told["source"]).toBe("clear");
  });

  it("at the end of a run or a session decides nothing", async () => {
    const hooks = {
      Stop: [{ hooks: [{ type: "command", command: "stop" }] }],
      SessionEnd: [{ hooks: [{ type: "command", command: "end" }] }],
    };
    const session = hooked({ env: { PI_HOOKS_JSON: JSON.stringify(hooks) } });
    expect(await session.fire("agent_end", { type: "agent_end" })).toBeUndefined();
    expect(await session.fire("session_shutdown", { type: "session_shutdown" })).toBeUndefined();
    expect(session.commands()).toEqual(["stop", "end"]);
  });

  it.each([
    [
      "takes too long",
      ended({ exitCode: undefined as unknown as number, timedOut: true, killed: true, failed: true }),
      "took too long",
    ],
    ["fails", ended({ exitCode: 1 }), "failed"],
    ["is missing", ended({ exitCode: 127 }), "is missing"],
  ])("that %s stops nothing, with a warning", async (_name, first, message) => {
    const session = await withPre({ first });
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    expect(session.commands()).toEqual(["first", "second"]);
    expect(warnings(session)).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
  });

  it.each([
    ["cannot be started", ended({ exitCode: undefined, started: false, failed: true, stderr: "ENOENT" }), "ENOENT"],
    [
      "prints more than is read",
      ended({ stdout: `{"decision":"allow"}${"x".repeat(limits.programAnswer)}`, truncated: true }),
      "printed more than",
    ],
    [
      "answers more than is read",
      ended({ stdout: `{"a":"${"x".repeat(limits.programAnswer - 6)}`, truncated: true }),
      "printed more than",
    ],
  ])("that %s blocks: nobody knows what it had to say", async (_name, first, reason) => {
    const session = await withPre({ first });
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({
      block: true,
      reason: expect.stringContaining(reason),
    });
    expect(session.commands()).toEqual(["first"]);
  });

  it("that cannot be told what happens closes the event: a fault of ours", async () => {
    const session = hooked({
      env: {
        PI_HOOKS_JSON: JSON.stringify({
          PreToolUse: [{ hooks: [{ type: "command", command: "a" }] }],
          PostToolUse: [{ hooks: [{ type: "command", command: "a" }] }],
        }),
      },
    });
    const input: Record<string, unknown> = { command: "echo" };
    input["self"] = input;
    expect(await session.fire("tool_call", { ...toolCallEvent(), input })).toMatchObject({ block: true });
    const reply = await session.fire("tool_result", { ...toolResultEvent(), input });
    expect(reply).toMatchObject({ isError: true });
    expect(JSON.stringify(reply)).not.toContain("raw text");
    expect(session.lines.filter((line) => line["level"] === "error")).toHaveLength(2);
  });

  it("is the one that was configured when the session began, whatever happens to the configuration later", async () => {
    const session = hooked({ env: configured("PreToolUse", "own") });
    await session.fire("session_start", sessionStart);
    session.env["PI_HOOKS_JSON"] = "{}";
    await session.fire("session_start", { ...sessionStart, reason: "new" });
    await session.fire("tool_call", toolCallEvent());
    expect(session.commands()).toEqual(["own"]);
  });
});
