import { describe, expect, it } from "vitest";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import { custom, on, profileNames, runnerOf, text } from "./modules.ts";

const user = (content: string): AgentMessage => ({ role: "user", content });
interface ContextGiven {
  messages: AgentMessage[];
}

describe.each(profileNames)("context, profile %s", (profile) => {
  it("each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)", async () => {
    const add = (content: string) =>
      on("context", (event: ContextGiven) => ({ messages: [...event.messages, user(content)] }));
    const { runner } = runnerOf(profile, [add("A"), add("B")]);
    expect(await runner.emitContext([user("x")])).toEqual([user("x"), user("A"), user("B")]);
  });

  it("the first handler gets a deep copy: the host's messages are never written to (pi-hook-reference section 3)", async () => {
    const original: AgentMessage[] = [{ role: "user", content: [text("x")] }];
    const { runner } = runnerOf(profile, [
      on("context", (event: ContextGiven) => {
        const [first] = event.messages;
        if (first?.role === "user" && typeof first.content !== "string") first.content.push(text("written"));
      }),
    ]);
    await runner.emitContext(original);
    expect(original).toEqual([{ role: "user", content: [text("x")] }]);
  });

  it("undefined passes messages through and nothing is returned when nothing changed (omp-authoring-hooks, Context)", async () => {
    const { runner } = runnerOf(profile, [
      on("context", () => undefined),
      on("context", () => ({})),
      on("context", (event: ContextGiven) => ({ messages: event.messages })),
    ]);
    expect(await runner.emitContext([user("x")])).toBeUndefined();
    expect(await runnerOf(profile, []).runner.emitContext([user("x")])).toBeUndefined();
  });

  it("a throw and a garbage answer are reported, and the chain goes on (semantics section 3, Shared runner)", async () => {
    const { runner, errors } = runnerOf(profile, [
      on("context", () => {
        throw new Error("boom");
      }),
      on("context", () => ({ messages: "none" })),
      on("context", () => ({ messages: [user("B")] })),
    ]);
    expect(await runner.emitContext([user("x")])).toEqual([user("B")]);
    expect(errors.map((error) => error.hookPath)).toEqual(["/hooks/0.js", "/hooks/1.js"]);
  });

  it("hookFaults closed: the context is withheld", async () => {
    const throws = on("context", () => {
      throw new Error("boom");
    });
    const { runner } = runnerOf(profile, [throws], { hookFaults: "closed" });
    expect(JSON.stringify(await runner.emitContext([user("secret")]))).toMatch(/withheld(?!.*secret)/);
  });

  it("tens of thousands of messages pass in bounded time", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => user(String(index)));
    const { runner } = runnerOf(profile, [
      on("context", (event: ContextGiven) => ({ messages: event.messages.slice(1) })),
    ]);
    expect(await runner.emitContext(many)).toHaveLength(19_999);
  });
});

const start = (systemPrompt?: string) => ({
  type: "before_agent_start" as const,
  prompt: "go",
  ...(systemPrompt === undefined ? {} : { systemPrompt }),
});

describe.each(profileNames)("before_agent_start, profile %s", (profile) => {
  it("delivers the message with its fields (pi-hook-reference section 2)", async () => {
    const message = {
      customType: "note",
      content: [text("t"), { type: "image" as const, data: "AA==", mimeType: "image/png" }],
      display: false,
      details: { a: 1 },
      attribution: "agent",
    };
    const { runner } = runnerOf(profile, [on("before_agent_start", () => ({ message }))]);
    expect(await runner.emitBeforeAgentStart(start())).toEqual({ messages: [message] });
  });

  it("a throw does not stop other handlers (pi-hook-reference section 2, Error handling)", async () => {
    const { runner, errors } = runnerOf(profile, [
      on("before_agent_start", () => {
        throw new Error("boom");
      }),
      on("before_agent_start", () => ({ message: custom("B") })),
    ]);
    expect((await runner.emitBeforeAgentStart(start())).messages).toEqual([custom("B")]);
    expect(errors[0]).toEqual({ hookPath: "/hooks/0.js", event: "before_agent_start", error: "boom" });
  });

  it("the system prompt is reset each run (pi-hook-reference section 2, System prompt)", async () => {
    let run = 0;
    const once = on("before_agent_start", () => {
      run += 1;
      return run === 1 ? { systemPrompt: "first run" } : undefined;
    });
    const { runner } = runnerOf(profile, [once]);
    await runner.emitBeforeAgentStart(start("base"));
    expect(await runner.emitBeforeAgentStart(start("base"))).toEqual({ messages: [] });
  });

  it("garbage in message or prompt is left out", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const { runner } = runnerOf(profile, [
      on("before_agent_start", () => ({ message: "hi", systemPrompt: 7 })),
      on("before_agent_start", () => ({ message: proxy })),
    ]);
    expect(await runner.emitBeforeAgentStart(start("base"))).toEqual({ messages: [] });
  });
});
