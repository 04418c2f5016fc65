import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  type HookContext,
  type HookDefinition,
  type HookEvent,
  HookManager,
  type HookManagerOptions,
  type HookObservation,
  type PromptAnswer,
  type PromptQuestion,
} from "../../../adapters/opta/index.ts";

/** What Opta plans for V4: answers in JSON, prompts, `prompt.pre`, `stop`, a status line. Commands are harmless stand-ins. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-v4-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const text = (name: string) => readFileSync(join(folder, name), "utf8");

const context = (event: HookEvent, more: Partial<HookContext> = {}): HookContext => ({
  event,
  session_id: "s1",
  cwd: folder,
  ...(event.startsWith("tool.") && { tool_name: "run_command", tool_args: '{"command":"ls","cwd":"a"}' }),
  ...more,
});
const fireAll = (hooks: readonly HookDefinition[], event: HookEvent, options: HookManagerOptions = {}) =>
  HookManager.create(hooks, options).fire(event, context(event, event === "prompt.pre" ? { prompt: "hi" } : {}));
/** A hook that prints this answer. */
const answers = (answer: unknown, event: HookEvent = "tool.pre"): HookDefinition => ({
  event,
  protocol: "json",
  command: `cat > /dev/null; printf '%s' '${typeof answer === "string" ? answer : JSON.stringify(answer)}'`,
});

describe("hooks that answer in JSON", () => {
  it("get the context on standard input, arguments as an object and results cut", async () => {
    const hook: HookDefinition = { event: "tool.post", protocol: "json", command: "cat > document" };
    const given = context("tool.post", { model: "fake", tool_result: "x".repeat(5_000), tool_call_id: "c1" });
    await HookManager.create([hook]).fire("tool.post", given);
    expect(JSON.parse(text("document"))).toEqual({
      event: "tool.post",
      session_id: "s1",
      cwd: folder,
      model: "fake",
      tool_name: "run_command",
      tool_call_id: "c1",
      tool_args: { command: "ls", cwd: "a" },
      tool_result: "x".repeat(2_048),
    });
  });

  it("get arguments that are too long for a variable", async () => {
    const tool_args = JSON.stringify({ command: "x".repeat(200_000) });
    const hook: HookDefinition = { event: "tool.pre", protocol: "json", command: "wc -c > size" };
    expect(await HookManager.create([hook]).fire("tool.pre", context("tool.pre", { tool_args }))).toEqual({
      cancelled: false,
    });
    expect(Number(text("size"))).toBeGreaterThan(200_000);
  });

  it.each([
    ["allow", { decision: "allow" }, { cancelled: false }],
    ["deny, with its reason", { decision: "deny", reason: "No" }, { cancelled: true, reason: "No" }],
    ["no output, which is no opinion", "", { cancelled: false }],
    ["text for the model", { additionalContext: "note" }, { cancelled: false, additionalContext: "note" }],
    [
      "text for the model beside a deny",
      { decision: "deny", reason: "No", additionalContext: "note" },
      { cancelled: true, reason: "No", additionalContext: "note" },
    ],
    [
      "new arguments, laid over those of the call",
      { updatedInput: { command: "pwd" } },
      { cancelled: false, updatedInput: { command: "pwd", cwd: "a" } },
    ],
    ["the same arguments, which change nothing", { updatedInput: { command: "ls" } }, { cancelled: false }],
    [
      "a prototype among the arguments, which is ignored",
      '{"updatedInput":{"__proto__":{"x":1},"constructor":1}}',
      { cancelled: false },
    ],
    ["no JSON, which cancels", "allow", { cancelled: true, reason: "the program did not answer with a JSON object" }],
    [
      "an unknown decision, which cancels",
      { decision: "perhaps" },
      { cancelled: true, reason: "the program answered with a decision that is not known" },
    ],
    ["arguments that are no object, which cancel", { updatedInput: 1 }, { cancelled: true }],
  ])("may answer %s", async (_name, answer, expected) => {
    expect(await fireAll([answers(answer)], "tool.pre")).toMatchObject(expected);
  });

  it("cancel by exit code as others do", async () => {
    const hook: HookDefinition = { event: "tool.pre", protocol: "json", command: "echo Why >&2; exit 1" };
    expect(await fireAll([hook], "tool.pre")).toEqual({ cancelled: true, reason: "Why" });
  });

  it.each([
    ["exit code 1", "exit 1"],
    ["a signal", "kill -9 $$"],
    ["a time-out", "sleep 100"],
  ])("have refused when they said so before %s", async (_name, end) => {
    // A time-out that leaves the hook all the time to speak.
    const { command } = answers({ decision: "deny", reason: "No" });
    const hook: HookDefinition = {
      event: "tool.pre",
      protocol: "json",
      command: `${command}; ${end}`,
      timeout: 10_000,
    };
    expect(await fireAll([hook], "tool.pre")).toEqual({ cancelled: true, reason: "No" });
  });

  it("have every other hook see what they rewrite, those before them once more", async () => {
    const look = { event: "tool.pre", command: 'printf "%s\\n" "$OPTA_TOOL_ARGS" >> seen' } as const;
    await fireAll([look, answers({ updatedInput: { command: "pwd" } })], "tool.pre");
    expect(text("seen")).toBe('{"command":"ls","cwd":"a"}\n{"command":"pwd","cwd":"a"}\n');
  });

  it("that rewrite each other's arguments without end cancel", async () => {
    const hooks = [answers({ updatedInput: { command: "a" } }), answers({ updatedInput: { command: "b" } })];
    expect(await fireAll(hooks, "tool.pre")).toMatchObject({
      cancelled: true,
      reason: expect.stringContaining("without end"),
    });
  });
});

