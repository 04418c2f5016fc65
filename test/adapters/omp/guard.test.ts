import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOmp, ompFamily } from "../../../adapters/omp/family.ts";
import type { PiApi } from "../../../adapters/pi/api.ts";
import { installGuard } from "../../../adapters/pi/guard.ts";
import type { Decision, WireEvent } from "../../../schema/generated.ts";
import { host, memoryStore } from "../pi/fake-host.ts";
import { blockedDecision, changed, contextWith, decision, judgeOf } from "../pi/payloads.ts";

/** The guard on a fake omp. */
function guarded(answer: (event: WireEvent) => Decision) {
  const omp = host();
  const judge = judgeOf(answer);
  const log: string[] = [];
  const store = memoryStore();
  installGuard(omp, () => judge, { store, now: () => 5, idPrefix: "t", log: (line) => void log.push(line) }, ompFamily);
  const fire = (name: string, event: object) => omp.handlers.get(name)?.({ type: name, ...event }, contextWith());
  return { omp, judge, log, store, fire };
}

const call = (toolName: string, input: object) => ({ toolName, toolCallId: "c1", input });

describe("a call in omp", () => {
  it("runs with the judged arguments, given back as a copy", async () => {
    const { fire } = guarded(() => decision());
    const input = { command: "echo a", env: { A: "1" }, i: "why" };
    const reply = (await fire("tool_call", call("bash", input))) as { input: object };
    expect(reply).toEqual({ input: { command: "echo a", env: { A: "1" } } });
    expect(reply.input).not.toBe(input);
    expect(Object.isFrozen(input)).toBe(false);
  });

  it("that a rule rewrites keeps what the rule left alone", async () => {
    const { fire } = guarded(() => changed({ args: { path: "b.txt", paths: ["a.txt", "a.txt:1-2"] } }));
    expect(await fire("tool_call", call("read", { path: "a.txt:1-2" }))).toEqual({ input: { path: "b.txt" } });
    const { fire: other } = guarded((event) => changed({ args: { ...event.args, note: "x" } }));
    expect(await other("tool_call", call("read", { path: "a.txt:1-2" }))).toEqual({
      input: { path: "a.txt:1-2", note: "x" },
    });
  });

  it("has nothing returned where the event shows no real arguments", async () => {
    expect(await guarded(() => decision()).fire("tool_call", call("computer", { actions: [] }))).toBeUndefined();
  });

  it("that is blocked says why", async () => {
    const reply = await guarded(() => blockedDecision).fire("tool_call", call("bash", { command: "echo a" }));
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("it is forbidden") });
  });

  it("of an edit is compared without what omp derives", async () => {
    const { fire, log } = guarded(() => decision());
    await fire("tool_call", call("edit", { input: "[a#1a2b]", path: "a", paths: ["a"] }));
    await fire("tool_result", { ...call("edit", { input: "[a#1a2b]", path: "a", paths: ["a"] }), content: [] });
    expect(log).toEqual([]);
  });
});

describe("other events in omp", () => {
  it("a session begins with what could not be delivered in the last one", async () => {
    const home = mkdtempSync(join(tmpdir(), "hookwarden-omp-"));
    const segment = join(home, ".local/state/hookwarden/audit", "a".repeat(64), "000001.jsonl");
    mkdirSync(dirname(segment), { recursive: true });
    const text = '{"body":{"host":"omp","on_host":{"delivered":"no","short":[]}},"seal":{}}\n';
    writeFileSync(segment, text, { mode: 0o600 });
    const log: string[] = [];
    const omp = host();
    const machine = { home, user: "dev", os: "linux", variables: {} } as const;
    const world = { store: memoryStore(), machine, log: (line: string) => void log.push(line) };
    installGuard(omp, () => judgeOf(() => decision()), world, ompFamily);
    await omp.handlers.get("session_start")?.({ type: "session_start", reason: "startup" }, contextWith());
    rmSync(home, { recursive: true, force: true });
    expect(log.join("\n")).toMatch(/1 decision of the last session on omp could not be delivered .*--gaps/);
  });

  it.each([
    ["input", { text: "hello", source: "interactive" }, { handled: true }],
    ["session_before_branch", { entryId: "e1" }, { cancel: true }],
    ["session_before_switch", { reason: "new" }, { cancel: true }],
    ["session_before_tree", { preparation: { targetId: "a" } }, { cancel: true }],
    ["session_before_compact", { preparation: { read: new Set(["a"]) }, branchEntries: [] }, { cancel: true }],
    [
      "session_stop",
      { messages: [], turn_id: 1, stop_hook_active: false },
      { decision: "block", reason: "it is forbidden" },
    ],
    ["session_start", {}, undefined],
  ])("%s that a rule blocks", async (name, event, wanted) => {
    const { fire, judge } = guarded(() => blockedDecision);
    expect(await fire(name, event)).toEqual(wanted);
    expect(judge.asked).toHaveLength(1);
  });

  it.each(["user_bash", "user_python"])("%s that a rule blocks gets a result", async (name) => {
    const event = { command: "echo a", code: "print(1)", excludeFromContext: false, cwd: "/work" };
    const reply = (await guarded(() => blockedDecision).fire(name, event)) as { result: object };
    expect(reply.result).toMatchObject({ exitCode: 1, cancelled: true, output: expect.stringContaining("forbidden") });
  });

  it("a system prompt stays in parts", async () => {
    const { fire, judge } = guarded(() => changed({ system_prompt: ["a", "b", "more"] }));
    const reply = await fire("before_agent_start", { prompt: "p", systemPrompt: ["a", "b"] });
    expect(judge.asked[0]?.system_prompt).toEqual(["a", "b"]);
    expect(reply).toEqual({ systemPrompt: ["a", "b", "more"] });
  });

  it("typed text is changed by its own shape, and texts join a compaction", async () => {
    expect(await guarded(() => changed({ text: "new" })).fire("input", { text: "old" })).toEqual({ text: "new" });
    const message = { custom_type: "t", content: "keep this", display: false };
    const { fire } = guarded(() => changed({ message }));
    expect(await fire("session.compacting", { sessionId: "s1", messages: [] })).toEqual({ context: ["keep this"] });
  });

  it("goes on only so many times in a row", async () => {
    const { fire } = guarded(() => blockedDecision);
    const stop = () => fire("session_stop", { messages: [], stop_hook_active: true });
    const answers = [];
    for (let i = 0; i < 9; i++) answers.push(await stop());
    expect(answers.filter((one) => one !== undefined)).toHaveLength(8);
    expect(answers.at(-1)).toBeUndefined();
  });
});

it("omp is known by what it hands to extensions", () => {
  expect(isOmp({ on: () => undefined, pi: {}, zod: {} } as PiApi)).toBe(true);
  expect(isOmp({ on: () => undefined })).toBe(false);
});
