import { describe, expect, it } from "vitest";
import type { HookError } from "../../../adapters/hooks/chain.ts";
import { hookFaultAudit } from "../../../adapters/hooks/fault-record.ts";
import { acceptsEvent, handlerKey, hostName, type ProfileName, profiles } from "../../../adapters/hooks/profiles.ts";
import type { HookRunner } from "../../../adapters/hooks/runner.ts";
import { type EventName, eventNames } from "../../../schema/events.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { call, type LooseFactory, on, profileNames, result, runnerOf } from "./modules.ts";

const signal = new AbortController().signal;
const messages = [{ role: "user" as const, content: "SECRET" }];

/** How each event is emitted; events without an emitter of their own go by `emit`. */
const emitters: Partial<Record<EventName, (runner: HookRunner) => Promise<unknown>>> = {
  tool_call: (runner) => runner.emitToolCall(call()),
  tool_result: (runner) => runner.emitToolResult(result("SECRET", { details: "SECRET" })),
  context: (runner) => runner.emitContext(messages),
  before_agent_start: (runner) =>
    runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "p", systemPrompt: "base" }),
  input: (runner) => runner.emitInput({ type: "input", text: "SECRET", source: "interactive" }),
  user_bash: (runner) =>
    runner.emitUserBash({ type: "user_bash", command: "ls", excludeFromContext: false, cwd: "/w" }),
  user_python: (runner) =>
    runner.emitUserPython({ type: "user_python", code: "1", excludeFromContext: false, cwd: "/w" }),
};
const emit = (runner: HookRunner, name: EventName, profile: ProfileName): Promise<unknown> =>
  emitters[name]?.(runner) ??
  runner.emit({ type: hostName(profiles[profile], name), preparation: {}, branchEntries: [], signal, messages: [] });

/** What the runner answers where a faulty handler says nothing, and what it answers with `hookFaults: "closed"`. */
const withheld = expect.stringMatching(/^\[withheld: (?!.*SECRET)/);
const nobody = { type: "text", text: withheld };
const refused = { output: expect.any(String), exitCode: 1, cancelled: true, truncated: false };
const open: Partial<Record<EventName, unknown>> = {
  before_agent_start: { messages: [] },
  input: { action: "continue", text: "SECRET" },
  user_bash: { command: "ls" },
  user_python: { command: "1" },
};
const cancelled = { cancel: true, reason: "a hook module failed" };
const closed: Partial<Record<EventName, unknown>> = {
  before_agent_start: { messages: [] },
  tool_result: { content: [nobody], details: undefined, isError: true },
  context: [expect.objectContaining({ role: "custom", content: withheld })],
  input: { action: "handled", text: "SECRET", reason: "a hook module failed" },
  user_bash: { command: "ls", result: refused },
  user_python: { command: "1", result: refused },
  session_before_switch: cancelled,
  session_before_fork: cancelled,
  session_before_compact: cancelled,
  session_before_tree: cancelled,
};

/** Ways to fail. A getter that throws is a fault only where fields are read; an answer to an event that only tells is not. */
const faults: readonly (readonly [string, () => unknown])[] = [
  [
    "throws",
    () => {
      throw new Error("boom");
    },
  ],
  ["rejects", () => Promise.reject(new Error("boom"))],
  ["throws what is no error", () => Promise.reject("boom")],
];

const cases = profileNames.flatMap((profile) =>
  eventNames
    .filter((name) => acceptsEvent(profiles[profile], name))
    .flatMap((name) => faults.map(([how, handler]) => [profile, name, how, handler] as const)),
);

describe("a handler that fails, one case per event and profile (semantics section 3, Shared runner)", () => {
  it.each(cases)(
    "%s, %s: a handler that %s is reported to listeners and audit, and the chain goes on",
    async (profile, name, _how, handler) => {
      const registered = hostName(profiles[profile], name);
      let later = 0;
      const after = on(registered, () => {
        later += 1;
      });
      const audited: HookError[] = [];
      const { runner, errors } = runnerOf(profile, [on(registered, handler), after], {
        audit: (error) => audited.push(error),
      });
      const answer = await emit(runner, name, profile).catch((error: unknown) => [
        "rejected",
        String((error as Error).message ?? error),
      ]);
      expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: registered, error: "boom" }]);
      expect(audited).toEqual(errors);
      if (name === "tool_call") expect([answer, later]).toEqual([["rejected", "boom"], 0]);
      else expect([answer, later]).toEqual([open[name], 1]);
    },
  );

  it.each(cases)(
    "%s, %s: with hookFaults closed, a handler that %s gives the event's closed outcome",
    async (profile, name, _how, handler) => {
      const { runner, errors } = runnerOf(profile, [on(hostName(profiles[profile], name), handler)], {
        hookFaults: "closed",
      });
      const answer = await emit(runner, name, profile).catch((error: unknown) => [
        "rejected",
        String((error as Error).message ?? error),
      ]);
      expect(answer).toEqual(name === "tool_call" ? ["rejected", "boom"] : closed[name]);
      expect(errors).toHaveLength(1);
    },
  );

  it("the tables of answers name only events that exist", () => {
    for (const name of [...Object.keys(open), ...Object.keys(closed)]) expect(eventNames).toContain(name);
  });

  const unreadable = () => new Proxy({}, { get: () => JSON.parse("{"), ownKeys: () => JSON.parse("{") });
  const read = ["tool_result", "context", "before_agent_start", "session_before_switch", "session_compacting"] as const;
  it.each(profileNames.flatMap((profile) => read.map((name) => [profile, name] as const)))(
    "%s, %s: an answer whose fields throw is a fault of its module",
    async (profile, name) => {
      const registered = hostName(profiles[profile], name);
      // A promise would ask the proxy for `then`; a list is handed over as it is.
      const module = on(registered, () =>
        Object.defineProperties(
          {},
          {
            then: { value: undefined },
            content: thrown,
            messages: thrown,
            message: thrown,
            cancel: thrown,
            prompt: thrown,
          },
        ),
      );
      const { runner, errors } = runnerOf(profile, [module], { hookFaults: "closed" });
      expect(await emit(runner, name, profile)).toEqual(closed[name]);
      expect(errors[0]?.hookPath).toBe("/hooks/0.js");
      expect((await emit(runnerOf(profile, [on(registered, unreadable)]).runner, name, profile)) ?? null).toEqual(
        open[name] ?? null,
      );
    },
  );
});

