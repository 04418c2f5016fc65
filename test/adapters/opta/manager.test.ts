import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import {
  type HookContext,
  type HookDefinition,
  type HookEvent,
  HookManager,
  type HookManagerOptions,
  NoOpHookManager,
  OptaConfigError,
} from "../../../adapters/opta/index.ts";

/** Real hooks in a scratch folder; every command is a harmless stand-in. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const text = (name: string) => readFileSync(join(folder, name), "utf8");

/** Whether the process lives that a hook wrote the number of. */
function lives(name: string): boolean {
  try {
    return process.kill(Number(text(name)), 0);
  } catch {
    return false;
  }
}

const context = (event: HookEvent, more: Partial<HookContext> = {}): HookContext => ({
  event,
  session_id: "s1",
  cwd: folder,
  ...(event.startsWith("tool.") && { tool_name: "run_command", tool_args: '{"command":"ls"}' }),
  ...more,
});
const fire = (hook: HookDefinition, more: Partial<HookContext> = {}, options: HookManagerOptions = {}) =>
  HookManager.create([hook], options).fire(hook.event, context(hook.event, more));
const names = "EVENT SESSION_ID CWD MODEL TOOL_NAME TOOL_ARGS TOOL_RESULT ERROR".split(" ");
const all = names.map((name) => `printf '%s\\n' "\${OPTA_${name}-unset}"`).join("; ");

describe("without hooks", () => {
  it("gives one shared manager that does nothing", async () => {
    const manager = HookManager.create();
    expect(HookManager.create([])).toBe(manager);
    expect(manager).toBeInstanceOf(NoOpHookManager);
    expect(manager).toBeInstanceOf(HookManager);
    expect(await manager.fire("tool.pre", context("tool.pre"))).toBe(await manager.fire("error", context("error")));
  });
});

describe("variables of a hook", () => {
  it.each([
    [
      "session.start has the four that are always there",
      "session.start",
      {},
      ["fake", "unset", "unset", "unset", "unset"],
    ],
    ["a model that is not known is empty", "compact", { model: undefined }, ["", "unset", "unset", "unset", "unset"]],
    ["tool.pre has tool and arguments", "tool.pre", {}, ["fake", "run_command", '{"command":"ls"}', "unset", "unset"]],
    [
      "tool.post has the result too",
      "tool.post",
      { tool_result: "done" },
      ["fake", "run_command", '{"command":"ls"}', "done", "unset"],
    ],
    ["error has the message", "error", { error_message: "bad" }, ["fake", "unset", "unset", "unset", "bad"]],
  ] as const)("%s", async (_name, event, more, rest) => {
    const { model, ...others } = { model: "fake", ...more };
    const given = { ...others, ...(model !== undefined && { model }) };
    await fire({ event, command: `{ ${all}; } > vars` }, given);
    expect(text("vars").split("\n").slice(0, -1)).toEqual([event, "s1", folder, ...rest]);
  });

  it.each([
    ["ASCII", "x".repeat(5_000), 2_048],
    ["two bytes each", "é".repeat(3_000), 2_048],
    ["three bytes each, none of them cut", "€".repeat(3_000), 2_046],
  ])("the result is its first 2 KB: %s", async (_name, result, bytes) => {
    await fire({ event: "tool.post", command: 'printf %s "$OPTA_TOOL_RESULT" > result' }, { tool_result: result });
    expect(Buffer.byteLength(text("result"))).toBe(bytes);
    expect(result.startsWith(text("result"))).toBe(true);
  });

  it("a NUL in a result does not keep a hook from running", async () => {
    await fire({ event: "tool.post", command: 'printf %s "$OPTA_TOOL_RESULT" > nul' }, { tool_result: "a\0b" });
    expect(text("nul")).toBe("a\ufffdb");
  });

  it("of the machine come those of the allow-list, and those that the caller passes", async () => {
    const variables = { PATH: process.env["PATH"], SECRET_TOKEN: "no", WANTED: "yes" };
    const command = 'printf "%s %s" "${SECRET_TOKEN-unset}" "$WANTED" > passed';
    await fire({ event: "compact", command }, {}, { variables, pass: ["WANTED"] });
    expect(text("passed")).toBe("unset yes");
  });

  it("a name with `*` at its end passes all that begin so, and no other", async () => {
    const variables = { PATH: process.env["PATH"], GIT_SSH: "a", GIT_DIR: "b", MY_GIT_SSH: "no" };
    const command = 'printf "%s %s %s" "$GIT_SSH" "$GIT_DIR" "${MY_GIT_SSH-unset}" > passed';
    await fire({ event: "compact", command }, {}, { variables, pass: ["GIT_*"] });
    expect(text("passed")).toBe("a b unset");
  });

  it.each([
    ["long", "e".repeat(100_000), 100_000],
    ["longer than a variable may be", "€".repeat(100_000), 127_998],
    ["full of NULs", "\0".repeat(100_000), 127_998],
  ])("the message of an error that is %s is there as far as it fits", async (_name, error_message, bytes) => {
    await fire({ event: "error", command: 'printf %s "$OPTA_ERROR" | wc -c > size' }, { error_message });
    expect(Number(text("size"))).toBe(bytes);
  });

  it("arguments that no program can be started with cancel the call", async () => {
    const tool_args = JSON.stringify({ command: "x".repeat(200_000) });
    const result = await fire({ event: "tool.pre", command: "exit 0" }, { tool_args });
    expect(result).toEqual({ cancelled: true, reason: expect.stringContaining("OPTA_TOOL_ARGS") });
  });
});

