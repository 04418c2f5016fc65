import { describe, expect, it } from "vitest";
import { validateAuditRecord, validateDecision, validateEvent } from "../../schema/validators.generated.js";

const call = { event: "tool_call", tool: "bash", args: { command: "ls" } };
const decision = {
  id: "1",
  outcome: "allow",
  answered: "default",
  matched: [],
  would: [],
  changes: {},
  errors: [],
  policy_digest: "sha256:00",
};

describe("events", () => {
  it.each<readonly [what: string, event: unknown]>([
    ["a tool call", call],
    ["a host's name of an event", { event: "PreToolUse" }],
    ["a field that nobody knows", { ...call, x_trace: 1 }],
    ["a result with text", { event: "tool_result", tool: "read", result: { content: [{ type: "text", text: "a" }] } }],
    [
      "messages",
      {
        event: "context",
        messages: [
          { role: "user", content: "a" },
          { role: "assistant", content: [] },
        ],
      },
    ],
    ["a prompt in parts", { event: "before_agent_start", system_prompt: ["a", "b"] }],
    ["hermetic files", { ...call, environment: { files: { "/a": { symlink: "/b" }, "/b": { directory: true } } } }],
  ])("%s fits", (_, event) => {
    expect(validateEvent(event)).toBe(true);
  });

  it.each<readonly [what: string, event: unknown, where: string, keyword: string]>([
    ["nothing", null, "", "type"],
    ["a list", [call], "", "type"],
    ["no event name", { tool: "bash" }, "", "required"],
    ["an inherited event name", Object.create(call), "", "required"],
    ["an empty event name", { event: "" }, "/event", "minLength"],
    ["a call without a tool", { event: "tool_call" }, "", "required"],
    ["arguments that are no mapping", { ...call, args: ["ls"] }, "/args", "type"],
    ["a result without a result", { event: "tool_result", tool: "read" }, "", "required"],
    [
      "a part without a type",
      { event: "tool_result", tool: "read", result: { content: [{}] } },
      "/result/content/0",
      "required",
    ],
    ["an unknown role", { event: "context", messages: [{ role: "root" }] }, "/messages/0/role", "enum"],
    [
      "two things at a path",
      { ...call, environment: { files: { "/a": { link: "/b" } } } },
      "/environment/files/~1a",
      "additionalProperties",
    ],
    ["a turn before the first", { ...call, session: { turn: -1 } }, "/session/turn", "minimum"],
    ["too many repeats", { ...call, repeat: 10_001 }, "/repeat", "maximum"],
    ["a span without a unit", { ...call, every: "10" }, "/every", "pattern"],
  ])("%s does not fit", (_, event, instancePath, keyword) => {
    expect(validateEvent(event)).toBe(false);
    expect(validateEvent.errors?.[0]).toMatchObject({ instancePath, keyword });
  });
});

describe("decisions and audit records", () => {
  it("a decision fits", () => {
    expect(validateDecision(decision)).toBe(true);
  });

  it.each<readonly [what: string, value: unknown]>([
    ["another outcome", { ...decision, outcome: "maybe" }],
    ["another field", { ...decision, verdict: "allow" }],
    ["a change that no event has", { ...decision, changes: { file: "a" } }],
    ["a match without its rule", { ...decision, matched: [{ outcome: "block" }] }],
  ])("%s does not fit a decision", (_, value) => {
    expect(validateDecision(value)).toBe(false);
  });

  it("a record needs its seal", () => {
    expect(validateAuditRecord({ body: {} })).toBe(false);
  });
});