const thrown = { enumerable: true, get: () => JSON.parse("{") };

describe("hookFaultAudit", () => {
  const frame = () => ({
    id: "t-1",
    time: "2026-01-01T00:00:00.000Z",
    host: "hookwarden",
    environment: {},
    session: { id: "s", turn: 0, agent: { id: "main", depth: 0 } },
  });
  const throws: LooseFactory = on("turn_end", () => {
    throw new Error("no SECRET");
  });
  const run = async (mask?: (text: string) => string): Promise<AuditBody[]> => {
    const bodies: AuditBody[] = [];
    const store = { append: (body: AuditBody) => (bodies.push(body), {} as never) };
    const audit = hookFaultAudit({
      store,
      plan: undefined,
      frame: frame as never,
      ...(mask === undefined ? {} : { mask }),
    });
    await runnerOf("pi", [throws], { audit }).runner.emit({ type: "turn_end" });
    return bodies;
  };

  it("keeps one record with HW512, the module, the event and the masked text", async () => {
    const [body, ...more] = await run((text) => text.replace("SECRET", "[x]"));
    expect(more).toEqual([]);
    expect(body).toMatchObject({
      event: "error",
      outcome: "allow",
      answered: "error",
      errors: [{ code: "HW512", message: "no [x]" }],
      observations: { hook_path: "/hooks/0.js", hook_event: "turn_end" },
    });
  });

  it("without a mask the text is withheld", async () => {
    expect((await run())[0]?.errors).toEqual([{ code: "HW512", message: "(withheld)" }]);
  });

  it("a store that throws changes no answer", async () => {
    const store = { append: () => JSON.parse("{") };
    const audit = hookFaultAudit({ store, plan: undefined, frame: frame as never });
    const { runner, errors } = runnerOf("pi", [throws], { audit });
    expect(await runner.emit({ type: "turn_end" })).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it("a fault in `tool_call` is on record as a block", async () => {
    const bodies: AuditBody[] = [];
    const store = { append: (body: AuditBody) => (bodies.push(body), {} as never) };
    const audit = hookFaultAudit({ store, plan: undefined, frame: frame as never });
    const module = on("tool_call", () => JSON.parse("{"));
    await expect(runnerOf("pi", [module], { audit }).runner.emitToolCall(call())).rejects.toThrow();
    expect(bodies.map((body) => body.outcome)).toEqual(["block"]);
  });

  it("every canonical event keeps its handlers under one key", () => {
    for (const name of eventNames) expect(handlerKey(name)).toBe(name);
  });
});
