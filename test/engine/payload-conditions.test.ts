import { describe, expect, it } from "vitest";
import { createEngine } from "../../runtime.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

/** One rule over an event, `block` where the event decides; a transform elsewhere only to have an action. */
const rule = (event: string, when: string, action = "block"): string =>
  `- { id: r, event: ${event}, when: ${JSON.stringify(when)}, action: ${action}, reason: no }`;

function codesOf(event: string, when: string, action: string): readonly string[] {
  const { diagnostics } = compileTexts({ "policy.yaml": withHead(rule(event, when, action)) });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

function outcome(event: string, when: string, wire: object): string {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(rule(event, when)) });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  const { decision } = createEngine(plan).decide({ event, ...wire });
  return decision.answered === "error" ? `error ${decision.errors[0]?.code}` : decision.outcome;
}

const inject = "{ inject: { content: x } }";

describe("conditions over payload fields are checked by the rule's events", () => {
  const cases: readonly (readonly [event: string, when: string, codes: readonly string[], action?: string])[] = [
    ["session_before_switch", 'fields.reason == "new"', []],
    ["session_before_switch", 'fields.reason == "boredom"', ["HW305"]],
    ["session_before_switch", "fields.reson == 'new'", ["HW302"]],
    ["session_before_switch", "fields.entry_id == 'e'", ["HW302"]],
    ["session_before_switch", "has(fields.target_session_file) && fields.target_session_file.ext == 'json'", []],
    ["session_before_fork", "fields.entry_id.startsWith('e')", []],
    ["session_before_fork", "fields.entry_id > 1", ["HW304"]],
    ["session_before_compact", "has(fields.custom_instructions) && fields.custom_instructions == 'x'", []],
    ["user_bash", "fields.exclude_from_context && command.contains('x')", []],
    ["user_bash", "code == 'x'", ["HW301"]],
    ["user_python", "code.contains('import os')", []],
    ["stop", "fields.active", []],
    ["turn_start", "fields.turn_index > 3", [], inject],
    ["session_start", "has(fields.reason) && fields.reason == 'resume'", [], inject],
    ["[session_before_switch, session_before_fork]", "fields.reason == 'new'", ["HW302"]],
    ["[user_bash, user_python]", "fields.exclude_from_context", []],
    ["session_compacting", "messages.exists(m, m.role == 'user')", [], inject],
  ];
  it.each(cases.map(([event, when, codes, action = "block"]) => [event, when, codes, action] as const))(
    "%s: %s %j",
    (event, when, codes, action) => {
      expect(codesOf(event, when, action)).toEqual(codes);
    },
  );
  it("a switch has no other reasons than its table says", () => {
    expect(codesOf("session_before_switch", 'fields.reason in ["new", "resume"]', "block")).toEqual([]);
  });
});

describe("conditions over payload fields judge what came", () => {
  it.each<readonly [event: string, when: string, wire: object, expected: string]>([
    ["session_before_switch", 'fields.reason == "new"', { reason: "new" }, "block"],
    ["session_before_switch", 'fields.reason == "new"', { reason: "resume" }, "allow"],
    ["session_before_switch", 'fields.reason == "new"', {}, "error HW501"],
    [
      "session_before_switch",
      "has(fields.target_session_file) && fields.target_session_file.within('/vault')",
      { reason: "resume", target_session_file: "/vault/a.jsonl" },
      "block",
    ],
    ["session_before_fork", "fields.entry_id == 'e'", { entry_id: "e" }, "block"],
    ["user_bash", "fields.exclude_from_context", { command: "ls" }, "allow"],
    ["user_bash", "fields.exclude_from_context", { command: "ls", exclude_from_context: true }, "block"],
    ["user_bash", "command == 'ls'", { command: "ls" }, "block"],
    ["user_python", "code.contains('import os')", { code: "import os" }, "block"],
    ["stop", "has(fields.last_message) && fields.last_message == 'x'", { last_message: "x" }, "block"],
  ])("%s: %s over %j is %s", (event, when, wire, expected) => {
    expect(outcome(event, when, wire)).toBe(expected);
  });
});

describe("code that the user typed is text like any other", () => {
  it("redaction reaches it, and the change is in the event's own shape", () => {
    const redact = `- { id: r, event: user_python, action: { redact: { patterns: [{ name: key, regex: "K=\\\\w+" }] } } }`;
    const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(redact) });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const { decision } = createEngine(plan).decide({ event: "user_python", code: "use('K=abc')" });
    expect(decision.changes).toEqual({ code: "use('[REDACTED:key]')" });
  });
});

describe("an engine refuses what no payload can be, and throws for nothing", () => {
  const { plan } = compileTexts({ "policy.yaml": withHead(rule("tool_call", "tool.name == 'write'")) });
  const trap = (): never => {
    throw new Error("trap");
  };
  const hostile = new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap });
  it.each<readonly [string, unknown]>([
    ["a proxy whose traps throw", hostile],
    ["a proxy among the fields", { event: "tool_call", tool: "bash", args: hostile }],
    ["a getter as the event's name", Object.defineProperty({}, "event", { get: trap, enumerable: true })],
    [
      "messages that cannot be read",
      { event: "tool_call", tool: "bash", messages: new Proxy([], { get: trap, getPrototypeOf: trap }) },
    ],
    ["a function", () => 1],
  ])("%s", (_name, wire) => {
    expect(createEngine(plan).decide(wire).decision).toMatchObject({ outcome: "block", answered: "error" });
    expect(createEngine(undefined).decide(wire).decision).toMatchObject({ outcome: "block", answered: "error" });
  });

  it("what the host forged stands in the record", () => {
    const event = { event: "tool_call", tool: "read", ignored: ["labels"] };
    expect(createEngine(plan).decide(event).body?.observations).toMatchObject({ ignored: ["labels"] });
  });
});
