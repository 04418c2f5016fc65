import { describe, expect, it } from "vitest";
import type { Plan } from "../../engine/plan.ts";
import { closedEngine, createEngine, type EngineOptions } from "../../runtime.ts";
import { eventKind, eventNames, events } from "../../schema/events.ts";
import { limits } from "../../schema/limits.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

function planOf(text: string): Plan {
  const result = compileTexts({ "policy.yaml": withHead(text) });
  if (!result.plan) throw new Error(JSON.stringify(result.diagnostics));
  return result.plan;
}

const engineFor = (text: string, options?: EngineOptions) => createEngine(planOf(text), options);
const bash = (command: unknown) => ({ event: "tool_call", tool: "bash", args: { command } });

const guard = `- { id: g, event: [tool_call, user_bash], each: { r: effects.reads }, when: { r.path: { glob: "/vault/**" } }, action: block, reason: no }`;

describe("no policy costs nothing", () => {
  it("engines without policies are one shared engine that allows and records nothing", () => {
    const engine = createEngine([]);
    expect(createEngine([])).toBe(engine);
    expect(engine.active).toBe(false);
    expect(engine.decide(bash("anything"))).toMatchObject({
      decision: { outcome: "allow", answered: "none" },
      body: undefined,
    });
  });
});

describe("policies that did not compile", () => {
  it("give no plan, and an engine without a plan refuses everything", () => {
    const { plan } = compileTexts({
      "policy.yaml": withHead(`- { id: r, event: tool_call, when: "tol.name == 1", action: block, reason: no }`),
    });
    expect(plan).toBeUndefined();
    const engine = createEngine(plan);
    expect(engine.active).toBe(true);
    expect(engine.decide(bash("ls")).decision).toMatchObject({
      outcome: "block",
      answered: "error",
      errors: [{ code: "HW508" }],
    });
  });
});

describe("every event has its closed outcome (semantics section 4)", () => {
  const engine = closedEngine(undefined, { code: "HW508", message: "plan cannot be used" });
  it.each(eventNames.map((name) => [name, eventKind(name)] as const))("%s (%s)", (name, kind) => {
    const wire = {
      event: name,
      prompt: "secret",
      messages: [
        { role: "user", content: "secret" },
        { role: "toolResult", toolCallId: "c", content: [{ type: "text", text: "secret" }] },
      ],
    };
    const { decision } = engine.decide(wire);
    const goesOn = kind !== "decide" || name === "stop" || name === "subagent_stop";
    expect(decision.outcome).toBe(goesOn ? "allow" : "block");
    expect(decision.answered).toBe("error");
    expect(decision.errors[0]?.code).toBe("HW508");
    expect(JSON.stringify(decision.changes)).not.toContain("secret");
    if (name === "context")
      expect(decision.changes.messages).toMatchObject([{ role: "user" }, { role: "toolResult", toolCallId: "c" }]);
    if (name === "tool_result") expect(decision.changes).toMatchObject({ details: null, structured: null });
    if (name === "before_agent_start") expect(decision.changes.prompt).toContain("withheld");
  });

  it("names every event once", () => {
    const names = eventNames.flatMap((name) => [name, ...events[name].aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a payload that does not fit is answered closed and said", () => {
  const engine = engineFor(guard);
  const cyclic: Record<string, unknown> = { event: "tool_call", tool: "bash" };
  cyclic["args"] = { self: cyclic };
  const malformed: [string, unknown, string][] = [
    ["no object", 3, "HW501"],
    ["no tool", { event: "tool_call" }, "HW501"],
    ["a cycle", cyclic, "HW504"],
    [
      "a getter",
      Object.defineProperty({ event: "tool_call" }, "tool", { get: () => "bash", enumerable: true }),
      "HW504",
    ],
  ];
  it.each(malformed)("%s", (_name, wire, code) => {
    const { decision, body } = engine.decide(wire);
    expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code }] });
    expect(body).toMatchObject({ outcome: "block", errors: [{ code }] });
  });
});

describe("an internal fault closes the event and says so", () => {
  it("HW506: a file system that throws", () => {
    const files = {
      lookup: () => {
        throw new Error("disk on fire");
      },
      readText: () => undefined,
    };
    const { decision } = engineFor(guard, { files }).decide(bash("cat notes"));
    expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code: "HW506" }] });
    expect(decision.reason).toContain("disk on fire");
  });

  it("HW508: a plan with an action this engine lacks", () => {
    const plan = planOf(guard);
    const strange: Plan = {
      ...plan,
      rules: plan.rules.map((rule) => ({ ...rule, actions: [{ action: "teleport", parameters: {} }] })),
    };
    expect(createEngine(strange).decide(bash("ls")).decision).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW508" }],
    });
  });

  it("HW508: a plan with a function this engine lacks answers closed wherever the rule is asked", () => {
    const plan = planOf(`- { id: g, event: tool_call, when: 'tool.name.startsWith("b")', action: block, reason: no }`);
    const strange = JSON.parse(JSON.stringify(plan).replaceAll(/"fn":"[^"]*"/g, '"fn":"no.such"')) as Plan;
    expect(createEngine(strange).decide(bash("ls")).decision).toMatchObject({ outcome: "block", answered: "error" });
  });
});

