import { describe, expect, it } from "vitest";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import { calls, loopOf, says } from "./loops.ts";
import { custom, type LooseApi, on, profileNames, result, runnerOf, text } from "./modules.ts";

/*
 * Answers of modules that are lists, and hold what is no message and no part of one: a fault of that module, which is
 * told, and never one of the run. Source: seed omp-hooks, "Event-time"; seed pi-hook-reference, section 2.
 */

const noMessages: readonly (readonly [name: string, message: unknown])[] = [
  ["null", null],
  ["a hole", undefined],
  ["a number", 1],
  ["a text", "hi"],
  ["a list", []],
  ["no role", { content: "hi" }],
  ["a role that is no text", { role: 1, content: "hi" }],
  ["a message of the user without content", { role: "user" }],
  ["content that is a number", { role: "user", content: 1 }],
  ["an answer whose content is a number", { role: "assistant", content: 1 }],
  ["an answer with null in its content", { role: "assistant", content: [null] }],
  ["a result without content", { role: "toolResult", toolCallId: "c", toolName: "read" }],
  ["what cannot be read", Object.defineProperty({}, "role", { get: () => JSON.parse("{"), enumerable: true })],
  ["a message of a module without content", { role: "custom", customType: "x" }],
  ["a command without output", { role: "bashExecution", command: "ls" }],
  ["a summary without one", { role: "branchSummary" }],
];

const noParts: readonly (readonly [name: string, part: unknown])[] = [
  ["null", null],
  ["a hole", undefined],
  ["a text", "hi"],
  ["a list", []],
  ["no type", { text: "hi" }],
  ["a text part without text", { type: "text" }],
  ["a text part whose text is a number", { type: "text", text: 1 }],
];

/** Something that nobody can look at any more. */
function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const user: AgentMessage = { role: "user", content: "go" };

describe.each(profileNames)("what is no message in the answer to `context`, profile %s", (profile) => {
  it.each(noMessages)("is a fault of its module, and the answer does not count: %s", async (_name, message) => {
    const answers = on("context", () => ({ messages: [user, message] }));
    const later = on("context", (event: { messages: AgentMessage[] }) => ({
      messages: [...event.messages, { role: "custom", ...custom("later") }],
    }));
    const { runner, errors } = runnerOf(profile, [answers, later]);
    expect(await runner.emitContext([user])).toEqual([user, { role: "custom", ...custom("later") }]);
    expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: "context", error: expect.stringContaining("message") }]);
  });

  it.each([
    ["a list that was revoked", () => revoked([])],
    ["a list of which an entry cannot be read", () => Object.defineProperty([user], 0, { get: () => JSON.parse("{") })],
  ])("and so is %s", async (_name, messages) => {
    const { runner, errors } = runnerOf(profile, [on("context", () => ({ messages: messages() }))]);
    expect([await runner.emitContext([user]), errors.length]).toEqual([undefined, 1]);
  });

  it("closes the context where faults do", async () => {
    const { runner } = runnerOf(profile, [on("context", () => ({ messages: [null] }))], { hookFaults: "closed" });
    expect(JSON.stringify(await runner.emitContext([user]))).toContain("withheld");
  });

  it("ends no run", async () => {
    const seen = loopOf([says("one")], [on("context", () => ({ messages: [null] }))], {}, profile);
    expect((await seen.loop.submit("go")).ran).toBe(true);
    expect(seen.requests[0]?.messages).toEqual([user]);
    expect(seen.errors).toHaveLength(1);
  });

  it("a host with messages in a form of its own is not corrected, and no module is blamed", async () => {
    const own = [{ role: "user", parts: ["go"] }, user] as unknown as AgentMessage[];
    const adds = on("context", (event: { messages: AgentMessage[] }) => ({ messages: [...event.messages, user] }));
    const { runner, errors } = runnerOf(profile, [adds, on("context", () => undefined)]);
    expect([await runner.emitContext(own), errors]).toEqual([[...own, user], []]);
  });

  it("a message of a role that nobody knows goes as it is", async () => {
    const odd = { role: "another", said: 1 };
    const { runner, errors } = runnerOf(profile, [on("context", () => ({ messages: [odd] }))]);
    expect([await runner.emitContext([user]), errors]).toEqual([[odd], []]);
  });
});

describe("what a module writes into the list in place", () => {
  it.each(noMessages)("is left out where it is no message: %s", async (_name, message) => {
    const writes = on("context", (event: { messages: unknown[] }) => void event.messages.unshift(message));
    const { runner, errors } = runnerOf("pi", [writes]);
    expect((await runner.emitContext([user])) ?? [user]).toEqual([user]);
    expect(errors).toHaveLength(1);
  });
});

describe("a list that a module makes unreadable in place", () => {
  it("is as it was", async () => {
    const get = () => JSON.parse("{");
    const writes = on(
      "context",
      (event: { messages: unknown[] }) => void Object.defineProperty(event.messages, 0, { get }),
    );
    const { runner, errors } = runnerOf("pi", [writes]);
    expect([(await runner.emitContext([user])) ?? [user], errors.length]).toEqual([[user], 1]);
  });
});

describe.each(profileNames)("what is no part of a result, profile %s", (profile) => {
  it.each(noParts)("is a fault of its module, and the answer does not count: %s", async (_name, part) => {
    const { runner, errors } = runnerOf(profile, [on("tool_result", () => ({ content: [text("new"), part] }))]);
    expect(await runner.emitToolResult(result("raw"))).toBeUndefined();
    expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: "tool_result", error: expect.stringContaining("part") }]);
  });

  it("withholds the result where faults close", async () => {
    const answers = on("tool_result", () => ({ content: [null] }));
    const { runner } = runnerOf(profile, [answers], { hookFaults: "closed" });
    expect(await runner.emitToolResult(result("raw"))).toMatchObject({ isError: true });
  });

  it("a part of another kind goes as it is", async () => {
    const content = [{ type: "resource", uri: "a" }];
    const { runner, errors } = runnerOf(profile, [on("tool_result", () => ({ content }))]);
    expect([(await runner.emitToolResult(result("raw")))?.content, errors]).toEqual([content, []]);
  });
});

describe.each(profileNames)("a message before the agent starts, profile %s", (profile) => {
  it.each<[string, unknown]>([
    ["nothing in it", {}],
    ["no content", { customType: "x" }],
    ["no type", { content: "hi" }],
    ["a type that is no text", { customType: 1, content: "hi" }],
    ["content that is a number", { customType: "x", content: 1 }],
    ["a part that is none", { customType: "x", content: [null] }],
    ["a list in its place", [1]],
    ["a text in its place", "hi"],
  ])("that is none is a fault of its module, and the next one's counts: %s", async (_name, message) => {
    const modules = [
      on("before_agent_start", () => ({ message })),
      on("before_agent_start", () => ({ message: custom("b") })),
    ];
    const { runner, errors } = runnerOf(profile, modules);
    const { messages } = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    expect(messages).toEqual([custom("b")]);
    expect(errors).toEqual([
      { hookPath: "/hooks/0.js", event: "before_agent_start", error: expect.stringContaining("message") },
    ]);
  });
});

describe("a message that a module sends", () => {
  it.each([
    ["a part that is none", [null]],
    ["a text part without text", [{ type: "text" }]],
  ])("is refused with %s", (_name, content) => {
    let api: LooseApi | undefined;
    loopOf([calls("read")], [(given) => void (api = given)]);
    expect(() => api?.sendMessage({ customType: "x", content, display: true } as never)).toThrow("content");
    expect(() => api?.sendUserMessage(content as never)).toThrow("parts");
  });
});
