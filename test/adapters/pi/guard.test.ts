import { describe, expect, it } from "vitest";
import type { PiMessage } from "../../../adapters/pi/api.ts";
import type { Judge } from "../../../adapters/pi/guard.ts";
import type { AuditStore } from "../../../schema/ports.ts";
import { guarded, start, userBash } from "./fake-host.ts";
import {
  blockedDecision,
  changed,
  contextWith,
  decision,
  judgeOf,
  toolCallEvent,
  toolResultEvent,
} from "./payloads.ts";

describe("a tool call", () => {
  it("that is allowed runs with frozen arguments", async () => {
    const { fire } = guarded(() => decision());
    const event = { ...toolCallEvent(), input: { command: "echo", nested: { list: [{ a: 1 }] } } };
    expect(await fire("tool_call", event)).toBeUndefined();
    expect(Object.isFrozen(event.input.nested.list[0])).toBe(true);
    expect(() => {
      event.input.command = "other";
    }).toThrow(TypeError);
  });

  it("that is blocked gets the reason with its rule", async () => {
    const reply = await guarded(() => blockedDecision).fire("tool_call", toolCallEvent());
    expect(reply?.block).toBe(true);
    expect(reply?.reason).toContain("(rule p/no): it is forbidden");
  });

  it("is changed in place, since pi runs the very object", async () => {
    const { fire } = guarded(() => changed({ args: { command: "echo safe", extra: [1] } }));
    const event = { ...toolCallEvent(), input: { command: "echo raw", timeout: 3 } as Record<string, unknown> };
    const { input } = event;
    expect(await fire("tool_call", event)).toBeUndefined();
    expect(event.input).toBe(input);
    expect(input).toEqual({ command: "echo safe", extra: [1] });
  });

  it("whose arguments cannot be changed is blocked", async () => {
    const { fire } = guarded(() => changed({ args: { command: "echo safe" } }));
    const event = { ...toolCallEvent(), input: Object.freeze({ command: "echo raw" }) as Record<string, unknown> };
    expect(await fire("tool_call", event)).toMatchObject({ block: true, reason: expect.stringContaining("HW506") });
  });

  it("delivers injected text behind the running calls", async () => {
    const { fire, pi } = guarded(() => changed({ message: { custom_type: "t", content: "note", display: false } }));
    await fire("tool_call", toolCallEvent());
    expect(pi.sent).toEqual([[{ customType: "t", content: "note", display: false }, { deliverAs: "steer" }]]);
  });

  it("is framed with surroundings, session and turn", async () => {
    const judge = judgeOf(() => decision());
    const { fire, pi } = guarded(judge, {
      machine: { home: "/home/dev", user: "dev", os: "linux", variables: { HOME: "/home/dev", API_KEY: "/x" } },
    });
    await pi.handlers.get("turn_start")?.({ type: "turn_start" }, contextWith());
    await fire("tool_call", toolCallEvent());
    expect(judge.asked[0]).toMatchObject({
      id: "t-1",
      time: "1970-01-01T00:00:00.005Z",
      host: "pi",
      environment: {
        cwd: "/work",
        home: "/home/dev",
        user: "dev",
        interactive: false,
        variables: { HOME: "/home/dev" },
      },
      session: { id: "s1", turn: 1 },
    });
    expect(judge.asked[0]?.environment?.variables).not.toHaveProperty("API_KEY");
  });

  it("is framed with the variables of now, which are read before each call", async () => {
    const judge = judgeOf(() => decision());
    const variables: Record<string, string> = { HOME: "/home/dev" };
    const { fire } = guarded(judge, { machine: { home: "/home/dev", user: "dev", os: "linux", variables } });
    for (const home of ["/home/dev", "/srv/other", "/srv/third"]) {
      variables["HOME"] = home;
      await fire("tool_call", toolCallEvent());
    }
    const told = judge.asked.map(({ environment }) => environment?.variables?.["HOME"]);
    expect(told).toEqual(["/home/dev", "/srv/other", "/srv/third"]);
  });
});

