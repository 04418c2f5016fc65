import { describe, expect, it } from "vitest";
import type { HookUIContext } from "../../../adapters/hooks/index.ts";
import { noUI } from "../../../adapters/hooks/index.ts";
import { HookRunner, type HookRunnerOptions } from "../../../adapters/hooks/runner.ts";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine, type EngineOptions } from "../../../runtime.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { gate, moduleOf, on } from "./modules.ts";

/** A runner that is given an engine, as an agent of one's own has it. */
function runnerWith(rules: string, more: Partial<HookRunnerOptions> = {}, options: EngineOptions = {}) {
  const source = `version: 1\npolicy: t\ndescription: d\nlabels: { asked: { kind: taint } }\nrules:\n${rules}`;
  const compiled = compile({ files: [{ name: "t.yaml", path: "/t.yaml", bytes: new TextEncoder().encode(source) }] });
  expect(compiled.diagnostics.filter((found) => found.severity === "error")).toEqual([]);
  const records: AuditBody[] = [];
  const store = { append: (body: AuditBody) => (records.push(body), { seq: records.length } as never) };
  const engine = createEngine(compiled.plan, { store, ...options });
  const log: string[] = [];
  const guard = { idPrefix: "t", log: (line: string) => void log.push(line) };
  return {
    runner: new HookRunner([], { cwd: "/repo", profile: "pi", engine, gate: guard, ...more }),
    records,
    log,
    engine,
  };
}

const input = (text: string) => ({ type: "input" as const, text, source: "interactive" as const });
const call = { type: "tool_call" as const, toolCallId: "c", toolName: "read", input: { path: "a" } };

describe("a runner that is given an engine", () => {
  it("judges tools and other events in one session, also where the host has no id for it", async () => {
    const { runner, records } = runnerWith(
      "  - { id: seen, event: input, action: { label: { add: [asked] } } }\n" +
        "  - { id: no, event: tool_call, when: { session.labels: { contains: asked } }, action: block, reason: asked }\n",
    );
    expect((await runner.emitToolCall(call)).block).toBe(false);
    await runner.emitInput(input("hello"));
    expect((await runner.emitToolCall(call)).block).toBe(true);
    expect(new Set(records.map((record) => record.session)).size).toBe(1);
    expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
  });

  it("counts the turns that it is told of", async () => {
    const { runner } = runnerWith(
      "  - { id: no, event: tool_call, when: { session.turn: 2 }, action: block, reason: r }\n",
    );
    const turns: boolean[] = [];
    for (let turnIndex = 0; turnIndex < 2; turnIndex++) {
      await runner.emit({ type: "turn_start", turnIndex, timestamp: 1 });
      turns.push((await runner.emitToolCall(call)).block);
    }
    expect(turns).toEqual([false, true]);
  });

  it("waits for the program that a rule wants run, beside tools too", async () => {
    const rules = `  - { id: ask-it, event: input, action: { run: { command: "judge", protocol: exit_code } } }\n`;
    const ran: string[] = [];
    const run = async (request: { readonly command: unknown }) => {
      ran.push(String(request.command));
      return { exit_code: 1, stdout: "", stderr: "not so", timed_out: false };
    };
    const { runner } = runnerWith(rules, {}, { programs: { run: run as never } });
    const answer = await runner.emitInput(input("hello"));
    expect([answer.action, answer.reason, ran.length]).toEqual(["handled", expect.stringContaining("not so"), 1]);
  });

  it("tells the human what a rule says, through the ports of the host", async () => {
    const told: string[] = [];
    const { runner } = runnerWith("  - { id: n, event: input, action: { notify: { message: mind this } } }\n");
    const ui: HookUIContext = { ...noUI, notify: (message) => void told.push(message) };
    runner.initialize({ ui });
    await runner.emitInput(input("hello"));
    expect(told.join()).toContain("mind this");
  });

  it.each([true, false])("asks the human through the ports of the host: approved %s", async (approved) => {
    const { runner } = runnerWith("  - { id: a, event: tool_call, action: ask, reason: sure }\n");
    expect((await runner.emitToolCall(call)).block).toBe(true);
    runner.initialize({ ui: { ...noUI, confirm: async () => approved } });
    expect((await runner.emitToolCall(call)).block).toBe(!approved);
  });

  it("knows the session that the ports name", async () => {
    const { runner, records } = runnerWith("  - { id: r, event: input, action: record }\n");
    const sessionManager = {
      getBranch: () => [],
      getEntries: () => [],
      getSessionFile: () => undefined,
      getSessionId: () => "s-1",
    };
    runner.initialize({ sessionManager });
    await runner.emitInput(input("hello"));
    expect(records.map((record) => record.session)).toEqual(["s-1"]);
  });

  it("does nothing for the engine without policies", async () => {
    const runner = new HookRunner([], { cwd: "/repo", profile: "pi", engine: createEngine([]) });
    expect(runner.hasHandlers("tool_call")).toBe(false);
    expect((await runner.emitToolCall(call)).block).toBe(false);
  });

  it("refuses an engine beside a gate of one's own", () => {
    const { engine } = runnerWith("  - { id: r, event: input, action: record }\n");
    expect(() => new HookRunner([], { cwd: "/repo", engine, policy: gate() })).toThrow("only one can be outermost");
  });
});