describe("hooks that ask", () => {
  const ask = answers({ decision: "ask", reason: "Sure?" });

  it("cancel where nobody can be asked", async () => {
    expect(await fireAll([ask], "tool.pre")).toMatchObject({
      cancelled: true,
      reason: expect.stringContaining("Sure?"),
    });
  });

  it.each([
    ["approval lets the call run", async () => true, false],
    ["refusal cancels", async () => false, true],
    ["a screen that fails cancels", () => Promise.reject(new Error("gone")), true],
  ])("%s", async (_name, confirm, cancelled) => {
    expect((await fireAll([ask], "tool.pre", { confirm })).cancelled).toBe(cancelled);
  });

  it("are put in one question, with the final arguments; an approval lifts no deny", async () => {
    const asked: string[] = [];
    const confirm = async (title: string, message: string) => asked.push(`${title} ${message}`) > 0;
    const update = answers({ updatedInput: { command: "pwd" } });
    const hooks = [ask, answers({ decision: "ask", reason: "Really?" }), update];
    expect((await fireAll(hooks, "tool.pre", { confirm })).cancelled).toBe(false);
    expect(asked).toEqual([expect.stringMatching(/run_command.*"pwd"[\s\S]*Sure\?; Really\?/)]);
    const refused = await fireAll([ask, answers({ decision: "deny", reason: "No" })], "tool.pre", { confirm });
    expect([refused.cancelled, asked.length]).toEqual([true, 1]);
  });
});

describe("prompt.pre", () => {
  it("rewrites and refuses what the user typed", async () => {
    expect(await fireAll([answers({ updatedInput: { prompt: "ho" } }, "prompt.pre")], "prompt.pre")).toEqual({
      cancelled: false,
      prompt: "ho",
    });
    expect(await fireAll([answers({ updatedInput: { text: "ho" } }, "prompt.pre")], "prompt.pre")).toMatchObject({
      cancelled: true,
    });
    expect(await fireAll([{ event: "prompt.pre", command: "exit 1" }], "prompt.pre")).toMatchObject({
      cancelled: true,
    });
  });
});

