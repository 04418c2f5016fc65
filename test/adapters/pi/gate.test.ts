import { describe, expect, it } from "vitest";
import { engineGate } from "../../../adapters/hooks/engine-gate.ts";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import type { PolicyGate } from "../../../adapters/hooks/policy-gate.ts";
import type { Judge } from "../../../adapters/pi/guard.ts";
import type { Decision, WireEvent } from "../../../schema/generated.ts";
import {
  blockedDecision,
  changed,
  contexts,
  contextWith,
  decision,
  judgeOf,
  toolCallEvent,
  toolResultEvent,
} from "./payloads.ts";

function gateOf(answer: Judge | ((event: WireEvent) => Decision), context = contextWith()): PolicyGate {
  const judge = typeof answer === "function" ? judgeOf(answer) : answer;
  const gate = engineGate(judge, () => context, { now: () => 5, idPrefix: "t", log: () => undefined });
  if (!gate) throw new Error("there is no gate");
  return gate;
}

const messages = contexts[0]?.messages as unknown as AgentMessage[];
const start = { type: "before_agent_start", prompt: "raw prompt", messages: [] } as const;
const userBash = { type: "user_bash", command: "echo hi", excludeFromContext: false, cwd: "/work" } as const;
const asking = decision({ outcome: "ask", answered: "rule", rule: "p/ask", reason: "a human decides" });
const broken: Judge = {
  active: true,
  plan: undefined,
  decide() {
    throw new Error("boom");
  },
};

describe("a compiled policy as the gate of the hook runtime", () => {
  it("is none for an engine without policies", () => {
    expect(engineGate({ ...judgeOf(() => decision()), active: false }, () => contextWith())).toBeUndefined();
  });

  it("leaves alone what the decision leaves alone", async () => {
    const gate = gateOf(() => decision());
    expect(await gate.toolCall(toolCallEvent())).toBeUndefined();
    expect(await gate.toolResult(toolResultEvent() as never)).toBeUndefined();
    expect(await gate.context(messages)).toEqual(messages);
    expect(await gate.beforeAgentStart(start)).toBeUndefined();
    expect(await gate.userBash(userBash)).toBeUndefined();
    expect(gate.errorText?.("text")).toBe("text");
  });

  it("blocks a call with rule and reason", async () => {
    expect(await gateOf(() => blockedDecision).toolCall(toolCallEvent())).toMatchObject({
      block: true,
      reason: expect.stringContaining("p/no"),
    });
  });

  it("answers changed arguments instead of changing the frozen event", async () => {
    const event = Object.freeze({
      ...toolCallEvent(),
      input: Object.freeze({ command: "echo raw" }) as Record<string, unknown>,
    });
    const verdict = await gateOf(() => changed({ args: { command: "echo safe" } })).toolCall(event);
    expect(verdict).toEqual({ input: { command: "echo safe" } });
  });

  it("gives injected text of a call to the runner", async () => {
    const message = { custom_type: "t", content: "note", display: false };
    expect(await gateOf(() => changed({ message })).toolCall(toolCallEvent())).toEqual({ additionalContext: "note" });
  });

  it.each([true, false])("asks the human, who answers %s", async (answer) => {
    const ui = { confirm: () => Promise.resolve(answer), notify: () => undefined };
    const verdict = await gateOf(() => asking, contextWith({ hasUI: true, ui })).toolCall(toolCallEvent());
    if (answer) expect(verdict).toBeUndefined();
    else expect(verdict).toMatchObject({ block: true, reason: expect.stringContaining("HW510") });
  });

  it("redacts a result with its details", async () => {
    const gate = gateOf(() => changed({ content: [{ type: "text", text: "[x]", ref: 0 }], details: { raw: "[x]" } }));
    expect(await gate.toolResult(toolResultEvent() as never)).toEqual({
      content: [{ type: "text", text: "[x]" }],
      details: { raw: "[x]" },
    });
  });

  it("redacts messages that hook modules inject, and delivers its own beside them", async () => {
    const message = { custom_type: "hint", content: "own", display: false };
    const judge = judgeOf((event) => {
      const given = event.messages as unknown as Record<string, unknown>[];
      return changed({ message, messages: given.map((entry) => ({ ...entry, content: "[x]" })) });
    });
    const verdict = await gateOf(judge).beforeAgentStart({
      ...start,
      messages: [{ customType: "mod", content: "secret", display: true }],
    });
    expect(verdict).toEqual({
      message: { customType: "hint", content: "own", display: false },
      messages: [{ customType: "mod", content: "[x]", display: true }],
    });
  });

  it("shows the model a prompt as a rule rewrote it", async () => {
    const gate = gateOf((event) => (event.event === "before_agent_start" ? changed({ prompt: "[x]" }) : decision()));
    await gate.beforeAgentStart(start);
    expect(await gate.context([{ role: "user", content: "raw prompt" }])).toEqual([{ role: "user", content: "[x]" }]);
  });

  it("rewrites a human's command, since this runner can", async () => {
    expect(await gateOf(() => changed({ command: "echo [x]" })).userBash(userBash)).toEqual({ command: "echo [x]" });
  });

  it("redacts error text of hook modules", () => {
    expect(gateOf(() => changed({ content: [{ type: "text", text: "[x]" }] })).errorText?.("secret")).toBe("[x]");
  });
});

describe("a gate whose engine throws", () => {
  it("closes every event", async () => {
    const gate = gateOf(broken);
    expect(await gate.toolCall(toolCallEvent())).toMatchObject({
      block: true,
      reason: expect.stringContaining("HW506"),
    });
    expect(JSON.stringify(await gate.toolResult(toolResultEvent() as never))).not.toContain("raw");
    const context = await gate.context(messages);
    expect(context.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(JSON.stringify(context)).not.toContain("API_KEY");
    expect(
      await gate.beforeAgentStart({ ...start, messages: [{ customType: "m", content: "secret", display: true }] }),
    ).toEqual({ messages: [] });
    expect(await gate.userBash(userBash)).toMatchObject({ result: { exitCode: 1, cancelled: true } });
    expect(gate.errorText?.("secret")).not.toContain("secret");
  });

  it("closes them even without a session to report to", async () => {
    const gate = engineGate(broken, () => {
      throw new Error("no session");
    });
    expect(await gate?.toolCall(toolCallEvent())).toMatchObject({ block: true });
  });
});
