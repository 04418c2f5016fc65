import { describe, expect, it } from "vitest";
import { denialText, faultText, internalFault } from "../../../adapters/pi/denial.ts";
import {
  beforeAgentStartReply,
  contextReply,
  refusedCommand,
  toolResultReply,
  toWire,
  withheldContext,
  withheldResult,
} from "../../../adapters/pi/translate.ts";
import { validateEvent } from "../../../schema/validators.generated.js";
import { blockedDecision, changed, contexts, decision, frame, toolCallEvent, toolResultEvent } from "./payloads.ts";

const context = { type: "context", messages: contexts[0]?.messages ?? [] } as const;

describe("wire events", () => {
  const start = { type: "before_agent_start", prompt: "do it", systemPrompt: "You are" } as const;
  const command = { type: "user_bash", command: "echo hi", excludeFromContext: true, cwd: "/elsewhere" } as const;

  it.each([
    ["tool_call", toWire.tool_call(toolCallEvent(), frame)],
    ["tool_result", toWire.tool_result(toolResultEvent({ structuredContent: { a: 1 } }), frame)],
    ["context", toWire.context(context, frame)],
    ["before_agent_start", toWire.before_agent_start(start, frame)],
    ["before_agent_start without a prompt", toWire.before_agent_start({ type: "before_agent_start" }, frame)],
    ["user_bash", toWire.user_bash(command, frame)],
  ])("of %s fit the schema", (_name, event) => {
    expect(validateEvent(JSON.parse(JSON.stringify(event))), JSON.stringify(validateEvent.errors)).toBe(true);
    expect(event).toMatchObject({ id: "e1", host: "pi", session: { id: "s1" } });
  });

  it("carry a call's tool, id and arguments", () => {
    expect(toWire.tool_call(toolCallEvent("echo a"), frame)).toMatchObject({
      event: "tool_call",
      tool: "bash",
      call_id: "call_1_0",
      args: { command: "echo a" },
    });
  });

  it("carry a result with details, structured content and error mark", () => {
    const event = toolResultEvent({ structuredContent: { rows: 1 }, isError: true });
    expect(toWire.tool_result(event, frame).result).toMatchObject({
      details: { raw: "details" },
      structured: { rows: 1 },
      is_error: true,
    });
  });

  it("judge a human's command where it runs", () => {
    expect(toWire.user_bash(command, frame)).toMatchObject({
      command: "echo hi",
      exclude_from_context: true,
      cwd: "/elsewhere",
      environment: { cwd: "/elsewhere" },
    });
  });
});

describe("replies to a tool result", () => {
  it("are none when nothing changed", () => {
    expect(toolResultReply(toolResultEvent(), decision())).toBeUndefined();
  });

  it("carry changed content and details", () => {
    const reply = toolResultReply(
      toolResultEvent(),
      changed({ content: [{ type: "text", text: "[x]", ref: 0 }], details: { raw: "[x]" } }),
    );
    expect(reply).toEqual({ content: [{ type: "text", text: "[x]" }], details: { raw: "[x]" } });
  });

  it("put an object where details are gone, since pi keeps the raw ones otherwise", () => {
    expect(toolResultReply(toolResultEvent(), changed({ details: null }))).toEqual({ details: {} });
  });

  it("keep structured content that a new content would drop", () => {
    const event = toolResultEvent({ structuredContent: { a: 1 } });
    const reply = toolResultReply(event, changed({ content: [{ type: "text", text: "[x]", ref: 0 }] }));
    expect(reply).toMatchObject({ structuredContent: { a: 1 } });
  });

  it("redact structured content", () => {
    const event = toolResultEvent({ structuredContent: { a: "raw" } });
    expect(toolResultReply(event, changed({ structured: { a: "[x]" } }))).toEqual({ structuredContent: { a: "[x]" } });
  });

  it("say nothing of structured content to a host without it", () => {
    expect(toolResultReply(toolResultEvent(), changed({ structured: null, is_error: true }))).toEqual({
      isError: true,
    });
  });

  it("append injected text as a part", () => {
    const message = { custom_type: "t", content: "note", display: false };
    expect(toolResultReply(toolResultEvent(), changed({ message }))?.content).toEqual([
      { type: "text", text: "raw text" },
      { type: "text", text: "note" },
    ]);
  });

  it("withhold everything when the decision blocks without replacement", () => {
    const reply = toolResultReply(toolResultEvent({ structuredContent: { s: "raw" } }), blockedDecision);
    expect(JSON.stringify(reply)).not.toContain("raw");
    expect(JSON.stringify(reply)).toContain("p/no");
    expect(reply).toHaveProperty("details.withheld");
    expect(reply).toHaveProperty("structuredContent.withheld");
  });
});

