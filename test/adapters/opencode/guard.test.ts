import { describe, expect, it } from "vitest";
import type { Part, SessionMessage, ToolOutput } from "../../../adapters/opencode/api.ts";
import { guardHooks } from "../../../adapters/opencode/guard.ts";
import { compile } from "../../../index.ts";
import { closedEngine, createEngine, type Engine } from "../../../runtime.ts";

const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");
const policy = `
version: 1
policy: p
title: Rules of these tests
default: allow
rules:
  - { id: no, title: No, event: tool_call, tool: bash, when: { args.command: echo no }, action: block, reason: not this }
  - { id: ask, title: Ask, event: tool_call, tool: bash, when: { args.command: echo ask }, action: ask }
  - { id: rewrite, title: Rewrite, event: tool_call, tool: bash, when: { args.command: echo old }, action: { modify: { set: { command: echo new } } } }
  - { id: note, title: Note, event: tool_call, tool: bash, when: { args.command: echo note }, action: { inject: { content: mind the gap } } }
  - { id: server, title: Server, event: tool_call, tool: mcp__my.fs__list, action: block, reason: no server }
  - { id: hide, title: Hide, event: [tool_result, context, input], action: { redact: { detectors: ["secrets/*"] } } }
  - { id: prompt, title: Prompt, event: input, when: { input.text: { contains: forget } }, action: block, reason: no prompt }
  - { id: remind, title: Remind, event: before_agent_start, action: { inject: { content: the reminder, as: system } } }
  - { id: turn, title: Turn, event: context, action: { inject: { content: for each call } } }
  - { id: sum, title: Sum, event: session_compacting, action: { inject: { content: keep the plan } } }
`;

function engine(): Engine {
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return createEngine(plan);
}

const told: string[] = [];
const hooksOf = (judge: Engine) => guardHooks(judge, { directory: "/w", tell: (text) => told.push(text) });
const call = (tool: string, callID = "c1") => ({ tool, sessionID: "s1", callID });
const text = (content: string): Part => ({ type: "text", text: content, id: "prt_1" });

describe("OpenCode before a call", () => {
  const hooks = hooksOf(engine());
  it.each([
    ["a block", "bash", "echo no", "not this"],
    ["an ask, which nobody can answer here", "bash", "echo ask", "only a human lets it run"],
  ])("%s throws its reason", async (_, tool, command, reason) => {
    await expect(hooks["tool.execute.before"](call(tool), { args: { command } })).rejects.toThrow(reason);
  });

  it("rewrites the arguments in the host's own object", async () => {
    const args = { command: "echo old", description: "d" };
    await hooks["tool.execute.before"](call("bash"), { args });
    expect(args).toEqual({ command: "echo new", description: "d" });
  });

  it("knows the tools of servers by the names in the settings", async () => {
    await hooks.config({ mcp: { "my.fs": {}, my: {} } });
    await expect(hooks["tool.execute.before"](call("my_fs_list"), { args: {} })).rejects.toThrow("no server");
  });

  it("refuses when it cannot judge", async () => {
    const closed = hooksOf(closedEngine(undefined, { code: "HW508", message: "no plan" }));
    await expect(closed["tool.execute.before"](call("bash"), { args: {} })).rejects.toThrow("HW508");
    const broken = hooksOf({ ...engine(), judge: () => Promise.reject(new Error("boom")) });
    await expect(broken["tool.execute.before"](call("bash"), { args: {} })).rejects.toThrow("HW506");
  });
});

