import { describe, expect, it } from "vitest";
import type { HookAPI } from "../../../adapters/hooks/api.ts";
import { calls, loopOf, only, reading, type Seen, says, types } from "./loops.ts";
import { custom, gate, type LooseApi, type LooseFactory, on, profileNames, text } from "./modules.ts";

/** A module whose API the test uses from outside. */
function held(): { readonly module: LooseFactory; readonly api: () => LooseApi } {
  let kept: LooseApi | undefined;
  return { module: (api) => void (kept = api), api: () => kept as LooseApi };
}

/** Calls the API once, in the first event of that name. */
function once(event: string, act: (api: LooseApi) => void): LooseFactory {
  let done = false;
  return (api) =>
    void api.on(event, () => {
      if (!done) {
        done = true;
        act(api);
      }
    });
}

const roles = (seen: Seen, request: number) =>
  seen.requests[request]?.messages.map((message) => ("content" in message ? message.content : ""));
const contents = (seen: Seen) => seen.loop.history.map((message) => ("content" in message ? message.content : ""));
const user = (content: string) => ({ role: "user" as const, content });

describe("pi.sendMessage in the loop (omp-hooks, What a hook module is; SendMessageOptions)", () => {
  it("while the agent runs it steers: the message is input of the next turn", async () => {
    const sends = once("turn_end", (api) => api.sendMessage(custom("more")));
    const seen = loopOf([says("one"), says("two")], [sends]);
    await seen.loop.submit("go");
    expect(roles(seen, 1)).toEqual(["go", says("one").content, "more"]);
    expect(seen.loop.history[2]).toEqual({ role: "custom", ...custom("more") });
  });

  it("`followUp` waits until the agent would stop", async () => {
    const sends = once("turn_start", (api) => api.sendMessage(custom("later"), { deliverAs: "followUp" }));
    const seen = loopOf([calls("read"), says("one"), says("two")], [sends]);
    await seen.loop.submit("go");
    expect(roles(seen, 1)).not.toContain("later");
    expect(roles(seen, 2)?.at(-1)).toBe("later");
    expect(only(seen, "agent_end")).toHaveLength(1);
  });

  it("`nextTurn` stands behind the next prompt of the human", async () => {
    const { module, api } = held();
    const seen = loopOf([says("one"), says("two")], [module]);
    api().sendMessage(custom("aside"), { deliverAs: "nextTurn" });
    expect(seen.loop.history).toEqual([]);
    await seen.loop.submit("go");
    expect(roles(seen, 0)).toEqual(["go", "aside"]);
    await seen.loop.submit("again");
    expect(contents(seen).filter((content) => content === "aside")).toHaveLength(1);
  });

  it("when idle it is kept at once with its events, and starts no run", async () => {
    const { module, api } = held();
    const seen = loopOf([says("one")], [module]);
    api().sendMessage(custom("note"));
    await seen.loop.waitForIdle();
    expect([contents(seen), seen.requests]).toEqual([["note"], []]);
    expect(seen.events.map((event) => event.type)).toEqual(["message_start", "message_end"]);
  });

  it("a prompt that comes while an idle message is being kept still runs, behind it", async () => {
    const { module, api } = held();
    const seen = loopOf([says("one")], [module]);
    api().sendMessage(custom("note"));
    expect((await seen.loop.submit("go")).ran).toBe(true);
    expect(contents(seen).slice(0, 2)).toEqual(["note", "go"]);
  });

  it("`triggerTurn` starts a run when idle, without before_agent_start: that is for prompts", async () => {
    const { module, api } = held();
    const seen = loopOf([says("one")], [module]);
    api().sendMessage(custom("do it"), { triggerTurn: true });
    await seen.loop.waitForIdle();
    expect(types(seen)).toEqual(["agent_start", "turn_start", "context", "turn_end", "agent_end"]);
    expect(roles(seen, 0)).toEqual(["do it"]);
  });

  it("a message without type or content is a fault of its module", () => {
    const { module, api } = held();
    loopOf([], [module]);
    expect(() => api().sendMessage({ customType: "x" } as never)).toThrow("content");
    expect(() => api().sendMessage(undefined as never)).toThrow("customType");
  });

  it("a fault in the run that a message started is reported", async () => {
    const { module, api } = held();
    const model = async () => {
      throw new Error("no model");
    };
    const seen = loopOf([], [module], { model });
    api().sendMessage(custom("do it"), { triggerTurn: true });
    await seen.loop.waitForIdle();
    expect(seen.errors).toEqual([{ hookPath: "agent-loop", event: "sendMessage", error: "no model" }]);
    expect(only(seen, "agent_end")).toHaveLength(1);
  });
});

