import { describe, expect, it } from "vitest";
import { actionShapes } from "../../rules/actions/about.ts";
import { closedEngine, createEngine } from "../../runtime.ts";
import { type EventName, eventNames, mayChange } from "../../schema/events.ts";
import { type PayloadField, payloadShape } from "../../schema/payloads.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

const secret = "K=abcdef";
const text = `a text with ${secret} that is longer than the bound`;
const message = { role: "user", content: text };

const valueOf: Readonly<Record<PayloadField["type"], unknown>> = {
  string: text,
  text,
  path: "/home/dev/app",
  int: 1,
  bool: false,
  object: { command: text },
  result: { content: [{ type: "text", text }], details: { text } },
  message,
  "list(message)": [message],
  "list(string)": [text],
  "list(dyn)": [],
  dyn: { text },
};

/** An event whose every text holds something to redact. */
function eventOf(name: EventName): Record<string, unknown> {
  const fields = Object.entries(payloadShape(name)).map(([field, { type, values }]) => [
    field,
    field === "tool" ? "read" : (values?.[0] ?? valueOf[type]),
  ]);
  return { event: name, ...Object.fromEntries(fields), definition: undefined };
}

const actions: Readonly<Record<string, readonly string[]>> = {
  redact: [`{ redact: { patterns: [{ name: key, regex: "K=\\\\w+" }] } }`],
  truncate: ["{ truncate: { max_chars: 50 } }"],
  drop: ["{ drop: { where: { message.role: user } } }"],
  inject: ["message", "append", "system"].map((as) => `{ inject: { content: x, as: ${as} } }`),
};

/** A text is appended to results only, and a system prompt has one event; elsewhere the policy does not compile. */
const isPossible = (event: EventName, action: string): boolean =>
  !(action.includes("as: append") && event !== "tool_result") &&
  !(action.includes("as: system") && event !== "before_agent_start");

const cases = Object.entries(actions).flatMap(([action, texts]) =>
  (actionShapes[action]?.events ?? []).flatMap((event) =>
    texts.filter((given) => isPossible(event, given)).map((given) => [event, given] as const),
  ),
);

describe("a decision changes only what the table of its event allows (events page, Decision)", () => {
  it.each(cases)("%s: %s", (event, action) => {
    const { plan, diagnostics } = compileTexts({
      "policy.yaml": withHead(`- { id: r, event: ${event}, action: ${action} }`),
    });
    if (!plan) throw new Error(JSON.stringify(diagnostics));
    const { decision } = createEngine(plan).decide(eventOf(event));
    expect(decision.errors).toEqual([]);
    expect(Object.keys(decision.changes).filter((key) => !mayChange(event, key))).toEqual([]);
  });

  it.each(eventNames.map((name) => [name]))("%s, when it cannot be judged", (event) => {
    const { decision } = closedEngine(undefined, { code: "HW508", message: "x" }).decide(eventOf(event));
    expect(Object.keys(decision.changes).filter((key) => !mayChange(event, key))).toEqual([]);
  });

  it.each([
    ["tool_call", ["args"]],
    ["tool_result", ["content", "details"]],
    ["user_python", ["code"]],
    ["session_compacting", ["messages"]],
  ] as const)("redaction of %s changes %j", (event, keys) => {
    const { plan } = compileTexts({
      "policy.yaml": withHead(`- { id: r, event: ${event}, action: ${actions["redact"]?.[0]} }`),
    });
    expect(Object.keys(createEngine(plan).decide(eventOf(event)).decision.changes).sort()).toEqual([...keys]);
  });
});