describe("ask", () => {
  const asking = decision({
    outcome: "ask",
    answered: "rule",
    rule: "p/first",
    reason: "a human decides",
    matched: [
      { rule: "p/first", outcome: "ask" },
      { rule: "p/second", outcome: "ask" },
    ],
  });

  it("without a UI blocks with HW510", async () => {
    const reply = await guarded(() => asking).fire("tool_call", toolCallEvent());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW510") });
    expect(reply?.reason).toContain("p/first");
  });

  it.each([
    ["yes", () => Promise.resolve(true), true],
    ["no", () => Promise.resolve(false), false],
    ["nothing", () => Promise.resolve(undefined as unknown as boolean), false],
    ["something else than yes", () => Promise.resolve("yes" as unknown as boolean), false],
    ["an error", () => Promise.reject(new Error("closed")), false],
    [
      "a thrown error",
      () => {
        throw new Error("gone");
      },
      false,
    ],
  ] as const)("with a human who answers %s", async (_name, confirm, runs) => {
    const { fire, store } = guarded(() => asking);
    const context = contextWith({ hasUI: true, ui: { confirm, notify: () => undefined } });
    const reply = await fire("tool_call", toolCallEvent(), context);
    expect(reply === undefined).toBe(runs);
    if (!runs) expect(reply?.reason).toContain("HW510");
    expect(store.bodies).toMatchObject([
      {
        event: "approval",
        outcome: runs ? "allow" : "block",
        call_id: "call_1_0",
        observations: { of: "t-1", by: "user" },
      },
    ]);
  });

  it("shows the final command and every asking rule once", async () => {
    const shown: string[] = [];
    const { fire } = guarded(() => ({ ...asking, changes: { args: { command: "echo final" } } }));
    const confirm = (title: string, message: string) => {
      shown.push(title, message);
      return Promise.resolve(true);
    };
    await fire(
      "tool_call",
      toolCallEvent("echo first"),
      contextWith({ hasUI: true, ui: { confirm, notify: () => undefined } }),
    );
    expect(shown).toHaveLength(2);
    expect(shown[1]).toContain("echo final");
    expect(shown[1]).not.toContain("echo first");
    expect(shown[1]).toContain("p/first, p/second");
  });

  it("judges no other arguments than those that run after the wait", async () => {
    const event = toolCallEvent();
    const buffer = { bytes: new Uint8Array([1]) };
    event.input["buffer"] = buffer;
    const { fire } = guarded(() => asking);
    const confirm = () => {
      buffer.bytes[0] = 2;
      return Promise.resolve(true);
    };
    const reply = await fire(
      "tool_call",
      event,
      contextWith({ hasUI: true, ui: { confirm, notify: () => undefined } }),
    );
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW511") });
  });

  it("is refused when an approval cannot be recorded that must be", async () => {
    const plan = { digest: "sha256:0", engine: "0", tables: {}, policies: [{ audit: { mode: "required" } }] };
    const judge = { ...judgeOf(() => asking), plan: plan as unknown as Judge["plan"] };
    const store: AuditStore = {
      append() {
        throw new Error("disk full");
      },
    };
    const context = contextWith({ hasUI: true, ui: { confirm: () => Promise.resolve(true), notify: () => undefined } });
    const reply = await guarded(judge, { store }).fire("tool_call", toolCallEvent(), context);
    expect(reply?.reason).toContain("HW509");
  });
});

describe("a tool result", () => {
  it("of a call that ran as judged is not reported", async () => {
    const { fire, store, log } = guarded(() => decision());
    const event = toolCallEvent();
    await fire("tool_call", event);
    expect(await fire("tool_result", toolResultEvent({ input: event.input }))).toBeUndefined();
    expect(store.bodies).toEqual([]);
    expect(log).toEqual([]);
  });

  it("of a call that was changed afterwards is reported with HW511", async () => {
    const { fire, store, log } = guarded(() => decision());
    await fire("tool_call", toolCallEvent("echo judged"));
    await fire("tool_result", toolResultEvent({ input: { command: "echo other" } }));
    expect(log[0]).toContain("HW511");
    expect(store.bodies).toMatchObject([{ event: "error", call_id: "call_1_0", errors: [{ code: "HW511" }] }]);
  });

  it("of a call that nobody judged is reported, to the human where there is one", async () => {
    const { fire, store, log } = guarded(() => decision());
    const context = contextWith({ hasUI: true });
    await fire("tool_result", toolResultEvent(), context);
    expect(context.said[0]).toContain("without having been judged");
    expect(log).toEqual([]);
    expect(store.bodies).toHaveLength(1);
  });

  it("has content and details redacted alike", async () => {
    const { fire } = guarded(() =>
      changed({ content: [{ type: "text", text: "[x]", ref: 0 }], details: { raw: "[x]" } }),
    );
    expect(await fire("tool_result", toolResultEvent())).toEqual({
      content: [{ type: "text", text: "[x]" }],
      details: { raw: "[x]" },
    });
  });
});

describe("the start of an agent", () => {
  it("whose prompt a rule rewrites shows the model the rewritten one", async () => {
    const { fire } = guarded((event) =>
      event.event === "before_agent_start" ? changed({ prompt: "[redacted]" }) : decision(),
    );
    await fire("before_agent_start", start);
    const messages: PiMessage[] = [
      { role: "user", content: [{ type: "text", text: "raw prompt" }], timestamp: 1 },
      { role: "user", content: "raw prompt", timestamp: 2 },
      { role: "user", content: "another prompt", timestamp: 3 },
    ];
    const reply = await fire("context", { type: "context", messages });
    expect(JSON.stringify(reply)).not.toContain("raw prompt");
    expect(reply?.messages[2]).toBe(messages[2]);
  });

  it("gets message and system prompt", async () => {
    const { fire } = guarded(() => changed({ system_prompt: "You are. Be careful." }));
    expect(await fire("before_agent_start", start)).toEqual({ systemPrompt: "You are. Be careful." });
  });
});

describe("a human's command", () => {
  it("that is blocked has a result with the reason", async () => {
    const reply = await guarded(() => blockedDecision).fire("user_bash", userBash);
    expect(reply).toMatchObject({
      result: { exitCode: 1, cancelled: true, truncated: false, output: expect.stringContaining("p/no") },
    });
  });

  it("that is allowed is left to pi", async () => {
    expect(await guarded(() => decision()).fire("user_bash", userBash)).toBeUndefined();
  });

  it("that a rule rewrites does not run, since pi would run it as typed", async () => {
    const rewrite = decision({ changes: { command: "echo [x]" }, matched: [{ rule: "p/hide", outcome: "redact" }] });
    const reply = await guarded(() => rewrite).fire("user_bash", userBash);
    expect(reply?.result.output).toContain("p/hide");
  });

  it("that needs a human and has none does not run", async () => {
    const reply = await guarded(() => decision({ outcome: "ask", answered: "rule", rule: "p/ask" })).fire(
      "user_bash",
      userBash,
    );
    expect(reply?.result.output).toContain("HW510");
  });
});