describe("the profile of a runner", () => {
  const pi = moduleOf("pi", on("tool_call", () => undefined) as never, "/hooks/pi.js");
  const omp = moduleOf("omp", on("tool_call", () => undefined) as never, "/hooks/omp.js");

  it("is that by which its modules were loaded", () => {
    expect(new HookRunner([pi], { cwd: "/repo" }).profile.name).toBe("pi");
    expect(new HookRunner([], { cwd: "/repo" }).profile.name).toBe("omp-hookapi");
  });

  it("is an error where a module was loaded by another", () => {
    expect(() => new HookRunner([pi], { cwd: "/repo", profile: "omp" })).toThrow(
      "`/hooks/pi.js` was loaded by the rules",
    );
    expect(() => new HookRunner([pi, omp], { cwd: "/repo" })).toThrow(
      "`/hooks/omp.js` was loaded by the rules of `omp`",
    );
  });
});

describe("what a runner is given", () => {
  const options = { cwd: "/repo", profile: "pi" } as const;
  const made = (more: object) => () => new HookRunner([], { ...options, ...more } as HookRunnerOptions);
  const { plan } = compile({ files: [] });

  it.each<[string, object, RegExp]>([
    ["a plan for an engine", { engine: plan }, /`engine` must be/],
    ["the whole result of `compile`", { engine: { plan } }, /`engine` must be/],
    ["no engine where one is named", { engine: undefined }, /`engine` must be/],
    ["null", { engine: null }, /`engine` must be/],
    ["a text", { engine: "policy.yaml" }, /`engine` must be/],
    ["a promise", { engine: Promise.resolve(createEngine(undefined)) }, /`engine` must be/],
    ["another word for faults", { hookFaults: "block" }, /`hookFaults` is/],
    ["an unknown profile", { profile: "claude" }, /no profile `claude`.*omp-hookapi/],
    ["the name of a method", { profile: "toString" }, /no profile/],
    ["no folder", { cwd: undefined }, /`cwd` must be/],
    ["a relative folder", { cwd: "." }, /`cwd` must be/],
    ["a time that is none", { toolCallTimeout: "5" }, /`toolCallTimeout`/],
    ["a time before now", { toolCallTimeout: -1 }, /`toolCallTimeout`/],
  ])("is refused at once: %s", (_, more, why) => {
    expect(made(more)).toThrow(why);
  });

  it("may be an engine without policies, or none", () => {
    expect(made({})).not.toThrow();
    expect(made({ engine: createEngine([]) })).not.toThrow();
  });

  it.each([
    ["an object", {}],
    ["a list", [1]],
    ["a result of `compile`", { plan }],
    ["a promise", Promise.resolve(plan)],
  ])("as a plan closes every event where it is none: %s", (_, given) => {
    const engine = createEngine(given as never);
    const { decision } = engine.decide({ event: "tool_call", tool: "read", args: {} });
    expect(decision).toMatchObject({ outcome: "block", errors: [{ code: "HW508" }] });
  });
});

describe("an event by the name that another host has for it", () => {
  it.each([
    ["session_before_compact", ["PreCompact", "PreCompress", "preCompact"]],
    ["stop", ["Stop", "AfterAgent", "agentStop", "agent_before_settle", "session_stop"]],
    ["subagent_stop", ["SubagentStop", "subagentStop"]],
  ])("%s is judged", async (event, names) => {
    const { runner } = runnerWith(`  - { id: no, event: ${event}, action: block, reason: stay }\n`);
    const own = await runner.emit({ type: event });
    expect(own).toBeDefined();
    for (const type of names) expect([type, await runner.emit({ type })]).toEqual([type, own]);
  });

  it("reaches the handlers of its own name", async () => {
    const heard: string[] = [];
    const hook = moduleOf(
      "pi",
      on("stop", () => void heard.push("stop")),
      "a.ts",
    );
    await new HookRunner([hook], { cwd: "/repo", profile: "pi" }).emit({ type: "AfterAgent" });
    expect(heard).toEqual(["stop"]);
  });
});

describe("a partial result", () => {
  const rule =
    "  - { id: hide, event: tool_result, action: { redact: { patterns: [{ name: hidden, regex: HIDDEN }] } } }\n";
  const shown = async (partial: unknown): Promise<string> => {
    const { runner } = runnerWith(rule);
    const seen: unknown[] = [];
    const tool = {
      name: "read",
      execute: async (_id: string, _input: object, _signal: unknown, update?: (part: never) => void) => {
        update?.(partial as never);
        return { content: [{ type: "text" as const, text: "done" }] };
      },
    };
    await new HookToolWrapper(tool, runner).execute("1", { path: "a" }, undefined, (part) => seen.push(part));
    return JSON.stringify(seen);
  };

  it.each<[string, unknown]>([
    ["content", { content: [{ type: "text", text: "a HIDDEN b" }] }],
    ["details", { content: [], details: { a: ["HIDDEN"] } }],
    ["structured content", { content: [], structuredContent: { a: { b: "HIDDEN" } } }],
    ["a field of the tool's own", { content: [], more: "HIDDEN" }],
    ["content that is a text", { content: "HIDDEN" }],
    ["a text", "HIDDEN"],
    ["a list", ["HIDDEN"]],
    [
      "a number of things in one",
      { content: [{ type: "text", text: "HIDDEN" }], details: "HIDDEN", x: { y: "HIDDEN" } },
    ],
  ])("shows nothing that a rule hides: %s", async (_, partial) => {
    expect(await shown(partial)).not.toContain("HIDDEN");
  });

  it("is shown as it is where no rule speaks of it", async () => {
    const partial = { content: [{ type: "text", text: "half" }], details: { n: 1 }, structuredContent: { m: 2 } };
    expect(JSON.parse(await shown(partial))).toEqual([partial]);
  });
});