describe("stop", () => {
  it("sends the agent on, with the reason", async () => {
    const hook: HookDefinition = { event: "stop", command: "echo Run the tests >&2; exit 1" };
    expect(await fireAll([hook], "stop")).toEqual({ cancelled: true, reason: "Run the tests" });
    expect(await fireAll([answers({ decision: "deny", reason: "More" }, "stop")], "stop")).toEqual({
      cancelled: true,
      reason: "More",
    });
    expect(await fireAll([{ event: "stop", command: "exit 0" }], "stop")).toEqual({ cancelled: false });
  });

  it("lets the agent stop where a hook fails", async () => {
    expect(await fireAll([answers("garbage", "stop")], "stop")).toEqual({ cancelled: false });
    expect(await fireAll([{ event: "stop", command: "sleep 1000", timeout: 100 }], "stop")).toEqual({
      cancelled: false,
    });
  });

  it("lets the agent stop when hooks send it on for ever, until it gets on with something", async () => {
    const hooks = HookManager.create([{ event: "stop", command: "exit 1" }]);
    const stops = async () => (await hooks.fire("stop", context("stop"))).cancelled;
    const seen: boolean[] = [];
    for (let i = 0; i < 9; i++) seen.push(await stops());
    expect(seen).toEqual([...Array(8).fill(true), false]);
    await hooks.fire("tool.pre", context("tool.pre"));
    expect(await stops()).toBe(true);
  });
});

describe("statusMessage", () => {
  it("is shown while the hook runs, and a screen that fails changes nothing", async () => {
    const shown: (string | undefined)[] = [];
    const hook: HookDefinition = { event: "tool.pre", command: "exit 1", statusMessage: "checking" };
    await fireAll([hook], "tool.pre", { status: (message) => void shown.push(message) });
    expect(shown).toEqual(["checking", undefined]);
    const status = () => {
      throw new Error("gone");
    };
    expect((await fireAll([hook], "tool.pre", { status })).cancelled).toBe(true);
  });
});

describe("hooks that are prompts", () => {
  const hook: HookDefinition = { event: "tool.pre", prompt: "Is this harmless?", timeout: 100 };
  const never = () => new Promise<PromptAnswer>(() => {});

  it("ask the judge of the host, with the context as data", async () => {
    const asked: PromptQuestion[] = [];
    const judge = (question: PromptQuestion): PromptAnswer => {
      asked.push(question);
      return { decision: "allow" };
    };
    expect(await fireAll([hook], "tool.pre", { judge })).toEqual({ cancelled: false });
    expect(asked[0]).toMatchObject({ prompt: "Is this harmless?", event: "tool.pre" });
    expect(JSON.parse(asked[0]?.input ?? "")).toMatchObject({ tool_args: { command: "ls" } });
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  it.each([
    ["a deny", async () => ({ decision: "deny", reason: "No" }) as const, "No"],
    ["a question to the human, where there is none", async () => ({ decision: "ask", reason: "Hm" }) as const, "Hm"],
    ["no judge", undefined, "no judge answers prompts here"],
    ["an error", () => Promise.reject(new Error("down")), "the judge failed: down"],
    ["no answer in time", never, "the judge did not answer in time"],
    ["an answer that is none", async () => "yes" as never, "the judge did not answer with a decision"],
  ] as const)("are cancelled by %s", async (_name, judge, reason) => {
    const result = await fireAll([hook], "tool.pre", judge ? { judge } : {});
    expect(result).toEqual({ cancelled: true, reason: expect.stringContaining(reason) });
  });

  it("cancel nothing after a tool, and let the agent stop when they fail", async () => {
    expect(await fireAll([{ ...hook, event: "tool.post" }], "tool.post")).toEqual({ cancelled: false });
    expect(await fireAll([{ ...hook, event: "stop" }], "stop")).toEqual({ cancelled: false });
  });

  it("have their answer observed; one that cannot be recorded is none", async () => {
    const seen: HookObservation[] = [];
    const judge = async () => ({ decision: "deny", reason: "No" }) as const;
    await fireAll([hook], "tool.pre", { judge, observe: (one) => void seen.push(one) });
    expect(seen).toMatchObject([
      { kind: "prompt", event: "tool.pre", tool: "run_command", outcome: "block", reason: "No" },
    ]);
    const observe = () => {
      throw new Error("disk is full");
    };
    const allow = async () => ({ decision: "allow" }) as const;
    expect(await fireAll([hook], "tool.pre", { judge: allow, observe })).toEqual({
      cancelled: true,
      reason: "the hooks could not be run: disk is full",
    });
  });
});