describe("matchers", () => {
  const cancelled = async (matcher: string, tool_name: string | undefined) => {
    const given =
      tool_name === undefined ? { session_id: "s", cwd: folder } : { session_id: "s", cwd: folder, tool_name };
    const hooks = HookManager.create([{ event: "tool.pre", matcher, command: "exit 1" }]);
    return (await hooks.fire("tool.pre", { event: "tool.pre", ...given })).cancelled;
  };

  it.each([
    ["are found anywhere in the name", "edit", "multi_edit_file", true],
    ["are anchored only where they say so", "^edit$", "multi_edit_file", false],
    ["match tools of MCP servers", "mcp__mem__.*", "mcp__mem__save", true],
    ["run before a call whose tool is not known", "edit_file", undefined, true],
  ])("%s", async (_name, matcher, tool, expected) => {
    expect(await cancelled(matcher, tool)).toBe(expected);
  });

  it("hooks of other events run whatever their matcher", async () => {
    await fire({ event: "compact", matcher: "nothing", command: "echo ran > matched" });
    expect(text("matched")).toBe("ran\n");
  });

  it.each([
    ["a pattern that is none", "(", /^\/hooks\/0\/matcher is no RE2 pattern: /],
    ["look-ahead, which RE2 does not have", "(?=x)", /^\/hooks\/0\/matcher is no RE2 pattern: /],
  ])("%s is refused at load", (_name, matcher, message) => {
    const create = () => HookManager.create([{ event: "tool.pre", matcher, command: "exit 1" }]);
    expect(create).toThrow(OptaConfigError);
    expect(create).toThrow(message);
  });

  it.each([
    ["a time-out below 100 ms", { timeout: 99 }],
    ["a time-out above 60 s", { timeout: 60_001 }],
    ["a command and a prompt", { prompt: "x" }],
  ])("%s is refused at load", (_name, more) => {
    expect(() => HookManager.create([{ event: "tool.pre", command: "exit 1", ...more }])).toThrow(OptaConfigError);
  });
});

