import { describe, expect, it } from "vitest";
import { AgentLoop } from "../../../adapters/hooks/agent-loop.ts";
import { engineGate } from "../../../adapters/hooks/engine-gate.ts";
import { gateEvents } from "../../../adapters/hooks/gate-events.ts";
import { HookToolWrapper, type ToolUpdate } from "../../../adapters/hooks/tool-wrapper.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { custom, gate, type LooseFactory, on, profileNames, runnerOf, text } from "./modules.ts";

/** A real engine behind the gate: rules that are compiled, events that are judged, records that are written. */
function engineOf(rules: string) {
  const source = `version: 1\npolicy: t\ndescription: of a test\nrules:\n${rules}`;
  const compiled = compile({ files: [{ name: "t.yaml", path: "/t.yaml", bytes: new TextEncoder().encode(source) }] });
  expect(compiled.diagnostics.filter((found) => found.severity === "error")).toEqual([]);
  const records: AuditBody[] = [];
  const store = { append: (body: AuditBody) => (records.push(body), { seq: records.length } as never) };
  return { engine: createEngine(compiled.plan, { store }), records };
}

let events = 0;
const frame = () => ({
  id: `e${(events += 1)}`,
  time: "2026-01-01T00:00:00.000Z",
  host: "hookwarden",
  environment: { cwd: "/repo" },
  session: { id: "s", turn: 0, agent: { id: "main", depth: 0 } },
});

function policyOf(rules: string, approved?: boolean) {
  const { engine, records } = engineOf(rules);
  const asked: string[] = [];
  const ask = async (event: { event: string }) => {
    asked.push(event.event);
    return approved ? undefined : "the human did not approve";
  };
  const judge = { decide: (event: never) => engine.decide(event).decision, frame: frame as never };
  const methods = gateEvents({ ...judge, ...(approved === undefined ? {} : { ask: ask as never }) });
  return { policy: gate(methods), records, asked };
}

const input = (value: string) => ({ type: "input" as const, text: value, source: "interactive" as const });
const python = { type: "user_python" as const, code: "print(1)", excludeFromContext: false, cwd: "/repo" };
const switching = { type: "session_before_switch" as const, reason: "new" as const };
const signal = new AbortController().signal;

const block = (event: string, when = "") => `  - { id: no, event: ${event},${when} action: block, reason: not here }\n`;

