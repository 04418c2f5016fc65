import { describe, expect, it, vi } from "vitest";
import {
  aiSdkGuard,
  claudeAgentHooks,
  langchainMiddleware,
  openaiAgentsTools,
  wrapTools,
} from "../../../adapters/frameworks/index.ts";
import { compile } from "../../../index.ts";
import { closedEngine, createEngine, type Engine } from "../../../runtime.ts";

const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");
const policy = `
version: 1
policy: p
title: Rules of these tests
default: allow
rules:
  - { id: no, title: No, event: tool_call, when: { args.text: "no" }, action: block, reason: not this }
  - { id: ask, title: Ask, event: tool_call, when: { args.text: ask }, action: ask }
  - { id: rewrite, title: Rewrite, event: tool_call, when: { args.text: old }, action: { modify: { set: { text: new } } } }
  - { id: note, title: Note, event: tool_call, when: { args.text: note }, action: { inject: { content: mind the gap } } }
  - { id: hide, title: Hide, event: tool_result, action: { redact: { detectors: ["secrets/*"] } } }
`;

function engine(): Engine {
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return createEngine(plan);
}

interface Input {
  readonly text: string;
}
const context = { cwd: "/w" };
const broken = (): Engine => ({ ...engine(), judge: () => Promise.reject(new Error("boom")) });

describe("wrapped tools", () => {
  const execute = vi.fn(async ({ text }: Input): Promise<unknown> => ({ said: text, key: secret, n: 1 }));
  const tools = wrapTools({ say: { description: "says", execute } }, engine(), context);

  it("keep everything of the tool but what runs it", () => {
    expect(tools.say.description).toBe("says");
  });

  it("do not run what is blocked, and throw the reason", async () => {
    await expect(tools.say.execute({ text: "no" })).rejects.toThrow("not this");
    expect(execute).not.toHaveBeenCalled();
  });

  it("run with rewritten arguments and redact the result in its own shape", async () => {
    expect(await tools.say.execute({ text: "old" })).toEqual({
      said: "new",
      key: expect.not.stringContaining(secret),
      n: 1,
    });
  });

  it.each([
    ["a text", "said", expect.stringMatching(/^said\n\n[\s\S]*mind the gap/)],
    ["an object", { n: 1 }, { n: 1, hookwarden: expect.stringContaining("mind the gap") }],
    ["parts", [{ type: "text", text: "a" }], [{ text: "a" }, { type: "text", text: expect.stringContaining("gap") }]],
    ["nothing", undefined, expect.stringContaining("mind the gap")],
  ])("say what a rule adds to a call beside %s", async (_, value, expected) => {
    const noted = wrapTools({ say: { execute: async (_: Input): Promise<unknown> => value } }, engine(), context);
    const said = await noted.say.execute({ text: "note" });
    if (Array.isArray(expected)) expect(said).toMatchObject(expected);
    else expect(said).toEqual(expected);
  });

  it("redact what an error says", async () => {
    const failing = wrapTools(
      { say: { execute: async (_: Input) => Promise.reject(new Error(secret)) } },
      engine(),
      context,
    );
    await expect(failing.say.execute({ text: "x" })).rejects.toThrow(expect.not.stringContaining(secret));
  });

  it.each([
    ["refused without anybody to ask", undefined, false],
    ["refused by a human", () => false, false],
    ["refused where asking fails", () => Promise.reject(new Error("gone")), false],
    ["approved by a human", () => true, true],
  ])("have an ask %s", async (_, approve, runs) => {
    const asking = wrapTools({ say: { execute } }, engine(), { ...context, ...(approve && { approve }) });
    const ran = asking.say.execute({ text: "ask" });
    if (runs) await expect(ran).resolves.toMatchObject({ said: "ask" });
    else await expect(ran).rejects.toThrow("hookwarden");
  });

  it("judge every value of a stream before anybody has it", async () => {
    async function* values(_: Input): AsyncGenerator<unknown> {
      yield "first";
      yield secret;
    }
    const streamed = wrapTools({ say: { execute: values } }, engine(), context);
    const seen: unknown[] = [];
    for await (const value of await streamed.say.execute({ text: "x" })) seen.push(value);
    expect(seen).toEqual(["first", expect.not.stringContaining(secret)]);
  });

  it("refuse when nobody can judge", async () => {
    execute.mockClear();
    await expect(wrapTools({ say: { execute } }, broken(), context).say.execute({ text: "x" })).rejects.toThrow(
      "HW506",
    );
    const closed = closedEngine(undefined, { code: "HW508", message: "no plan" });
    await expect(wrapTools({ say: { execute } }, closed, context).say.execute({ text: "x" })).rejects.toThrow("HW508");
    expect(execute).not.toHaveBeenCalled();
  });

  it("are no tools that run elsewhere, unless that is said", () => {
    expect(() => wrapTools({ web: {} }, engine())).toThrow(TypeError);
    expect(wrapTools({ web: {} }, engine(), { foreign: "keep" })).toEqual({ web: {} });
  });
});

