import { describe, expect, it } from "vitest";
import type { PiContext } from "../../../adapters/gastown/api.ts";
import { toolCallEvent, toolResultEvent } from "../pi/payloads.ts";
import { configured, ended, hooked, type Started, says, sessionStart, warnings, withPre } from "./fake-session.ts";

const user = { role: "user", content: "go", timestamp: 1 };

describe("a decision in JSON", () => {
  it.each([
    ["malformed", '{"decision":"deny"'],
    ["in another language", "{'decision': 'deny'}"],
    ["with a word that is not known", '{"decision":"perhaps"}'],
    ["half, beside an approval", '{"decision":"deny"\n{"decision":"allow"}'],
  ])("that cannot be read blocks: %s", async (_name, stdout) => {
    const session = await withPre({ first: ended({ stdout }) });
    const reason = expect.stringContaining("what looks like a decision and cannot be read");
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({ block: true, reason });
    expect(warnings(session)).not.toEqual([]);
    const after = hooked({ env: configured("PostToolUse", "after"), programs: { after: ended({ stdout }) } });
    expect(await after.fire("tool_result", toolResultEvent())).toMatchObject({ isError: true });
    const start = hooked({ env: configured("SessionStart", "s"), programs: { s: ended({ stdout }) } });
    expect(await start.fire("session_start", sessionStart)).toBeUndefined();
    expect(warnings(start)).not.toEqual([]);
  });

  it.each([
    ["before it", 'Welcome back\n{"decision":"deny","reason":"frozen"}'],
    ["behind it", '{"decision":"deny","reason":"frozen"}\ndone'],
    ["around it", 'if (x) {\n{"decision":"deny","reason":"frozen"} "'],
    ["with an approval behind it", '{"decision":"deny","reason":"frozen"}\n{"decision":"allow"}'],
  ])("is heard with text %s, which is warned of", async (_name, stdout) => {
    const session = await withPre({ first: ended({ stdout }) });
    expect(await session.fire("tool_call", toolCallEvent())).toEqual({
      block: true,
      reason: "Blocked by a hook: frozen",
    });
    expect(warnings(session)).toHaveLength(1);
    expect(await session.fire("context", { type: "context", messages: [user] })).toBeUndefined();
  });

  it.each([
    ["a time-out", { timedOut: true, killed: true }],
    ["a signal", {}],
    ["exit code 1", { exitCode: 1 }],
  ])("deny counts when it was heard before %s, and nothing else does", async (_name, how) => {
    const end = { ...ended({ failed: true }), exitCode: undefined, ...how } as ReturnType<typeof ended>;
    const denies = await withPre({ first: { ...end, stdout: '{"decision":"deny","reason":"frozen"}' } });
    expect(await denies.fire("tool_call", toolCallEvent())).toMatchObject({ reason: "Blocked by a hook: frozen" });
    const half = await withPre({ first: { ...end, stdout: '{"decision":"de' } });
    expect(await half.fire("tool_call", toolCallEvent())).toMatchObject({ block: true });
    const stdout = '{"decision":"allow","updatedInput":{"command":"other"},"additionalContext":"note"}';
    const allows = await withPre({ first: { ...end, stdout } });
    const event = toolCallEvent();
    expect(await allows.fire("tool_call", event)).toBeUndefined();
    expect(event.input).toEqual({ command: "echo hello" });
    expect(await allows.fire("context", { type: "context", messages: [user] })).toBeUndefined();
    expect(warnings(allows)).not.toEqual([]);
  });
});

describe("updatedInput", () => {
  it("is judged by the hooks before it once more, with what it put in", async () => {
    const judge = (session: { started: readonly Started[] }) => {
      const input = session.started.at(-1)?.told["tool_input"] as { command?: string };
      return input.command === "FORBIDDEN"
        ? says({ decision: "deny", reason: "not that" })
        : says({ decision: "allow" });
    };
    const holder: { session?: { started: readonly Started[] } } = {};
    const first = () => judge(holder.session ?? { started: [] });
    const session = await withPre({ first, second: says({ updatedInput: { command: "FORBIDDEN" } }) });
    holder.session = session;
    const event = toolCallEvent();
    expect(await session.fire("tool_call", event)).toMatchObject({
      block: true,
      reason: "Blocked by a hook: not that",
    });
    expect(session.commands()).toEqual(["first", "second", "first"]);
  });

  it("that changes nothing asks nobody again, and says its text once", async () => {
    const second = says({ updatedInput: { command: "echo hello" }, additionalContext: "note" });
    const session = await withPre({ first: says({ additionalContext: "one" }), second });
    await session.fire("tool_call", toolCallEvent());
    expect(session.commands()).toEqual(["first", "second"]);
    const changing = await withPre({
      first: says({ additionalContext: "one" }),
      second: says({ updatedInput: { a: 1 } }),
    });
    await changing.fire("tool_call", toolCallEvent());
    expect(changing.commands()).toEqual(["first", "second", "first"]);
    const reply = await changing.fire("context", { type: "context", messages: [user] });
    expect(JSON.stringify(reply).split("[PreToolUse] one")).toHaveLength(2);
  });

  it("that makes another matcher fit has that hook judge too", async () => {
    const groups = [
      { matcher: "Bash(danger*)", hooks: [{ type: "command", command: "judge" }] },
      { matcher: "*", hooks: [{ type: "command", command: "rewrite" }] },
    ];
    const session = hooked({
      env: { PI_HOOKS_JSON: JSON.stringify({ PreToolUse: groups }) },
      programs: {
        rewrite: says({ updatedInput: { command: "danger ahead" } }),
        judge: ended({ exitCode: 2, stderr: "no" }),
      },
    });
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({ block: true });
    expect(session.commands()).toEqual(["rewrite", "judge"]);
  });

  it("of two hooks that never agree blocks", async () => {
    const first = says({ updatedInput: { command: "a" } });
    const session = await withPre({ first, second: says({ updatedInput: { command: "b" } }) });
    const reason = expect.stringContaining("without end");
    expect(await session.fire("tool_call", toolCallEvent())).toMatchObject({ block: true, reason });
    expect(session.commands()).toHaveLength(6);
  });
});

describe("a warning", () => {
  const asks = says({ decision: "ask", reason: "unsure" });

  it("goes to the host's interface where there is one, once, and never to the screen", async () => {
    const said: [string, unknown][] = [];
    const ui = {
      confirm: () => Promise.resolve(false),
      notify: (message: string, level: unknown) => void said.push([message, level]),
    };
    const session = await withPre({ first: asks }, { context: { hasUI: true, ui } as Partial<PiContext> });
    for (let call = 0; call < 3; call++) await session.fire("tool_call", toolCallEvent());
    expect(said).toEqual([[expect.stringMatching(/^hookwarden: PreToolUse hook `first`: `ask` counts/), "warning"]]);
    expect(session.screen).toEqual([]);
    expect(warnings(session)).toHaveLength(3);
  });

  it("goes to the screen where there is none", async () => {
    const session = await withPre({ first: asks });
    await session.fire("tool_call", toolCallEvent());
    expect(session.screen).toHaveLength(1);
  });

  it("that an interface cannot show changes nothing", async () => {
    const notify = () => {
      throw new Error("gone");
    };
    const context = { hasUI: true, ui: { notify } } as unknown as Partial<PiContext>;
    const session = await withPre({ first: asks }, { context });
    expect(await session.fire("tool_call", toolCallEvent())).toBeUndefined();
    expect(session.screen).toEqual([]);
  });
});