describe("pi.sendUserMessage (pi-hook-reference section 1, input, When)", () => {
  it("`input` fires with the source `extension`, then a run starts", async () => {
    const { module, api } = held();
    const seen = loopOf([says("one")], [module]);
    api().sendUserMessage("summarise");
    await seen.loop.waitForIdle();
    expect(only(seen, "input")).toEqual([{ type: "input", text: "summarise", source: "extension" }]);
    expect(only(seen, "before_agent_start")).toHaveLength(1);
    expect(contents(seen)).toEqual(["summarise", says("one").content]);
  });

  it("handlers may change or swallow it, and parts are text and images", async () => {
    const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
    const { module, api } = held();
    const changes = on("input", (event: { text: string }) =>
      event.text === "no" ? { action: "handled" } : { action: "transform", text: `${event.text}!` },
    );
    const seen = loopOf([says("one")], [module, changes]);
    api().sendUserMessage("no");
    api().sendUserMessage([text("look"), image]);
    await seen.loop.waitForIdle();
    expect(seen.loop.history[0]).toEqual({ role: "user", content: [text("look!"), image] });
    expect(seen.requests).toHaveLength(1);
  });

  it("a policy judges it as input", async () => {
    const { module, api } = held();
    const policy = gate({ input: (event) => (event.source === "extension" ? { block: true } : undefined) });
    const seen = loopOf([], [module], { policy });
    api().sendUserMessage("anything");
    await seen.loop.waitForIdle();
    expect(seen.requests).toEqual([]);
  });

  it("is no command and is not expanded: it is meant as it is", async () => {
    const { module, api } = held();
    const taken: string[] = [];
    const deploy: LooseFactory = (pi) => pi.registerCommand("deploy", { handler: () => void taken.push("deploy") });
    const runCommand = () => (taken.push("bash"), { output: "", exitCode: 0, cancelled: false, truncated: false });
    const builtIn = (given: string) => taken.push(given) > 0;
    const seen = loopOf([], [module, deploy], { runCommand, builtIn, expand: () => "expanded" });
    for (const given of ["/deploy", "!ls", "/new"]) {
      api().sendUserMessage(given);
      await seen.loop.waitForIdle();
    }
    expect([taken, contents(seen).filter((content) => typeof content === "string")]).toEqual([
      [],
      ["/deploy", "!ls", "/new"],
    ]);
  });

  it.each(["steer", "followUp"] as const)("while the agent runs it must say where it goes: %s", async (deliverAs) => {
    const sends = once("turn_start", (api) => {
      expect(() => api.sendUserMessage("no place")).toThrow("deliverAs");
      api.sendUserMessage("more", { deliverAs });
    });
    const seen = loopOf([calls("read"), says("one"), says("two")], [sends]);
    await seen.loop.submit("go");
    expect(roles(seen, 1)?.includes("more")).toBe(deliverAs === "steer");
    expect(roles(seen, seen.requests.length - 1)).toContain("more");
    expect(only(seen, "agent_end")).toHaveLength(1);
  });

  it("from agent_end it starts the next run, after this one", async () => {
    const sends = once("agent_end", (api) => api.sendUserMessage("and now?"));
    const seen = loopOf([says("one"), says("two")], [sends]);
    await seen.loop.submit("go");
    await seen.loop.waitForIdle();
    expect(types(seen).filter((type) => type.startsWith("agent_"))).toEqual([
      "agent_start",
      "agent_end",
      "agent_start",
      "agent_end",
    ]);
    expect(only(seen, "agent_end").map((event) => (event["messages"] as unknown[]).length)).toEqual([2, 2]);
  });
});