describe("replies to a context", () => {
  it("are none when nothing changed", () => {
    expect(contextReply(context, decision(), 1)).toBeUndefined();
  });

  it("append an injected message as a custom one", () => {
    const message = { custom_type: "hint", content: "note", display: false };
    expect(contextReply(context, changed({ message }), 5)?.messages.at(-1)).toEqual({
      role: "custom",
      customType: "hint",
      content: "note",
      display: false,
      timestamp: 5,
    });
  });

  it("withhold every message when the decision blocks", () => {
    const reply = contextReply(context, blockedDecision, 1);
    expect(reply?.messages.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(JSON.stringify(reply)).not.toContain("API_KEY");
  });
});

describe("the context of a guard without a plan", () => {
  const { messages } = contextReply(
    context,
    decision({ answered: "error", reason: "no policy; add one", policy_digest: "", changes: { messages: [] } }),
    1,
  ) ?? { messages: [] };

  it("is withheld, roles kept", () => {
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "toolResult"]);
    expect(JSON.stringify(messages)).not.toContain("API_KEY");
  });

  it("says once what to do", () => {
    expect(JSON.stringify(messages).match(/no policy; add one/g)).toHaveLength(1);
    expect(JSON.stringify(messages.at(-1))).toContain("no policy; add one");
  });
});

describe("replies to the start of an agent", () => {
  it("are none when nothing changed", () => {
    expect(beforeAgentStartReply(decision())).toBeUndefined();
  });

  it("carry message and system prompt", () => {
    const message = { custom_type: "hint", content: "note", display: true, details: { a: 1 } };
    expect(beforeAgentStartReply(changed({ message, system_prompt: ["a", "b"] }))).toEqual({
      message: { customType: "hint", content: "note", display: true, details: { a: 1 } },
      systemPrompt: "a\n\nb",
    });
  });
});

describe("closed outcomes", () => {
  it("of a result hold nothing of the tool", () => {
    expect(JSON.stringify(withheldResult(toolResultEvent({ structuredContent: "raw" }), "why"))).not.toContain("raw");
  });

  it("of a context keep the roles", () => {
    expect(withheldContext(context, "why").messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
    ]);
  });

  it("of a human's command are a failed result that pi accepts", () => {
    expect(refusedCommand("why")).toEqual({
      result: { output: "why", exitCode: 1, cancelled: true, truncated: false },
    });
  });
});

describe("denial texts", () => {
  it("name the rule, the reason and the guidance", () => {
    const text = denialText(blockedDecision);
    expect(text).toContain("(rule p/no): it is forbidden");
    expect(text).toContain("Do something else.");
  });

  it.each([
    ["unknown", { answered: "unknown", doubts: ["dynamic word"] }, "dynamic word"],
    ["default", { answered: "default" }, "no rule allows it"],
    ["error", { answered: "error", errors: [{ code: "HW502", message: "no such field" }] }, "HW502: no such field"],
  ] as const)("say why without a reason: %s", (_name, more, expected) => {
    const { rule: _rule, reason: _reason, guidance: _guidance, ...bare } = blockedDecision;
    expect(denialText({ ...bare, ...structuredClone(more) } as typeof blockedDecision)).toContain(expected);
  });

  it("do not say an error twice", () => {
    const text = denialText({
      ...blockedDecision,
      reason: "refused (HW502): broken",
      errors: [{ code: "HW502", message: "broken" }],
    });
    expect(text.match(/broken/g)).toHaveLength(1);
  });

  it("of faults carry code and fix", () => {
    expect(faultText({ code: "HW508", message: "no plan", fix: "compile again" })).toBe(
      "Blocked by hookwarden (HW508): no plan\ncompile again",
    );
    expect(internalFault(new Error("x".repeat(1_000))).message.length).toBeLessThan(330);
  });
});
