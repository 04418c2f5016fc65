import { describe, expect, it } from "vitest";
import { HookToolWrapper } from "../../../adapters/hooks/tool-wrapper.ts";
import { call, gate, on, profileNames, runnerOf, text } from "./modules.ts";

const tool = (run: (params: Record<string, unknown>) => void) => ({
  name: "read",
  label: "Read",
  execute: async (_id: string, params: Record<string, unknown>) => {
    run(params);
    return { content: [text("raw")] };
  },
});

describe.each(profileNames)("tool_call, profile %s", (profile) => {
  it("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)", async () => {
    const ran: string[] = [];
    const modules = [
      on("tool_call", () => void ran.push("A")),
      on("tool_call", () => {
        ran.push("B");
        return { block: true, reason: "no" };
      }),
      on("tool_call", () => void ran.push("C")),
    ];
    const outcome = await runnerOf(profile, modules).runner.emitToolCall(call());
    expect([outcome.block, outcome.reason, ran]).toEqual([true, "no", ["A", "B"]]);
  });

  it("the last non-blocking return wins (omp-authoring-hooks, Pre-tool blocking contract)", async () => {
    const modules = [
      on("tool_call", () => ({ reason: "first" })),
      on("tool_call", () => ({ reason: "last" })),
      on("tool_call", () => undefined),
    ];
    const outcome = await runnerOf(profile, modules).runner.emitToolCall(call());
    expect([outcome.block, outcome.result]).toEqual([false, { reason: "last" }]);
  });

  it("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)", async () => {
    const ran: string[] = [];
    const { runner } = runnerOf(profile, [
      (api) => {
        api.on("tool_call", () => void ran.push("A1"));
        api.on("tool_call", () => void ran.push("A2"));
      },
      on("tool_call", () => void ran.push("B")),
    ]);
    await runner.emitToolCall(call());
    expect(ran).toEqual(["A1", "A2", "B"]);
  });

  it("a handler begins when the one before has ended (pi-hook-reference section 4, tool_call)", async () => {
    const ran: string[] = [];
    const slow = (mark: string) =>
      on("tool_call", async () => {
        ran.push(`${mark} begins`);
        await Promise.resolve();
        ran.push(`${mark} ends`);
      });
    await runnerOf(profile, [slow("A"), slow("B")]).runner.emitToolCall(call());
    expect(ran).toEqual(["A begins", "A ends", "B begins", "B ends"]);
  });

  it("a handler's error propagates from emitToolCall (omp-hooks, Error propagation, Event-time)", async () => {
    const { runner, errors } = runnerOf(profile, [
      on("tool_call", () => {
        throw new Error("boom");
      }),
    ]);
    await expect(runner.emitToolCall(call())).rejects.toThrow("boom");
    expect(errors).toEqual([{ hookPath: "/hooks/0.js", event: "tool_call", error: "boom" }]);
  });

  it("returned reason becomes the thrown error text and the tool does not run (omp-hooks, Pre-execution)", async () => {
    let ran = false;
    const { runner } = runnerOf(profile, [on("tool_call", () => ({ block: true, reason: "not here" }))]);
    const wrapped = new HookToolWrapper(
      tool(() => {
        ran = true;
      }),
      runner,
    );
    await expect(wrapped.execute("c1", {})).rejects.toThrow(/^not here$/);
    expect(ran).toBe(false);
  });

  it("a handler that throws blocks the tool (omp-authoring-hooks, Pre-tool blocking contract)", async () => {
    let ran = false;
    const { runner } = runnerOf(profile, [
      on("tool_call", async () => {
        throw new Error("boom");
      }),
    ]);
    const wrapped = new HookToolWrapper(
      tool(() => {
        ran = true;
      }),
      runner,
    );
    await expect(wrapped.execute("c1", {})).rejects.toThrow("boom");
    expect(ran).toBe(false);
  });

  it("a blocked call emits no tool_result (hosts page, section 4)", async () => {
    let results = 0;
    const { runner } = runnerOf(profile, [
      on("tool_call", () => ({ block: true })),
      on("tool_result", () => {
        results += 1;
      }),
    ]);
    await expect(
      new HookToolWrapper(
        tool(() => {}),
        runner,
      ).execute("c1", {}),
    ).rejects.toThrow("blocked by a hook module");
    expect(results).toBe(0);
  });

  it.each([
    ["a getter that throws", () => Object.defineProperty({}, "block", { get: () => JSON.parse("{") })],
    ["a truthy block", () => ({ block: 1 })],
  ])("garbage blocks when it may mean a block: %s", async (_name, answer) => {
    const { runner } = runnerOf(profile, [on("tool_call", answer)]);
    await expect(
      new HookToolWrapper(
        tool(() => {}),
        runner,
      ).execute("c1", {}),
    ).rejects.toThrow();
  });

  it.each([
    ["a text", "block"],
    ["a list", [{ block: true }]],
    ["null", null],
    ["a number", 1],
  ])("garbage that answers nothing lets the call pass: %s", async (_name, answer) => {
    const { runner } = runnerOf(profile, [on("tool_call", () => answer)]);
    expect((await runner.emitToolCall(call())).block).toBe(false);
  });

  it("a handler that does not settle blocks at the host's limit (hosts page, section 3, tool_call)", async () => {
    const { runner } = runnerOf(profile, [on("tool_call", () => new Promise(() => {}))], { toolCallTimeout: 5 });
    await expect(runner.emitToolCall(call())).rejects.toThrow("did not settle within 5 ms");
  });

  it("an unsubscribed handler does not run (hosts page, section 2: on() returns an unsubscribe function)", async () => {
    const { runner } = runnerOf(profile, [(api) => api.on("tool_call", () => ({ block: true }))()]);
    expect((await runner.emitToolCall(call())).block).toBe(false);
  });

  it("writing to the event's own fields reaches neither later handlers nor the host (semantics section 3, step 7)", async () => {
    let seen: unknown;
    const { runner } = runnerOf(profile, [
      on("tool_call", (event: Record<string, unknown>) => {
        event["toolName"] = "write";
        event["input"] = { path: "z" };
      }),
      on("tool_call", (event: Record<string, unknown>) => {
        seen = [event["toolName"], event["input"]];
      }),
    ]);
    const outcome = await runner.emitToolCall(call());
    expect(seen).toEqual(["read", { path: "a" }]);
    expect(outcome.input).toEqual({ path: "a" });
  });

  it("arguments that are not plain data are blocked under a policy (semantics section 4)", async () => {
    const { runner } = runnerOf(profile, [], { policy: gate() });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const input of [
      cyclic,
      { run: () => 1 },
      Object.defineProperty({}, "x", { get: () => JSON.parse("{"), enumerable: true }),
    ]) {
      const outcome = await runner.emitToolCall(call(input));
      expect(outcome.block).toBe(true);
      expect(outcome.reason).toContain("cannot be judged");
    }
  });

  it("returned arguments are copied, so a getter cannot pass validation and run as something else (hosts page section 3)", async () => {
    let reads = 0;
    const returned = Object.defineProperty({}, "path", {
      enumerable: true,
      get: () => (reads++ === 0 ? "ok" : "other"),
    });
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const { runner } = runnerOf(profile, [on("tool_call", () => ({ input: returned }))]);
    const expected = profile === "omp" ? "ok" : "a";
    const { input } = await runner.emitToolCall(call());
    expect([input["path"], input["path"]]).toEqual([expected, expected]);
    const looped = runnerOf(profile, [on("tool_call", () => ({ input: cyclic }))]).runner;
    expect((await looped.emitToolCall(call())).block).toBe(profile === "omp");
  });

  it("`__proto__` in the arguments stays a key and changes no prototype", async () => {
    const { runner } = runnerOf(profile, [], { policy: gate() });
    const outcome = await runner.emitToolCall(
      call(JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>),
    );
    expect(Object.keys(outcome.input)).toEqual(["__proto__"]);
    expect((outcome.input as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("HookToolWrapper", () => {
  it("keeps the tool's other properties", () => {
    const wrapped = new HookToolWrapper(
      tool(() => {}),
      runnerOf("pi", []).runner,
    );
    expect([wrapped.name, (wrapped as unknown as { label: string }).label]).toEqual(["read", "Read"]);
  });

  it("passes id, signal and updates on", async () => {
    const updates: unknown[] = [];
    const signal = new AbortController().signal;
    const wrapped = new HookToolWrapper(
      {
        name: "read",
        execute: async (id, _params, given, onUpdate) => {
          onUpdate?.({ content: [text("half")] });
          return { content: [text(`${id} ${given === signal}`)] };
        },
      },
      runnerOf("pi", []).runner,
    );
    const final = await wrapped.execute("c9", {}, signal, (partial) => updates.push(partial));
    expect(final).toEqual({ content: [text("c9 true")], details: undefined });
    expect(updates).toEqual([{ content: [text("half")] }]);
  });
});