describe("audit", () => {
  const broken = {
    append: () => {
      throw new Error("disk full");
    },
  };
  it("HW509: a required trail that cannot be written blocks", () => {
    expect(engineFor(guard, { store: broken }).decide(bash("ls")).decision).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW509" }],
    });
  });

  it("best effort goes on and says so", () => {
    const text = `version: 1\npolicy: p\naudit: { mode: best_effort }\nrules:\n${guard}`;
    expect(engineFor(text, { store: broken }).decide(bash("ls")).decision).toMatchObject({
      outcome: "allow",
      errors: [{ code: "HW509" }],
    });
  });

  it("one decision is one record, written before the answer is given", () => {
    const written: string[] = [];
    const store = {
      append: (body: { outcome: string }) => {
        written.push(body.outcome);
        return {} as never;
      },
    };
    engineFor(guard, { store }).decide(bash("cat /vault/key"));
    expect(written).toEqual(["block"]);
  });
});

describe("bounds at run time", () => {
  it("HW503: a rule over its step budget asks, because a call that is only long is no attack", () => {
    const text = `- { id: slow, event: tool_call, tool: "mcp__*", when: 'args.?a.orValue([]).exists(x, args.?a.orValue([]).exists(y, x == "q" && y == "z"))', action: block, reason: no }`;
    const a = Array.from({ length: 1_000 }, (_, i) => String(i));
    const { decision } = engineFor(text).decide({ event: "tool_call", tool: "mcp__s__t", args: { a } });
    expect(decision).toMatchObject({
      outcome: "ask",
      answered: "rule",
      rule: "p/slow",
      errors: [{ code: "HW503" }],
    });
  });

  const redact = `- { id: r, event: [tool_result, context], action: { redact: { detectors: ["secrets/*"] } } }`;
  it("HW507: a result too long to be scanned is withheld", () => {
    const text = "x".repeat(limits.scanLength + 1);
    const { decision } = engineFor(redact).decide({
      event: "tool_result",
      tool: "read",
      args: {},
      result: { content: [{ type: "text", text }] },
    });
    expect(decision.errors[0]?.code).toBe("HW507");
    expect(JSON.stringify(decision.changes.content).length).toBeLessThan(300);
  });

  it("of a context only the message that cannot be scanned is withheld", () => {
    const text = "x".repeat(limits.scanLength + 1);
    const { decision } = engineFor(redact).decide({
      event: "context",
      messages: [
        { role: "user", content: "hi" },
        { role: "user", content: text },
      ],
    });
    expect(decision.outcome).toBe("allow");
    expect(decision.changes.messages).toMatchObject([
      { role: "user", content: "hi" },
      { role: "user", content: [{ type: "text" }] },
    ]);
    expect(JSON.stringify(decision.changes).length).toBeLessThan(400);
  });

  it("HW505: transforms that never settle block", () => {
    const pattern = (name: string, regex: string, replacement: string) =>
      `- { id: ${name}, event: tool_call, action: { redact: { before_guards: true, patterns: [{ name: ${name}, regex: ${regex}, replacement: ${replacement} }] } } }`;
    const engine = engineFor(`${pattern("a", "ping", "pong")}\n${pattern("b", "pong", "ping")}`);
    expect(engine.decide({ event: "tool_call", tool: "search", args: { query: "ping" } }).decision).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW505" }],
    });
  });

  it("HW505: keys of one argument that disagree cannot be rewritten", () => {
    const engine = engineFor(
      `- { id: a, event: tool_call, action: { redact: { patterns: [{ name: a, regex: ping, replacement: pong }] } } }`,
    );
    const { decision } = engine.decide({
      event: "tool_call",
      tool: "read",
      args: { path: "ping", file_path: "other" },
    });
    expect(decision).toMatchObject({ outcome: "block", errors: [{ code: "HW505" }] });
  });
});

describe("errors in texts and injections change nothing", () => {
  it("a reason with an absent field reads unavailable", () => {
    const { decision } = engineFor(
      `- { id: g, event: tool_call, action: block, reason: "on {environment.branch}" }`,
    ).decide(bash("ls"));
    expect(decision).toMatchObject({ outcome: "block", reason: "on (unavailable)" });
  });

  it("values in a reason pass the detectors, are escaped and cut", () => {
    const token = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].join("");
    const { decision } = engineFor(
      `- { id: g, event: tool_call, when: { has: x }, action: block, reason: "ran {args.command}" }`.replace(
        "when: { has: x }, ",
        "tool: bash, ",
      ),
    ).decide(bash(`echo "${token}"\u202e\n${"y".repeat(400)}`));
    expect(decision.reason).not.toContain(token);
    expect(decision.reason).toContain("\\u{202e}");
    expect(decision.reason).toContain('\\"');
    expect((decision.reason ?? "").length).toBeLessThan(260);
  });
});