describe("AI SDK", () => {
  const run = (text: string, toolCallId = "c1") => ({ toolCall: { toolName: "say", toolCallId, input: { text } } });
  const options = (toolCallId: string) => ({ toolCallId });

  it("is told of a refusal and of a question", async () => {
    const guard = aiSdkGuard(engine(), context);
    expect(await guard.toolApproval(run("no"))).toEqual({
      type: "denied",
      reason: expect.stringContaining("not this"),
    });
    expect(await guard.toolApproval(run("ask"))).toEqual({ type: "user-approval" });
    expect(await guard.toolApproval(run("yes"))).toBeUndefined();
    expect(await aiSdkGuard(broken(), context).toolApproval(run("yes"))).toMatchObject({ type: "denied" });
  });

  it("runs what it asked about, and only that call with those arguments", async () => {
    const guard = aiSdkGuard(engine(), context);
    const { say } = guard.tools({ say: { execute: async ({ text }: Input, _options: object) => text } });
    await guard.toolApproval(run("ask", "c1"));
    await expect(say.execute({ text: "ask" }, options("c2"))).rejects.toThrow("hookwarden");
    expect(await say.execute({ text: "ask" }, options("c1"))).toBe("ask");
    await expect(say.execute({ text: "ask" }, options("c1"))).rejects.toThrow("hookwarden");
  });

  it("judges a call once", async () => {
    const judge = engine();
    const events: string[] = [];
    const seen = {
      ...judge,
      judge: (event: unknown) => (events.push((event as { event: string }).event), judge.judge(event)),
    };
    const guard = aiSdkGuard({ ...seen, answer: (given) => judge.answer(given) }, context);
    const { say } = guard.tools({ say: { execute: async ({ text }: Input, _options: object) => text } });
    await guard.toolApproval(run("yes"));
    await say.execute({ text: "yes" }, options("c1"));
    expect(events).toEqual(["tool_call", "tool_result"]);
  });
});

describe("OpenAI Agents", () => {
  const invoke = vi.fn(async (_context: never, input: string) => `${input} ${secret}`);
  const tool = { type: "function", name: "say", invoke, needsApproval: async () => false };
  const [guarded] = openaiAgentsTools([tool], engine(), context) as [typeof tool];
  const called = (text: string) => guarded.invoke(undefined as never, JSON.stringify({ text }));

  it("gets the reason of a refusal as the result", async () => {
    expect(await called("no")).toContain("not this");
    expect(invoke).not.toHaveBeenCalled();
  });

  it("gets rewritten arguments and redacted results", async () => {
    const said = await called("old");
    expect(said).toContain('{"text":"new"}');
    expect(said).not.toContain(secret);
  });

  it("gets what a rule adds to a call beside its result", async () => {
    expect(await called("note")).toMatch(/"note"[\s\S]*mind the gap/);
  });

  it("asks its own human", async () => {
    const needs = guarded.needsApproval as unknown as (c: unknown, input: unknown, id: string) => Promise<boolean>;
    expect(await needs(undefined, { text: "ask" }, "c1")).toBe(true);
    expect(await needs(undefined, { text: "yes" }, "c2")).toBe(false);
    expect(await called("ask")).toContain("approve");
  });

  it("has no place for a guard on other tools", () => {
    expect(() => openaiAgentsTools([{ type: "shell", name: "shell" }], engine())).toThrow(TypeError);
  });
});

