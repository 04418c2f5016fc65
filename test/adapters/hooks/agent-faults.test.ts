import { describe, expect, it } from "vitest";
import type { AgentLoopPorts } from "../../../adapters/hooks/agent-loop.ts";
import type { AgentMessage, AssistantMessage } from "../../../adapters/hooks/messages.ts";
import { calls, loopOf, only, type Seen, says, told } from "./loops.ts";
import { gate, type LooseFactory, on, profileNames, type Setup, text } from "./modules.ts";

/** Every event that starts something, with the one that ends it and what makes both the same thing. */
const pairs: readonly [start: string, end: string, same: (event: Seen["events"][number]) => unknown][] = [
  ["agent_start", "agent_end", () => "run"],
  ["turn_start", "turn_end", (event) => event["turnIndex"]],
  ["message_start", "message_end", (event) => (event["message"] as AgentMessage).role],
  ["tool_execution_start", "tool_execution_end", (event) => event["toolCallId"]],
];

const starts = (seen: Seen, name: string) => only(seen, name).length;

function expectEnded(seen: Seen): void {
  for (const [start, end, same] of pairs) {
    expect([end, only(seen, end).map(same)]).toEqual([end, only(seen, start).map(same)]);
  }
}

const broken = () => {
  throw new Error("broken");
};
const savesUntil = (role: AgentMessage["role"]) => (message: AgentMessage) => {
  if (message.role === role) broken();
};

interface Fault {
  readonly modules?: readonly LooseFactory[];
  readonly more?: Partial<AgentLoopPorts> & Setup;
  readonly rejects: boolean;
}

const partial: AssistantMessage = { role: "assistant", content: [text("half"), ...calls("read").content] };

const faults: Readonly<Record<string, Fault>> = {
  "the model rejects": { more: { model: async () => broken() }, rejects: true },
  "the model throws before it answers": { more: { model: broken }, rejects: true },
  "the model fails in the middle of its answer": {
    more: {
      model: async (request) => {
        await request.update(partial, { token: "d" });
        return broken();
      },
    },
    rejects: true,
  },
  "the model tells parts without waiting, and fails": {
    more: {
      model: async (request) => {
        void request.update(partial, 1);
        void request.update(partial, 2);
        return broken();
      },
    },
    rejects: true,
  },
  "the model answers nothing that can be read": { more: { model: async () => undefined as never }, rejects: true },
  "a tool throws": { more: { tools: [{ name: "read", execute: async () => broken() }] }, rejects: false },
  "a tool answers nothing": {
    more: { tools: [{ name: "read", execute: async () => undefined as never }] },
    rejects: false,
  },
  "a tool answers no content": {
    more: { tools: [{ name: "read", execute: async () => ({}) as never }] },
    rejects: false,
  },
  "saving the human's message fails": { more: { save: savesUntil("user") }, rejects: true },
  "saving the answer fails": { more: { save: savesUntil("assistant") }, rejects: true },
  "saving a result fails": { more: { save: savesUntil("toolResult") }, rejects: true },
  "saving and the model fail": { more: { model: broken, save: savesUntil("assistant") }, rejects: true },
  "the clock fails": { more: { now: broken }, rejects: true },
  "the policy fails in every event": {
    more: {
      policy: gate({ toolCall: broken, toolResult: broken, context: broken, observe: broken, errorText: broken }),
    },
    rejects: false,
  },
  ...Object.fromEntries(
    told.map((name) => [`a handler of ${name} throws`, { modules: [on(name, broken)], rejects: false }]),
  ),
  ...Object.fromEntries(
    told.map((name) => [
      `a handler of ${name} throws, faults closed`,
      { modules: [on(name, broken)], more: { hookFaults: "closed" as const }, rejects: false },
    ]),
  ),
};