describe.each(profileNames)("events beside tools under a real engine, profile %s (semantics section 1)", (profile) => {
  it("input: a block swallows the text with rule and reason, other text passes", async () => {
    const { policy, records } = policyOf(block("input", " when: { input.text: { contains: FORBIDDEN } },"));
    const { runner } = runnerOf(profile, [], { policy });
    const refused = await runner.emitInput(input("say FORBIDDEN"));
    expect([refused.action, refused.reason]).toEqual(["handled", expect.stringContaining("t/no")]);
    expect((await runner.emitInput(input("hello"))).action).toBe("continue");
    expect(records.map((record) => [record.event, record.outcome])).toEqual([
      ["input", "block"],
      ["input", "allow"],
    ]);
  });

  it("input: redaction and injection reach the outcome", async () => {
    const redact = `  - { id: r, event: input, action: { redact: { patterns: [{ name: k, regex: 'KEY=\\S+', replacement: 'KEY=[x]' }] } } }\n`;
    const inject = `  - { id: i, event: input, action: { inject: { content: mind the step } } }\n`;
    const { policy } = policyOf(redact + inject);
    const outcome = await runnerOf(profile, [], { policy }).runner.emitInput(input("KEY=abc"));
    expect(outcome).toMatchObject({ action: "transform", text: "KEY=[x]" });
    expect(outcome.messages?.map((message) => String(message.content))).toEqual([
      expect.stringContaining("mind the step"),
    ]);
  });

  it.each([
    [true, "continue"],
    [false, "handled"],
  ])("input: an asking rule asks the human, whose answer %s means %s", async (approved, action) => {
    const { policy, asked } = policyOf("  - { id: a, event: input, action: ask, reason: sure }\n", approved);
    expect((await runnerOf(profile, [], { policy }).runner.emitInput(input("x"))).action).toBe(action);
    expect(asked).toEqual(["input"]);
  });

  it("input: where nobody can be asked an asking rule blocks", async () => {
    const { policy } = policyOf("  - { id: a, event: input, action: ask, reason: sure }\n");
    expect((await runnerOf(profile, [], { policy }).runner.emitInput(input("x"))).action).toBe("handled");
  });

  it("user_python: a block is a result with the reason, exit code 1, cancelled", async () => {
    const { policy } = policyOf(block("user_python"));
    const outcome = await runnerOf(profile, [], { policy }).runner.emitUserPython(python);
    expect(outcome.result).toMatchObject({ exitCode: 1, cancelled: true, output: expect.stringContaining("not here") });
    const open = policyOf(block("user_bash"));
    expect(await runnerOf(profile, [], open).runner.emitUserPython(python)).toEqual({ command: "print(1)" });
  });

  it.each([
    ["session_before_switch", switching],
    ["session_before_fork", { type: "session_before_fork" as const, entryId: "e" }],
    ["session_before_compact", { type: "session_before_compact" as const, preparation: {}, branchEntries: [], signal }],
    ["session_before_tree", { type: "session_before_tree" as const, preparation: {}, signal }],
  ])("%s: a block cancels with the reason, whatever modules answered, and is on record", async (name, event) => {
    const { policy, records } = policyOf(block(name));
    const keeps = on(name, () => ({ cancel: false, label: "mine" }));
    const answer = await runnerOf(profile, [keeps], { policy }).runner.emit(event as { type: string });
    expect(answer).toEqual({ cancel: true, reason: expect.stringContaining("not here") });
    expect(records.map((record) => [record.event, record.outcome])).toEqual([[name, "block"]]);
    const open = policyOf(block("tool_call"));
    expect(await runnerOf(profile, [keeps], open).runner.emit(event as { type: string })).toMatchObject({
      label: "mine",
    });
  });

  it("session.compacting: what modules add is redacted, and a rule may add its own", async () => {
    const redact = `  - { id: r, event: session_compacting, action: { redact: { patterns: [{ name: k, regex: 'KEY=\\S+', replacement: '[x]' }] } } }\n`;
    const inject = `  - { id: i, event: session_compacting, action: { inject: { content: keep the labels } } }\n`;
    const { policy } = policyOf(redact + inject);
    const adds = on("session.compacting", () => ({
      context: ["with KEY=abc"],
      prompt: "sum up KEY=abc",
      preserveData: { n: 1 },
    }));
    const messages = [{ role: "user" as const, content: "KEY=other" }];
    const answer = await runnerOf(profile, [adds], { policy }).runner.emit({ type: "session.compacting", messages });
    expect(answer).toEqual({
      context: ["with [x]", expect.stringContaining("keep the labels")],
      prompt: "sum up [x]",
      preserveData: { n: 1 },
    });
  });

  it("observe events are judged and on record, and what a rule injects comes with the next prompt", async () => {
    const { policy, records } = policyOf(
      "  - { id: i, event: session_start, action: { inject: { content: welcome } } }\n",
    );
    const { runner } = runnerOf(profile, [on("before_agent_start", () => ({ message: custom("mine") }))], { policy });
    await runner.emit({ type: "session_start", reason: "startup" });
    await runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
    const { messages } = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    expect(messages.map((message) => String(message.content))).toEqual(["mine", expect.stringContaining("welcome")]);
    const next = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    expect(next.messages).toEqual([custom("mine")]);
    expect(records.map((record) => record.event)).toEqual(["session_start", "turn_start"]);
  });

  it("tool updates are redacted as results are, and dropped where a result would be withheld", async () => {
    const redact = `  - { id: r, event: tool_result, action: { redact: { patterns: [{ name: k, regex: 'KEY=\\S+', replacement: '[x]' }] } } }\n`;
    const { policy } = policyOf(redact);
    const tool = {
      name: "bash",
      execute: async (_id: string, _params: object, _signal?: AbortSignal, onUpdate?: ToolUpdate) => {
        onUpdate?.({ content: [text("KEY=abc half")], details: { raw: "KEY=abc" } });
        return { content: [text("done")] };
      },
    };
    const shown: unknown[] = [];
    await new HookToolWrapper(tool, runnerOf(profile, [], { policy }).runner).execute("c", {}, undefined, (part) =>
      shown.push(part),
    );
    expect(shown).toEqual([{ content: [text("[x] half")], details: { raw: "[x]" } }]);
  });
});