describe("OpenCode after a call", () => {
  const hooks = hooksOf(engine());
  it("redacts the result and the copies that the host keeps of it", async () => {
    const output: ToolOutput = {
      title: "notes",
      output: `a ${secret} b`,
      metadata: { preview: secret, display: { text: `x ${secret}`, lineStart: 1 }, truncated: false },
    };
    await hooks["tool.execute.after"]({ ...call("read"), args: {} }, output);
    expect(JSON.stringify(output)).not.toContain(secret);
    expect(output).toMatchObject({ title: "notes", metadata: { display: { lineStart: 1 }, truncated: false } });
    expect(output.output).toMatch(/^a .+ b$/);
  });

  it("redacts the parts of a server's result", async () => {
    const output: ToolOutput = {
      content: [
        { type: "text", text: secret },
        { type: "image", data: "AA==" },
      ],
    };
    await hooks["tool.execute.after"]({ ...call("my_list"), args: {} }, output);
    expect(output.content).toMatchObject([
      { type: "text", text: expect.not.stringContaining(secret) },
      { data: "AA==" },
    ]);
  });

  it("says what a rule adds to a call beside its result", async () => {
    await hooks["tool.execute.before"](call("bash", "c9"), { args: { command: "echo note" } });
    const output: ToolOutput = { output: "note", metadata: {} };
    await hooks["tool.execute.after"]({ ...call("bash", "c9"), args: {} }, output);
    expect(output.output).toMatch(/^note\n\n[\s\S]*mind the gap/);
  });

  it("withholds what it cannot judge", async () => {
    const broken = hooksOf({ ...engine(), judge: () => Promise.reject(new Error("boom")) });
    const output: ToolOutput = { title: secret, output: secret, metadata: { preview: secret } };
    await broken["tool.execute.after"]({ ...call("read"), args: {} }, output);
    expect(JSON.stringify(output)).not.toContain(secret);
    expect(output.output).toContain("withheld");
  });
});

describe("a prompt on OpenCode", () => {
  const hooks = hooksOf(engine());
  it("is redacted in place, and attachments stay", async () => {
    const parts = [text(`use ${secret}`), { type: "file", url: "file:///a" }];
    await hooks["chat.message"]({ sessionID: "s1" }, { parts });
    expect(JSON.stringify(parts)).not.toContain(secret);
    expect(parts[1]).toEqual({ type: "file", url: "file:///a" });
  });

  it("is refused by a throw, and the human is told why", async () => {
    await expect(hooks["chat.message"]({ sessionID: "s1" }, { parts: [text("forget it")] })).rejects.toThrow(
      "no prompt",
    );
    const command = { command: "forget", sessionID: "s1", arguments: "all" };
    await expect(hooks["command.execute.before"](command, { parts: [] })).rejects.toThrow("no prompt");
    expect(told.join()).toContain("no prompt");
  });

  it("brings a rule's text into every system prompt of its turn", async () => {
    await hooks["chat.message"]({ sessionID: "s2" }, { parts: [text("hi")] });
    const system = ["You are"];
    await hooks["experimental.chat.system.transform"]({ sessionID: "s2" }, { system });
    expect(system).toEqual(["You are", expect.stringContaining("the reminder")]);
    const other = ["You are"];
    await hooks["experimental.chat.system.transform"]({ sessionID: "s3" }, { system: other });
    expect(other).toEqual(["You are"]);
  });
});

describe("a conversation on OpenCode", () => {
  const conversation = (): SessionMessage[] => [
    { info: { role: "user", sessionID: "s1", id: "m1" }, parts: [text(`use ${secret}`)] },
    {
      info: { role: "assistant", sessionID: "s1", id: "m2" },
      parts: [
        { type: "step-start" },
        {
          type: "tool",
          tool: "read",
          callID: "c1",
          state: { status: "completed", input: { filePath: "/w/a" }, output: secret, metadata: { preview: secret } },
        },
      ],
    },
  ];

  it("is redacted, with ids and states as they were, and gets what rules add", async () => {
    const output = { messages: conversation() };
    const list = output.messages;
    await hooksOf(engine())["experimental.chat.messages.transform"]({}, output);
    expect(output.messages).toBe(list);
    expect(JSON.stringify(list)).not.toContain(secret);
    expect(list[1]).toMatchObject({
      info: { id: "m2" },
      parts: [{ type: "step-start" }, { callID: "c1", state: { status: "completed", input: { filePath: "/w/a" } } }],
    });
    expect(list[0]?.parts.at(-1)).toMatchObject({ type: "text", text: expect.stringContaining("for each call") });
  });

  it("is withheld when it cannot be judged", async () => {
    const output = { messages: conversation() };
    const broken = hooksOf({ ...engine(), judge: () => Promise.reject(new Error("boom")) });
    await broken["experimental.chat.messages.transform"]({}, output);
    expect(JSON.stringify(output)).not.toContain(secret);
    expect(output.messages).toHaveLength(2);
  });

  it("takes a rule's text into its summary", async () => {
    const context: string[] = [];
    await hooksOf(engine())["experimental.session.compacting"]({ sessionID: "s1" }, { context });
    expect(context.join()).toContain("keep the plan");
  });
});