describe("what has started ends, whatever fails (pi-hook-reference sections 2 to 4)", () => {
  it.each(Object.entries(faults))("%s", async (_name, { modules = [], more = {}, rejects }) => {
    const seen = loopOf([calls("read"), says("done")], [...modules], more);
    const ended = await seen.loop.submit("go").then(
      () => false,
      () => true,
    );
    expect(ended).toBe(rejects);
    expectEnded(seen);
    const handled = only(seen, "agent_start").length === 0;
    expect(handled).toBe(_name.startsWith("a handler of input throws, faults closed"));
    if (!handled && !_name.startsWith("the clock")) expect(starts(seen, "turn_start")).toBeGreaterThan(0);
  });

  it("a run whose model fails tells the failure as a message that no model is sent, and the fault reaches the caller", async () => {
    let fails = true;
    const seen: Seen = loopOf([], [], {
      model: async (request) => {
        seen.requests.push(request);
        if (fails) await request.update(partial, 1);
        return fails ? broken() : says("done");
      },
    });
    await expect(seen.loop.submit("go")).rejects.toThrow("broken");
    const failed = { role: "assistant", content: [text("half")], stopReason: "error", errorMessage: "broken" };
    expect(only(seen, "agent_end")[0]?.["messages"]).toEqual([{ role: "user", content: "go" }, failed]);
    expect(only(seen, "turn_end")[0]).toMatchObject({ message: failed, toolResults: [] });
    expect(seen.saved.at(-1)).toEqual(failed);
    fails = false;
    await seen.loop.submit("again");
    expect(seen.requests.at(-1)?.messages).toEqual([
      { role: "user", content: "go" },
      { role: "user", content: "again" },
    ]);
  });

  it("the text of a failure is redacted where the policy redacts texts of errors", async () => {
    const policy = gate({ errorText: (given) => given.replace("broken", "[redacted]") });
    const seen = loopOf([], [], { model: broken, policy });
    await expect(seen.loop.submit("go")).rejects.toThrow("broken");
    expect(JSON.stringify(seen.loop.history)).not.toContain("broken");
  });

  it("a call that cannot run any more has a result, so that the next request is a conversation", async () => {
    let saves = 0;
    const save = (message: AgentMessage) => {
      if (message.role === "toolResult" && (saves += 1) === 1) broken();
    };
    const seen = loopOf([calls("read", "read"), says("done")], [], { save });
    await expect(seen.loop.submit("go")).rejects.toThrow("broken");
    const results = seen.loop.history.filter((message) => message.role === "toolResult");
    expect(results.map((message) => message.role === "toolResult" && [message.toolCallId, message.isError])).toEqual([
      ["c0", false],
      ["c1", true],
    ]);
    expect(only(seen, "turn_end")[0]?.["toolResults"]).toEqual(results);
  });

  it("a run that is ended by a module ends in order: no further call, no further model, and no fault", async () => {
    const ends = on("tool_call", (_event, ctx: { abort(): void }) => ctx.abort());
    const seen = loopOf([calls("read", "read"), says("never")], [ends]);
    expect((await seen.loop.submit("go")).ran).toBe(true);
    expectEnded(seen);
    expect([seen.requests.length, starts(seen, "tool_execution_start")]).toEqual([1, 1]);
    expect(seen.requests[0]?.signal.aborted).toBe(true);
  });

  it("a model that is ended in its answer leaves a message that says so", async () => {
    const seen: Seen = loopOf([], [], {
      model: async (request) => {
        seen.loop.abort();
        request.signal.throwIfAborted();
        return says("never");
      },
    });
    const outcome = await seen.loop.submit("go");
    expect(outcome.ran && outcome.messages.at(-1)).toEqual({ role: "assistant", content: [], stopReason: "aborted" });
    expectEnded(seen);
  });
});

describe.each(profileNames)("a policy hears the end of a run that failed, profile %s", (profile) => {
  it("turn_end and agent_end are observed", async () => {
    const judged: string[] = [];
    const policy = gate({ observe: (event) => void judged.push(event.type) });
    const seen = loopOf([], [], { model: broken, policy }, profile);
    await expect(seen.loop.submit("go")).rejects.toThrow("broken");
    expect(judged.filter((type) => type.endsWith("_end"))).toEqual([
      "message_end",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
  });
});

describe("a port that does not look at its signal", () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it.each([
    ["the model", { model: never }, []],
    ["a tool", { tools: [{ name: "read", execute: never }] }, [calls("read"), says("done")]],
  ] as const)("holds no run that was ended: %s", async (_, ports, answers) => {
    const seen = loopOf([...answers], [], ports as never);
    const work = seen.loop.submit("go").catch(() => undefined);
    await expect
      .poll(() => seen.events.map(({ type }) => type))
      .toContain(answers.length > 0 ? "tool_execution_start" : "context");
    seen.loop.abort();
    await work;
    await seen.loop.waitForIdle();
    for (const [begin, end] of [
      ["agent_start", "agent_end"],
      ["turn_start", "turn_end"],
      ["message_start", "message_end"],
      ["tool_execution_start", "tool_execution_end"],
    ] as const)
      expect([end, only(seen, end).length]).toEqual([end, only(seen, begin).length]);
  });

  it("a part of an answer that is no object is a failed answer, and no call beside it runs", async () => {
    const answer = { role: "assistant", content: [null, ...calls("read").content] };
    const seen = loopOf([answer as never], []);
    await expect(seen.loop.submit("go")).rejects.toThrow("no list of content parts");
    expect(only(seen, "tool_execution_start")).toEqual([]);
    expect(only(seen, "agent_end")).toHaveLength(1);
  });
});
