import { describe, expect, it } from "vitest";
import type { PiApi } from "../../../adapters/pi/api.ts";
import { guardClosed, guardWithPlan, readCarriedPlan } from "../../../adapters/pi/plan-file.ts";
import standalone from "../../../adapters/pi/standalone.ts";
import { digest } from "../../../runtime.ts";
import { contextWith, toolCallEvent } from "./payloads.ts";

const body = { format: 1, engine: "0", tables: {}, policies: [], conditions: {}, rules: [] };
const plan = { ...body, digest: digest(body) };

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Handlers that an extension registers. */
function handlersOf(extension: (pi: PiApi) => void): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  extension({ on: (name: string, handler: unknown) => void handlers.set(name, handler as Handler) });
  return handlers;
}

describe("a carried plan", () => {
  it("is read when its digest fits", () => {
    expect(readCarriedPlan(JSON.stringify(plan), "unset")).toEqual({ plan });
  });

  it("brings the absolute audit path along", () => {
    expect(readCarriedPlan(JSON.stringify(plan), "/var/audit.jsonl")).toEqual({
      plan,
      audit: { file: "/var/audit.jsonl" },
    });
  });

  it.each([
    ["text that is no JSON", "__UNFILLED__"],
    ["no object", "7"],
    ["null", "null"],
    ["a plan without digest", JSON.stringify(body)],
    ["a plan of another format", JSON.stringify({ ...plan, format: 2 })],
    ["a plan that was changed", JSON.stringify({ ...plan, engine: "1" })],
    ["a plan with a rule taken out", JSON.stringify({ ...plan, rules: [1] })],
    ["a plan with another digest", JSON.stringify({ ...plan, digest: digest("other") })],
  ])("is refused when it is %s", (_name, text) => {
    expect(readCarriedPlan(text, "")).toMatchObject({ code: "HW508" });
  });
});

describe("a guard without a plan it may use", () => {
  it("closes every event and says what to do", async () => {
    const handlers = handlersOf((pi) => guardClosed(pi, { code: "HW508", message: "bad plan", fix: "compile again" }));
    const reply = await handlers.get("tool_call")?.(toolCallEvent(), contextWith());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("compile again") });
    expect(reply).toMatchObject({ reason: expect.stringContaining("HW508") });
  });

  it("tells the human when the session starts", async () => {
    const handlers = handlersOf((pi) => guardClosed(pi, { code: "HW508", message: "bad plan", fix: "compile again" }));
    const context = contextWith({ hasUI: true });
    await handlers.get("session_start")?.({ type: "session_start" }, context);
    expect(context.said).toEqual([expect.stringContaining("compile again")]);
  });

  it("is what a plan without policies gives", async () => {
    const handlers = handlersOf((pi) => guardWithPlan(pi, { plan: plan as never, audit: false }));
    const reply = await handlers.get("tool_call")?.(toolCallEvent(), contextWith());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW012") });
  });

  it("is what the unfilled module gives", async () => {
    const reply = await handlersOf(standalone).get("tool_call")?.(toolCallEvent(), contextWith());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("carries no plan") });
  });
});