describe("LangChain", () => {
  class ToolMessage {
    readonly fields: Readonly<Record<string, unknown>>;
    constructor(fields: object) {
      this.fields = { ...fields };
    }
  }
  const { wrapToolCall } = langchainMiddleware(engine(), ToolMessage, context);
  const request = (text: string) => ({ toolCall: { name: "say", args: { text }, id: "c1" } });

  it("answers a refused call with a message that says why", async () => {
    const handler = vi.fn();
    const answer = await wrapToolCall(request("no"), handler);
    expect(answer).toBeInstanceOf(ToolMessage);
    expect((answer as ToolMessage).fields).toMatchObject({
      status: "error",
      tool_call_id: "c1",
      content: expect.stringContaining("not this"),
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it("hands on rewritten arguments and redacts message and artifact", async () => {
    const answer = await wrapToolCall(request("old"), async ({ toolCall }) => ({
      content: `${toolCall.args.text} ${secret}`,
      artifact: { key: secret },
      lc_kwargs: { content: secret },
    }));
    expect(answer.content).toMatch(/^new /);
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  it("hands on what a rule adds to a call beside its message", async () => {
    const answer = await wrapToolCall(request("note"), async () => ({ content: "said" }));
    expect(answer.content).toMatch(/^said[\s\S]*mind the gap/);
  });

  it("redacts the messages of a command of the graph", async () => {
    const answer = await wrapToolCall(request("x"), async () => ({
      update: { messages: [{ content: secret }], n: 1 },
    }));
    expect(answer.update).toEqual({ messages: [{ content: expect.not.stringContaining(secret) }], n: 1 });
  });
});

describe("the Claude Agent SDK", () => {
  const call = (text: string) => ({
    session_id: "s1",
    cwd: "/w",
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Say",
    tool_input: { text },
    tool_use_id: "c1",
  });
  const hook = (judge: Engine) => claudeAgentHooks(judge, context).PreToolUse[0]?.hooks[0];

  it.each([
    ["no", { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("not this") }],
    ["ask", { permissionDecision: "ask", permissionDecisionReason: expect.any(String) }],
    ["old", { updatedInput: { text: "new" } }],
    ["note", { additionalContext: expect.stringContaining("mind the gap") }],
  ])("gets the document of Claude Code's own hooks for `%s`", async (text, fields) => {
    expect(await hook(engine())?.(call(text))).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", ...fields },
    });
  });

  const stopsNever = (): Engine => {
    const rule = "  - { id: on, title: On, event: [stop, subagent_stop], action: block, reason: not done yet }\n";
    const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy + rule) }] });
    return createEngine(plan);
  };
  const about = (name: string, session = "s1") => ({ session_id: session, cwd: "/w", hook_event_name: name });

  it.each(["Stop", "SubagentStop"] as const)(
    "sends an agent on at `%s`, and lets it stop when that has no end",
    async (name) => {
      const hooks = claudeAgentHooks(stopsNever(), context);
      const stop = async (session?: string) => hooks[name][0]?.hooks[0]?.(about(name, session));
      for (let n = 0; n < 8; n++)
        expect(await stop()).toEqual({ decision: "block", reason: expect.stringContaining("not done yet") });
      expect(await stop("s2")).toMatchObject({ decision: "block" });
      expect(await stop()).toEqual({});
      expect(await stop()).toMatchObject({ decision: "block" });
    },
  );

  it("refuses a prompt", async () => {
    const rule = "  - { id: prompt, title: Prompt, event: input, action: block, reason: not that }\n";
    const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy + rule) }] });
    const hooks = claudeAgentHooks(createEngine(plan), context);
    expect(await hooks.UserPromptSubmit[0]?.hooks[0]?.({ ...about("UserPromptSubmit"), prompt: "hi" })).toEqual({
      decision: "block",
      reason: expect.stringContaining("not that"),
    });
  });

  it("is refused what nobody can judge", async () => {
    expect(await hook(broken())?.(call("x"))).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });
});