describe("cancelling", () => {
  it.each([
    ["standard error is the reason", "tool.pre", "echo Why >&2; exit 7", { cancelled: true, reason: "Why" }],
    [
      "without standard error the exit code is, and what is printed is not",
      "tool.pre",
      "echo printed; exit 7",
      { cancelled: true, reason: "the program ended with exit code 7" },
    ],
    ["an answer in JSON means nothing in V3", "tool.pre", `echo '{"decision":"deny"}'`, { cancelled: false }],
    ["a command that is not found cancels", "tool.pre", "no-such-program-here 2>/dev/null", { cancelled: true }],
    ["a prompt is cancelled the same way", "prompt.pre", "echo No >&2; exit 1", { cancelled: true, reason: "No" }],
    ["after a tool nothing is cancelled", "tool.post", "exit 1", { cancelled: false }],
    ["nor at the start", "session.start", "exit 1", { cancelled: false }],
    ["nor on an error", "error", "exit 1", { cancelled: false }],
    ["nor on compaction", "compact", "exit 1", { cancelled: false }],
    ["nor at the end", "session.end", "exit 1", { cancelled: false }],
  ] as const)("%s", async (_name, event, command, expected) => {
    expect(await fire({ event, command })).toMatchObject(expected);
  });

  it("the first that cancels ends it; hooks run in their order", async () => {
    const hooks = HookManager.create([
      { event: "tool.pre", command: "echo one >> order" },
      { event: "tool.pre", command: "echo two >> order; exit 1" },
      { event: "tool.pre", command: "echo three >> order" },
      { event: "tool.pre", command: "echo later >> order", background: true },
    ]);
    await hooks.fire("tool.pre", context("tool.pre"));
    await delay(100);
    expect(text("order")).toBe("one\ntwo\n");
  });

  it("a hook that a signal ends cancels, with standard error as reason", async () => {
    expect(await fire({ event: "tool.pre", command: "echo Why >&2; kill -9 $$" })).toEqual({
      cancelled: true,
      reason: "Why",
    });
  });

  it.each(["nothing", "null", "a getter that throws"])(
    "an event of which %s is told cancels, and nothing is thrown",
    async (what) => {
      const thrower = {
        get session_id(): string {
          throw new Error("gone");
        },
      };
      const given = (what === "nothing" ? undefined : what === "null" ? null : thrower) as never;
      const hooks = HookManager.create([{ event: "tool.pre", command: "exit 0" }]);
      expect(await hooks.fire("tool.pre", given)).toMatchObject({ cancelled: true });
      expect(await hooks.fire("session.end", given)).toEqual({ cancelled: false });
    },
  );

  it("a folder that is not there cancels a call, for no hook could look at it", async () => {
    const result = await fire({ event: "tool.pre", command: "exit 0" }, { cwd: join(folder, "absent") });
    expect(result).toMatchObject({ cancelled: true });
    expect(await fire({ event: "compact", command: "exit 0" }, { cwd: join(folder, "absent") })).toEqual({
      cancelled: false,
    });
  });
});

describe("time-outs", () => {
  it.each([
    ["tool.pre", { cancelled: true, reason: "the hook took longer than 100 ms" }],
    ["prompt.pre", { cancelled: true, reason: "the hook took longer than 100 ms" }],
    ["stop", { cancelled: false }],
    ["tool.post", { cancelled: false }],
  ] as const)("of a hook with `on_timeout: cancel` count at %s as they should", async (event, expected) => {
    const hook = { event, command: "sleep 100", timeout: 100 } as const;
    expect(await fire({ ...hook, on_timeout: "cancel" })).toEqual(expected);
    expect(await fire({ ...hook, on_timeout: "continue" })).toEqual({ cancelled: false });
  });

  it("end the whole tree, and the call goes on", async () => {
    const command = "(sleep 100) & echo $! > child; sleep 100";
    expect(await fire({ event: "tool.pre", command, timeout: 3_000 })).toEqual({ cancelled: false });
    await expect.poll(() => lives("child")).toBe(false);
  });

  it("end a hook in the background too", async () => {
    const command = "echo $$ > background-child; sleep 100";
    await fire({ event: "compact", command, timeout: 3_000, background: true });
    await expect.poll(() => existsSync(join(folder, "background-child"))).toBe(true);
    await expect.poll(() => lives("background-child")).toBe(false);
  });
});

describe("background hooks", () => {
  it("that are prompts and cannot be recorded are nobody's concern", async () => {
    const asked: string[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const options: HookManagerOptions = {
      judge: ({ prompt }) => {
        asked.push(prompt);
        return { decision: "deny" };
      },
      observe: () => Promise.reject(new Error("disk is full")),
    };
    const result = await fire({ event: "tool.pre", prompt: "Well?", background: true }, {}, options);
    expect(result).toEqual({ cancelled: false });
    await expect.poll(() => asked).toEqual(["Well?"]);
    // Rejections that nobody handles are told between two turns of the process.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    expect([asked, unhandled]).toEqual([["Well?"], []]);
  });

  it("run to their end, and cancel nothing", async () => {
    const result = await fire({ event: "tool.pre", command: "echo ran > background; exit 1", background: true });
    expect(result).toEqual({ cancelled: false });
    await expect.poll(() => text("background")).toBe("ran\n");
  });
});