describe("one run at a time", () => {
  it("text of the human during a run goes into it; the second of two prompts at once waits", async () => {
    const during = on("turn_start", async (event: { turnIndex: number }) => {
      if (event.turnIndex === 0) expect(await seen.loop.submit("also")).toEqual({ ran: false, by: "queue" });
    });
    const seen: Seen = loopOf([says("one"), says("two"), says("three")], [during]);
    const outcomes = await Promise.all([seen.loop.submit("first"), seen.loop.submit("second")]);
    expect(outcomes.map((outcome) => outcome.ran)).toEqual([true, true]);
    const order = types(seen).filter((type) => type.startsWith("agent_"));
    expect(order).toEqual(["agent_start", "agent_end", "agent_start", "agent_end"]);
    expect(contents(seen).filter((content) => content === "also")).toHaveLength(2);
  });

  it("follow-ups come one stop at a time behind steering, and modules hear that messages wait", async () => {
    const heard: boolean[] = [];
    const looks = on("turn_end", (_event, ctx: { hasPendingMessages(): boolean; isIdle(): boolean }) => {
      heard.push(ctx.hasPendingMessages(), ctx.isIdle());
    });
    const seen = loopOf([calls("read"), says("one"), says("two")], [looks]);
    seen.loop.followUp(user("later"));
    seen.loop.steer(user("now"));
    await seen.loop.submit("go");
    expect(roles(seen, 0)).toEqual(["go", "now"]);
    expect(roles(seen, 2)?.at(-1)).toBe("later");
    expect(heard).toEqual([true, false, true, false, false, false]);
  });

  it("a command handler can wait until the agent is idle", async () => {
    const order: string[] = [];
    const waits: LooseFactory = (api) =>
      api.registerCommand("after", {
        handler: async (_args, ctx) => {
          await ctx.waitForIdle();
          order.push("command");
        },
      });
    let command: Promise<unknown> | undefined;
    const starts = on("turn_start", () => void (command = seen.loop.submit("/after")));
    const seen: Seen = loopOf([says("one")], [waits, starts, on("agent_end", () => void order.push("agent_end"))]);
    await seen.loop.submit("go");
    await command;
    expect(order).toEqual(["agent_end", "command"]);
  });
});

describe("active tools (pi-hook-reference section 3, context: `pi.setActiveTools`)", () => {
  const other = {
    name: "other",
    description: "does nothing",
    parameters: { type: "object" },
    execute: reading.execute,
  };

  it("the model is offered the active ones, from its next call on; another does not run", async () => {
    const offered: string[][] = [];
    const narrows = once("turn_end", (api) => api.setActiveTools(["other", "unknown"]));
    const answers = [calls("read"), calls("read"), says("done")];
    const seen: Seen = loopOf([], [narrows], {
      tools: [reading, other],
      model: async (request) => {
        offered.push(request.tools.map((tool) => tool.name));
        return answers.shift() ?? says("done");
      },
    });
    await seen.loop.submit("go");
    expect(offered).toEqual([["read", "other"], ["other"], ["other"]]);
    expect(only(seen, "tool_execution_end").map((event) => event["isError"])).toEqual([false, true]);
  });

  it("a module can ask which there are and which are active", () => {
    const { module, api } = held();
    loopOf([], [module], { tools: [reading, other] });
    const all = [{ name: "read" }, { name: "other", description: "does nothing", parameters: { type: "object" } }];
    expect([api().getAllTools(), api().getActiveTools()]).toEqual([all, ["read", "other"]]);
    api().setActiveTools(["read"]);
    expect(api().getActiveTools()).toEqual(["read"]);
  });
});

describe("ports of the loop and of the host", () => {
  it.each(["before", "after"])(
    "what the host gives %s the loop is made stays, the loop serves the rest",
    async (when) => {
      const { module, api } = held();
      const entries: unknown[] = [];
      class Host {
        readonly #own = entries;
        appendEntry(customType: string): void {
          this.#own.push(customType);
        }
      }
      const host = new Host();
      const seen = loopOf([says("one")], [module], when === "before" ? { ports: host } : {});
      if (when === "after") seen.runner.initialize(host);
      api().appendEntry("kept");
      api().sendUserMessage("go");
      await seen.loop.waitForIdle();
      expect([entries, seen.requests.length]).toEqual([["kept"], 1]);
    },
  );

  it.each(profileNames)("%s: the methods that only extensions have", (profile) => {
    const { module, api } = held();
    loopOf([], [module], {}, profile);
    const names: (keyof HookAPI)[] = ["getActiveTools", "getAllTools"];
    for (const name of names) {
      if (profile === "omp-hookapi") expect(() => (api()[name] as () => unknown)()).toThrow("requires an extension");
      else expect((api()[name] as () => unknown)()).toHaveLength(2);
    }
  });
});

describe("where a message goes", () => {
  it.each(["later", "Steer", ""])("is refused where the word is none: %j", async (deliverAs) => {
    const { module, api } = held();
    const seen = loopOf([says("one")], [module]);
    expect(() => api().sendMessage(custom("x"), { deliverAs } as never)).toThrow(/`deliverAs` is "steer"/);
    expect(() => api().sendUserMessage("x", { deliverAs } as never)).toThrow(/`deliverAs` is "steer"/);
    await seen.loop.waitForIdle();
    expect(seen.loop.history).toEqual([]);
  });
});