describe("resources_discover under a real engine", () => {
  it("is judged and on record; the paths of modules pass", async () => {
    const { policy, records } = policyOf(block("tool_call"));
    const adds: LooseFactory = on("resources_discover", () => ({ skillPaths: ["/s"] }));
    const found = await runnerOf("pi", [adds], { policy }).runner.emit({
      type: "resources_discover",
      cwd: "/repo",
      reason: "startup",
    });
    expect(found).toEqual({ skillPaths: ["/s"], promptPaths: [], themePaths: [] });
    expect(records.map((record) => record.event)).toEqual(["resources_discover"]);
  });
});

describe("stop (semantics section 1: a block means to go on, with the reason)", () => {
  const done = { role: "assistant" as const, content: [text("all done")] };

  it.each(["pi", "omp"] as const)("%s: a rule sends the agent on once, then it may stop", async (profile) => {
    const { policy, records } = policyOf(block("stop", " when: { fields.active: false },"));
    const { runner } = runnerOf(profile, [], { policy });
    const sent: unknown[] = [];
    const model = async ({ messages }: { messages: readonly unknown[] }) => {
      sent.push(messages.at(-1));
      return done;
    };
    await new AgentLoop(runner, { tools: [], systemPrompt: () => "base", model }).submit("go");
    expect(sent).toEqual([
      { role: "user", content: "go" },
      { role: "user", content: "not here" },
    ]);
    expect(records.filter((record) => record.event === "stop").map((record) => record.outcome)).toEqual([
      "block",
      "allow",
    ]);
  });

  it.each([
    [
      { continue: true, additionalContext: "more" },
      { continue: true, reason: "more" },
    ],
    [
      { decision: "block", reason: "tests fail" },
      { continue: true, reason: "tests fail" },
    ],
    [{ continue: false }, undefined],
    [undefined, undefined],
  ])("a module answers %j to session_stop (hosts page section 3)", async (answer, expected) => {
    const { runner } = runnerOf("omp", [on("session_stop", () => answer)]);
    expect(await runner.emit({ type: "stop" })).toEqual(expected);
  });

  it("a policy that fails lets the agent stop, and that is reported (semantics section 4)", async () => {
    const { runner, errors } = runnerOf("pi", [], { policy: gate({ stop: () => JSON.parse("{") }) });
    expect([await runner.emit({ type: "stop" }), errors.length]).toEqual([undefined, 1]);
  });
});

describe("engineGate", () => {
  const context = (approved: boolean) => ({
    cwd: "/repo",
    hasUI: true,
    ui: { confirm: async () => approved, notify: () => undefined },
  });
  const gateOf = (rules: string, approved: boolean) => {
    const { engine, records } = engineOf(rules);
    const policy = engineGate(engine, () => context(approved), { idPrefix: "t", log: () => undefined });
    if (policy === undefined) throw new Error("there is no gate");
    return { policy, records };
  };

  it("is none for an engine without policies", () => {
    expect(engineGate(createEngine([]), () => context(true))).toBeUndefined();
  });

  it("judges tools and every other event, each under an id of its own", async () => {
    const rules = `${block("tool_call").replace("id: no", "id: no-call")}${block("session_before_tree")}`;
    const { policy, records } = gateOf(rules, true);
    const { runner } = runnerOf("pi", [], { policy });
    const call = { type: "tool_call" as const, toolCallId: "c", toolName: "read", input: { path: "a" } };
    expect((await runner.emitToolCall(call)).block).toBe(true);
    expect((await runner.emit({ type: "session_before_tree", preparation: {}, signal }))?.cancel).toBe(true);
    await runner.emit({ type: "turn_start", turnIndex: 0, timestamp: 1 });
    expect(records.map((record) => record.event)).toEqual(["tool_call", "session_before_tree", "turn_start"]);
    expect(new Set(records.map((record) => record.id)).size).toBe(3);
  });

  it.each([true, false])("asks the human about an event beside tools: approved %s", async (approved) => {
    const { policy } = gateOf("  - { id: a, event: session_before_switch, action: ask, reason: sure }\n", approved);
    const answer = await runnerOf("pi", [], { policy }).runner.emit(switching);
    expect(answer?.cancel ?? false).toBe(!approved);
  });
});
