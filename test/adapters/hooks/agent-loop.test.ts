import { describe, expect, it } from "vitest";
import { AgentLoop } from "../../../adapters/hooks/agent-loop.ts";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import { calls, loopOf, only, reading, type Seen, says, types } from "./loops.ts";
import { custom, gate, type LooseFactory, on, profileNames, runnerOf, text } from "./modules.ts";

describe("the agent loop fires every event at its moment (pi-hook-reference sections 1 to 4)", () => {
  it("a prompt: input, before_agent_start, agent_start, turns, agent_end, each once per run", async () => {
    const seen = loopOf([calls("read"), says("done")]);
    await seen.loop.submit("go");
    expect(types(seen)).toEqual([
      "input",
      "before_agent_start",
      "agent_start",
      "turn_start",
      "context",
      "turn_end",
      "turn_start",
      "context",
      "turn_end",
      "agent_end",
    ]);
    expect(only(seen, "agent_start")).toEqual([{ type: "agent_start" }]);
  });

  it("before_agent_start fires once per prompt, never on later turns", async () => {
    const seen = loopOf([calls("read"), calls("read"), says("one"), says("two")]);
    await seen.loop.submit("first");
    expect(only(seen, "before_agent_start")).toHaveLength(1);
    await seen.loop.submit("second");
    expect(only(seen, "before_agent_start").map((event) => event["prompt"])).toEqual(["first", "second"]);
  });

  it("context fires before every model call: three calls that loop back make four", async () => {
    const seen = loopOf([calls("read"), calls("read"), calls("read"), says("done")]);
    await seen.loop.submit("go");
    expect([only(seen, "context").length, seen.requests.length]).toEqual([4, 4]);
  });

  it("turns count from 0 in each run and carry when they began", async () => {
    const seen = loopOf([calls("read"), says("one"), says("two")]);
    await seen.loop.submit("first");
    await seen.loop.submit("second");
    const turns = only(seen, "turn_start").map((event) => [event["turnIndex"], event["timestamp"]]);
    expect(turns).toEqual([
      [0, 7],
      [1, 7],
      [0, 7],
    ]);
  });

  it("turn_end comes after every tool of the turn and carries the answer and the results", async () => {
    const seen = loopOf([calls("read", "fail"), says("done")]);
    await seen.loop.submit("go");
    const [end] = only(seen, "turn_end");
    const results = end?.["toolResults"] as { toolName: string; isError: boolean }[];
    expect(results.map((result) => [result.toolName, result.isError])).toEqual([
      ["read", false],
      ["fail", true],
    ]);
    expect(end?.["message"]).toEqual(calls("read", "fail"));
    expect(only(seen, "turn_end").map((event) => event["turnIndex"])).toEqual([0, 1]);
    const order = seen.events.map((event) => event.type);
    expect(order.lastIndexOf("tool_execution_end")).toBeLessThan(order.indexOf("turn_end"));
  });

  it("agent_end carries the new messages of this run only; the session manager has the whole history", async () => {
    const seen = loopOf([says("one"), says("two")]);
    await seen.loop.submit("first");
    await seen.loop.submit("second");
    const last = only(seen, "agent_end").at(-1)?.["messages"];
    expect(last).toEqual([{ role: "user", content: "second" }, says("two")]);
    expect(seen.loop.history).toHaveLength(4);
  });

  it("messages of before_agent_start stand after the user message, each one custom message; `display` hides none from the model", async () => {
    const adds = (content: string) =>
      on("before_agent_start", () => ({ message: { ...custom(content), display: false, details: { n: 1 } } }));
    const seen = loopOf([says("done")], [adds("A"), adds("B")]);
    await seen.loop.submit("go");
    const message = (content: string) => ({ role: "custom", ...custom(content), display: false, details: { n: 1 } });
    expect(seen.loop.history.slice(0, 3)).toEqual([{ role: "user", content: "go" }, message("A"), message("B")]);
    expect(only(seen, "context")[0]?.["messages"]).toEqual(seen.loop.history.slice(0, 3));
  });

  it("on the way to the model every message has a role that models know; a port may ask for the raw ones", async () => {
    const adds = on("before_agent_start", () => ({ message: { ...custom("A"), display: false } }));
    const said = { role: "user" as const, content: "go" };
    const seen = loopOf([says("done")], [adds]);
    await seen.loop.submit("go");
    expect(seen.requests[0]?.messages).toEqual([said, { role: "user", content: "A" }]);
    const raw = loopOf([says("done")], [adds], { rawMessages: true });
    await raw.loop.submit("go");
    expect(raw.requests[0]?.messages).toEqual([said, { role: "custom", ...custom("A"), display: false }]);
  });

  it("the context holds the history, the prompt, injected messages and earlier results, and no system prompt", async () => {
    const seen = loopOf(
      [says("old"), calls("read"), says("new")],
      [on("before_agent_start", () => ({ message: custom("i") }))],
    );
    await seen.loop.submit("first");
    await seen.loop.submit("second");
    const messages = only(seen, "context").at(-1)?.["messages"] as AgentMessage[];
    expect(messages.map((message) => message.role)).toEqual([
      "user",
      "custom",
      "assistant",
      "user",
      "custom",
      "assistant",
      "toolResult",
    ]);
    expect(JSON.stringify(messages)).not.toContain("base");
    expect(Object.keys(only(seen, "context")[0] ?? {}).sort()).toEqual(["messages", "type"]);
  });

  it("a steering message becomes the input of the next turn, and the run goes on for it", async () => {
    const steered: AgentMessage = { role: "user", content: "stop that" };
    const steers = on("turn_end", (event: { turnIndex: number }) => {
      if (event.turnIndex === 0) seen.loop.steer(steered);
    });
    const seen: Seen = loopOf([says("one"), says("two")], [steers]);
    await seen.loop.submit("go");
    expect(seen.requests[1]?.messages).toEqual([{ role: "user", content: "go" }, says("one"), steered]);
    expect(only(seen, "agent_end").map((event) => (event["messages"] as unknown[]).length)).toEqual([4]);
  });

  it("a system prompt holds for one run: the next starts from the base again", async () => {
    let runs = 0;
    const once = on("before_agent_start", (event: { systemPrompt: string }) => {
      runs += 1;
      return runs === 1 ? { systemPrompt: `${event.systemPrompt}+` } : undefined;
    });
    const seen = loopOf([calls("read"), says("one"), says("two")], [once]);
    await seen.loop.submit("first");
    await seen.loop.submit("second");
    expect(seen.requests.map((request) => request.systemPrompt)).toEqual(["base+", "base+", "base"]);
  });

  it("the base prompt is asked for anew in each run, so that loaded resources are in it", async () => {
    const skills: string[] = [];
    const seen = loopOf([says("one"), says("two")], [], { systemPrompt: () => ["base", ...skills].join(" ") });
    await seen.loop.submit("first");
    skills.push("and a skill");
    await seen.loop.submit("second");
    expect(seen.requests.map((request) => request.systemPrompt)).toEqual(["base", "base and a skill"]);
  });

  it("what a context handler changes reaches this model call and no other, and the session keeps its own", async () => {
    let turn = 0;
    const once = on("context", () => (turn++ === 0 ? { messages: [{ role: "user", content: "other" }] } : undefined));
    const seen = loopOf([calls("read"), says("done")], [once]);
    await seen.loop.submit("go");
    expect(seen.requests[0]?.messages).toEqual([{ role: "user", content: "other" }]);
    expect(seen.requests[1]?.messages[0]).toEqual({ role: "user", content: "go" });
    expect(seen.saved[0]).toEqual({ role: "user", content: "go" });
  });

  it("message_start and message_end frame every message, update only the streaming answer; at its end a message is saved", async () => {
    const seen = loopOf([calls("read"), says("done")], [on("before_agent_start", () => ({ message: custom("i") }))]);
    await seen.loop.submit("go");
    const roles = (type: string) => only(seen, type).map((event) => (event["message"] as AgentMessage).role);
    const all = ["user", "custom", "assistant", "toolResult", "assistant"];
    expect([roles("message_start"), roles("message_end")]).toEqual([all, all]);
    expect(only(seen, "message_update").map((event) => [event["message"], event["assistantMessageEvent"]])).toEqual([
      [says("done"), { token: "d" }],
    ]);
    expect(seen.saved.map((message) => message.role)).toEqual(all);
  });

  it("a message that has begun and not ended is not in the session yet", async () => {
    const begun: number[] = [];
    const notes = on("message_start", () => void begun.push(seen.saved.length));
    const seen: Seen = loopOf([calls("read"), says("done")], [notes]);
    await seen.loop.submit("go");
    expect([begun, seen.saved.length]).toEqual([[0, 1, 2, 3], 4]);
  });

  it.each<AgentMessage>([
    { role: "bashExecution", command: "ls", output: "a", cancelled: false, truncated: false },
    { role: "compactionSummary", summary: "c" },
    { role: "branchSummary", summary: "d" },
  ])("the context holds messages of role $role too", async (message) => {
    const seen = loopOf([says("done")]);
    seen.loop.history.push(message);
    await seen.loop.submit("go");
    expect(only(seen, "context")[0]?.["messages"]).toEqual([message, { role: "user", content: "go" }]);
  });

  it("turn_start comes before the messages of the turn: the human's first, later those that steer", async () => {
    const steers = on("turn_end", (event: { turnIndex: number }) => {
      if (event.turnIndex === 0) seen.loop.steer({ role: "user", content: "more" });
    });
    const seen: Seen = loopOf([says("one"), says("two")], [steers]);
    await seen.loop.submit("go");
    const order = seen.events.map((event) => [event.type, (event["message"] as AgentMessage | undefined)?.role]);
    const turn = [
      ["turn_start", undefined],
      ["message_start", "user"],
      ["message_end", "user"],
      ["context", undefined],
    ];
    const at = order.findIndex(([type]) => type === "agent_start");
    expect(order.slice(at, at + 5)).toEqual([["agent_start", undefined], ...turn]);
    const second = order.findLastIndex(([type]) => type === "turn_start");
    expect(order.slice(second, second + 4)).toEqual(turn);
  });

  it("a message is in the session before handlers hear of its end", async () => {
    const kept: boolean[] = [];
    const looks = on("message_end", (event: { message: AgentMessage }) => {
      kept.push(seen.saved.at(-1) === event.message);
    });
    const seen: Seen = loopOf([calls("read"), says("done")], [looks]);
    await seen.loop.submit("go");
    expect(kept).toEqual([true, true, true, true]);
  });

  it("tool events: execution start, tool_call, update, tool_result, execution end, with their fields", async () => {
    const seen = loopOf([calls("read"), says("done")]);
    await seen.loop.submit("go");
    const tools = seen.events.filter((event) => event.type.startsWith("tool_"));
    expect(tools.map((event) => event.type)).toEqual([
      "tool_execution_start",
      "tool_call",
      "tool_execution_update",
      "tool_result",
      "tool_execution_end",
    ]);
    const [start, asked, update, , end] = tools;
    const head = { toolCallId: "c0", toolName: "read" };
    expect(start).toEqual({ type: "tool_execution_start", ...head, args: { path: "a" } });
    expect(asked).toEqual({ type: "tool_call", ...head, input: { path: "a" } });
    expect(update).toMatchObject({ ...head, partialResult: { content: [text("half")] } });
    expect(end).toMatchObject({ ...head, isError: false, result: { content: [text("whole")] } });
  });

  it("a blocked call reaches the model as an error result with the reason, and the run goes on", async () => {
    const seen = loopOf([calls("read"), says("done")], [on("tool_call", () => ({ block: true, reason: "read-only" }))]);
    await seen.loop.submit("go");
    expect(seen.requests[1]?.messages.at(-1)).toMatchObject({
      role: "toolResult",
      toolCallId: "c0",
      content: [text("read-only")],
      isError: true,
    });
    expect(only(seen, "tool_result")).toEqual([]);
  });

  it("a failed tool's result can be changed before it reaches the model", async () => {
    const mends = on("tool_result", (event: { isError: boolean; content: { text: string }[] }) => ({
      content: [text(`${event.content[0]?.text} (known)`)],
      isError: !event.isError,
    }));
    const seen = loopOf([calls("fail"), says("done")], [mends]);
    await seen.loop.submit("go");
    expect(seen.requests[1]?.messages.at(-1)).toMatchObject({ content: [text("broken (known)")], isError: false });
  });

  it("an unknown tool is an error result, and a handled input calls no model", async () => {
    const unknown = loopOf([calls("none"), says("done")]);
    await unknown.loop.submit("go");
    expect(unknown.requests[1]?.messages.at(-1)).toMatchObject({ isError: true });
    const handled = loopOf([], [on("input", () => ({ action: "handled" }))]);
    expect(await handled.loop.submit("go")).toEqual({ ran: false, by: "input" });
    expect([handled.requests, types(handled)]).toEqual([[], []]);
  });

  it("extension commands come before input, built-in commands and expansion after it", async () => {
    const builtIn = (given: string) => given === "/new";
    const expand = (given: string) => given.replace("/skill", "the skill's text");
    const turns = on("input", (event: { text: string }) => ({ action: "transform", text: event.text.slice(1) }));
    const deploy: LooseFactory = (api) => api.registerCommand("deploy", { handler: () => undefined });
    const seen = loopOf([], [deploy, turns], { builtIn, expand });
    expect(await seen.loop.submit("/deploy")).toEqual({ ran: false, by: "command" });
    expect(only(seen, "input")).toEqual([]);
    expect(await seen.loop.submit("x/new")).toEqual({ ran: false, by: "builtin" });
    await seen.loop.submit("x/skill");
    expect(only(seen, "before_agent_start").map((event) => event["prompt"])).toEqual(["the skill's text"]);
    await seen.loop.submit("//new");
    expect(only(seen, "input").map((event) => event["text"])).toEqual(["/new", "/skill", "/new"]);
  });

  it("a built-in command can be transformed into something else", async () => {
    const turns = on("input", () => ({ action: "transform", text: "tell me more" }));
    const seen = loopOf([], [turns], { builtIn: (given) => given === "/new" });
    expect((await seen.loop.submit("/new")).ran).toBe(true);
  });

  it.each(["interactive", "rpc", "extension"] as const)(
    "input tells its source: %s, and images travel",
    async (source) => {
      const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
      const seen = loopOf([]);
      await seen.loop.submit("go", [image], source);
      expect(only(seen, "input")[0]).toEqual({ type: "input", text: "go", source, images: [image] });
      expect(only(seen, "before_agent_start")[0]?.["images"]).toEqual([image]);
      expect(seen.loop.history[0]).toEqual({ role: "user", content: [text("go"), image] });
    },
  );
});

describe.each(profileNames)("a policy in the agent loop, profile %s", (profile) => {
  it("judges each call, result, context and start of a run that goes through the loop", async () => {
    const judged: string[] = [];
    const policy = gate({
      toolCall: () => void judged.push("tool_call"),
      toolResult: () => void judged.push("tool_result"),
      context: (messages) => {
        judged.push("context");
        return messages;
      },
      beforeAgentStart: () => void judged.push("before_agent_start"),
      input: () => void judged.push("input"),
      observe: (event) => void judged.push(event.type),
    });
    const { runner } = runnerOf(profile, [], { policy });
    const answers = [calls("read"), says("done")];
    const model = async () => answers.shift() ?? says("done");
    await new AgentLoop(runner, { tools: [reading], systemPrompt: () => "base", model }).submit("go");
    for (const name of [
      "input",
      "before_agent_start",
      "context",
      "tool_call",
      "tool_result",
      "turn_end",
      "agent_end",
    ]) {
      expect(judged).toContain(name);
    }
  });
});
