import { describe, expect, it } from "vitest";
import type { PiApi, PiContext, PiMessage } from "../../../adapters/pi/api.ts";
import { installGuard, type Judge } from "../../../adapters/pi/guard.ts";
import { contextEvent, guarded, host, start, userBash } from "./fake-host.ts";
import { contextWith, decision, judgeOf, toolCallEvent, toolResultEvent } from "./payloads.ts";

describe("an engine that throws", () => {
  const broken: Judge = {
    active: true,
    plan: undefined,
    decide() {
      throw new Error("boom");
    },
  };

  it("blocks a call and says so", async () => {
    const { fire, log, store } = guarded(broken);
    const reply = await fire("tool_call", toolCallEvent());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW506") });
    expect(reply?.reason).toContain("boom");
    expect(log[0]).toContain("HW506");
    expect(store.bodies).toMatchObject([{ errors: [{ code: "HW506" }], observations: { failed: "tool_call" } }]);
  });

  it("withholds a result with its details", async () => {
    const reply = await guarded(broken).fire("tool_result", toolResultEvent({ structuredContent: { s: "raw" } }));
    expect(JSON.stringify(reply)).not.toContain("raw");
    expect(reply).toHaveProperty("details.withheld");
    expect(reply).toHaveProperty("structuredContent.withheld");
  });

  it("withholds every message and lets the run go on", async () => {
    const reply = await guarded(broken).fire("context", contextEvent());
    expect(reply?.messages.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(JSON.stringify(reply)).not.toContain("scripted work");
  });

  it("injects nothing", async () => {
    expect(await guarded(broken).fire("before_agent_start", start)).toBeUndefined();
  });

  it("refuses a human's command", async () => {
    expect((await guarded(broken).fire("user_bash", userBash))?.result.output).toContain("HW506");
  });
});

describe("a host that misbehaves", () => {
  const events = ["tool_call", "tool_result", "context", "before_agent_start", "user_bash"] as const;

  it.each(events)("with a context that throws gets a closed %s", async (name) => {
    const { fire } = guarded(() => decision());
    const context = {
      get cwd(): string {
        throw new Error("stale");
      },
      get hasUI(): boolean {
        throw new Error("stale");
      },
    } as unknown as PiContext;
    const event = {
      tool_call: toolCallEvent(),
      tool_result: toolResultEvent(),
      context: contextEvent(),
      before_agent_start: start,
      user_bash: userBash,
    };
    const reply = JSON.stringify((await fire(name, event[name] as never, context)) ?? "nothing");
    expect(reply).toContain(name === "before_agent_start" ? "nothing" : "HW506");
  });

  it.each(events)("with an event that is no event gets a closed %s", async (name) => {
    for (const event of [undefined, null]) {
      const reply = JSON.stringify((await guarded(() => decision()).fire(name, event as never)) ?? "nothing");
      expect(reply).toContain(name === "before_agent_start" ? "nothing" : "HW506");
    }
  });

  it("with a UI that throws is still answered", async () => {
    const { fire } = guarded({ active: true, plan: undefined, decide: () => ({}) as never });
    const ui = {
      confirm: () => Promise.reject(new Error("x")),
      notify: () => {
        throw new Error("x");
      },
    };
    expect(await fire("tool_call", toolCallEvent(), contextWith({ hasUI: true, ui }))).toMatchObject({ block: true });
  });
});

describe("installing a guard", () => {
  it("with an engine without policies listens to nothing", () => {
    const pi = host();
    installGuard(pi, () => ({ ...judgeOf(() => decision()), active: false }));
    expect(pi.handlers.size).toBe(0);
  });

  it("with an engine that cannot be made closes every event", async () => {
    const pi = host();
    const failing = () => {
      throw new Error("no engine");
    };
    installGuard(pi, failing, { log: () => undefined });
    const reply = await pi.handlers.get("tool_call")?.(toolCallEvent(), contextWith());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW508") });
    const result = await pi.handlers.get("tool_result")?.(toolResultEvent(), contextWith());
    expect(JSON.stringify(result)).not.toContain("raw text");
    const context = (await pi.handlers.get("context")?.(contextEvent(), contextWith())) as { messages: PiMessage[] };
    expect(context.messages.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(JSON.stringify(context)).not.toContain("scripted work");
  });

  it("where the host refuses to register it lets the error out, so that the host does not start unguarded", () => {
    const pi: PiApi = {
      on() {
        throw new Error("no such event");
      },
    };
    expect(() => installGuard(pi, () => judgeOf(() => decision()))).toThrow("no such event");
  });
});
