import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { PiCommand, PiContext } from "../../../adapters/pi/api.ts";
import { installGuard, type Judge } from "../../../adapters/pi/guard.ts";
import { plainPath } from "../../../adapters/pi/path-arguments.ts";
import { originOf } from "../../../adapters/pi/session-parent.ts";
import type { Decision, WireEvent } from "../../../schema/generated.ts";
import { host, memoryStore } from "./fake-host.ts";
import { blockedDecision, changed, contextWith, decision, judgeOf, toolCallEvent } from "./payloads.ts";

const folder = mkdtempSync(join(tmpdir(), "hookwarden-pi-events-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function guarded(answer: ((event: WireEvent) => Decision) | Judge, context: PiContext = contextWith()) {
  const commands = new Map<string, PiCommand>();
  const pi = { ...host(), registerCommand: (name: string, command: PiCommand) => void commands.set(name, command) };
  const judge = typeof answer === "function" ? judgeOf(answer) : answer;
  const log: string[] = [];
  const store = memoryStore();
  installGuard(pi, () => judge, { store, now: () => 5, idPrefix: "t", log: (line) => void log.push(line) });
  const fire = (name: string, event: object = {}) => pi.handlers.get(name)?.({ type: name, ...event }, context);
  return { pi, judge, log, store, commands, fire };
}

describe("events of pi beside tools", () => {
  it.each([
    ["input", { text: "hello", source: "rpc" }, { action: "handled" }],
    ["session_before_switch", { reason: "new" }, { cancel: true }],
    ["session_before_fork", { entryId: "e", position: "at" }, { cancel: true }],
    ["session_before_compact", { preparation: {}, branchEntries: [], reason: "manual" }, { cancel: true }],
    ["session_before_tree", { preparation: {} }, { cancel: true }],
    ["agent_end", { messages: [] }, undefined],
    ["resources_discover", { cwd: "/work", reason: "startup" }, undefined],
  ])("%s that is blocked", async (name, event, wanted) => {
    const { fire, log } = guarded(() => blockedDecision);
    expect(await fire(name, event)).toEqual(wanted);
    if (wanted !== undefined) expect(log[0]).toContain("it is forbidden");
  });

  it("an agent that may not stop goes on with the reason, eight times in a row at most", async () => {
    const { fire, judge } = guarded(() => blockedDecision);
    const event = { entries: [{ type: "custom", customType: "x" }], context: { contextMessages: [] } };
    const first = await fire("agent_before_settle", event);
    expect(first).toMatchObject({ continue: true, entries: [{ customType: "x" }, { content: "it is forbidden" }] });
    for (let i = 0; i < 7; i++) await fire("agent_before_settle", event);
    expect(await fire("agent_before_settle", event)).toBeUndefined();
    expect((judge as ReturnType<typeof judgeOf>).asked[1]).toMatchObject({ event: "stop", active: true });
  });

  it("typed text is rewritten in pi's shape", async () => {
    expect(await guarded(() => changed({ text: "new" })).fire("input", { text: "old" })).toEqual({
      action: "transform",
      text: "new",
    });
  });

  it("a session begins with what could not be delivered in the last one", async () => {
    const home = mkdtempSync(join(folder, "home-"));
    const segment = join(home, ".local/state/hookwarden/audit", "a".repeat(64), "000001.jsonl");
    const text = '{"body":{"host":"pi","on_host":{"delivered":"no","short":[]}},"seal":{}}\n';
    mkdirSync(dirname(segment), { recursive: true });
    writeFileSync(segment, text, { mode: 0o600 });
    const log: string[] = [];
    const pi = host();
    const machine = { home, user: "dev", os: "linux", variables: {} } as const;
    installGuard(pi, () => judgeOf(() => decision()), {
      store: memoryStore(),
      machine,
      log: (line) => void log.push(line),
    });
    await pi.handlers.get("session_start")?.({ type: "session_start", reason: "startup" }, contextWith());
    expect(log.join("\n")).toMatch(/1 decision of the last session on pi could not be delivered .*--gaps/);
  });

  it("the reason of a start says what the session came from", async () => {
    const { fire, judge } = guarded(() => decision());
    await fire("session_start", { reason: "startup" });
    await fire("session_start", { reason: "fork", previousSessionFile: "/s/a.jsonl" });
    const names = (judge as ReturnType<typeof judgeOf>).asked.map((event) => event.event);
    expect(names).toEqual(["session_start", "session_start", "session_fork"]);
  });

  it("what an event holds that is no data is left out, and long lists where no rule names the event", async () => {
    const { fire, judge } = guarded({ ...judgeOf(() => decision()), plan: { rules: [], policies: [] } as never });
    await fire("model_select", { model: { id: "m", run: () => 1, tags: new Set(["a"]) }, source: "set" });
    await fire("session_before_compact", { preparation: { a: 1 }, branchEntries: [1] });
    const asked = (judge as ReturnType<typeof judgeOf>).asked;
    expect(asked[0]).toMatchObject({ model: { id: "m", tags: ["a"] } });
    expect(asked[1]).not.toHaveProperty("branch_entries");
    await fire("message_update", { message: { role: "assistant", content: [] } });
    expect(asked).toHaveLength(2);
  });

  it("a fault closes a deciding event and is on record", async () => {
    const { fire, store } = guarded(() => {
      throw new Error("broken");
    });
    expect(await fire("input", { text: "a" })).toEqual({ action: "handled" });
    expect(await fire("agent_start")).toBeUndefined();
    expect(store.bodies.map((body) => body.errors[0]?.code)).toEqual(["HW506", "HW506"]);
  });
});

describe("what a human sees", () => {
  it("notices of rules", async () => {
    const notices = [{ rule: "p/n", level: "warning" as const, message: "look here" }];
    const { fire, log } = guarded(() => ({ ...decision(), notices }));
    await fire("tool_call", toolCallEvent());
    expect(log).toEqual(["hookwarden: look here"]);
  });

  it("the footer and `/policy`: policies with digests, trust, and the last decisions", async () => {
    const policy = {
      scope: "project",
      mode: "enforce",
      audit: { mode: "best_effort" },
      source: `sha256:${"a".repeat(64)}`,
    };
    const plan = {
      digest: `sha256:${"b".repeat(64)}`,
      policies: [{ ...policy, id: "mine" }],
      rules: [{ id: "mine/no", policy: 0, events: ["tool_call"] }],
    };
    const shown: string[] = [];
    const ui = { confirm: () => Promise.resolve(false), notify: (text: string) => void shown.push(text) };
    const status: unknown[] = [];
    const context = contextWith({ hasUI: true, ui: { ...ui, setStatus: (...line) => void status.push(line) } });
    const judge = { ...judgeOf(() => blockedDecision), plan: plan as unknown as NonNullable<Judge["plan"]> };
    const { fire, commands } = guarded(judge, context);
    await fire("session_start", { reason: "startup" });
    expect(status).toEqual([["hookwarden", "hookwarden: 1 rule"]]);
    await fire("tool_call", toolCallEvent());
    await commands.get("policy")?.handler("", context);
    expect(shown.at(-1)).toContain("mine: project, 1 rule, not trusted, sha256:aaaaaaaaaaaa");
    expect(shown.at(-1)).toContain("block tool_call bash: p/no; it is forbidden");
  });
});

describe("a question", () => {
  const asking = decision({
    outcome: "ask",
    answered: "rule",
    matched: [{ rule: "p/a", outcome: "ask" }],
    ask: { key: "sha256:1", prompts: ["really?"], call: "echo shown", remember: "never", timeout_ms: 20 },
  });

  it("shows what the rules ask and the call, and is refused when nobody answers in time", async () => {
    const asked: unknown[][] = [];
    const confirm = (...given: unknown[]) => {
      asked.push(given);
      return new Promise<boolean>(() => undefined);
    };
    const context = contextWith({ hasUI: true, ui: { confirm, notify: () => undefined } });
    const reply = await guarded(() => asking, context).fire("tool_call", toolCallEvent());
    expect(asked[0]?.[1]).toContain("echo shown");
    expect(asked[0]?.[1]).toContain("really?");
    expect(asked[0]?.[2]).toEqual({ timeout: 20 });
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("did not answer in time") });
  });
});

describe("where a session comes from", () => {
  const session = (id: string, more: object = {}) => JSON.stringify({ type: "session", id, ...more });
  writeFileSync(join(folder, "one.jsonl"), `${session("s-one")}\n{}\n`);

  it("a fork names its parent in the header, by file or by id", () => {
    const fork = (parentSession: string) =>
      originOf({ getSessionId: () => "s2", getHeader: () => ({ parentSession }) });
    expect(fork(join(folder, "one.jsonl")).parent).toBe("s-one");
    expect(fork("s-other").parent).toBe("s-other");
    expect(fork(join(folder, "gone.jsonl")).parent).toBeUndefined();
  });

  it("a sub-agent's file lies in a folder named like its parent's", () => {
    const origin = originOf({ getSessionFile: () => join(folder, "one", "Helper.jsonl") });
    expect(origin).toEqual({ parent: "s-one", agent: { id: "Helper", depth: 1 } });
    expect(originOf(undefined)).toEqual({ agent: { id: "main", depth: 0 } });
  });

  it("omp writes a title before the header, and may write the parent's file later", () => {
    const id = "01a201e1-8898-71b6-835d-499451a632ae";
    const title = JSON.stringify({ type: "title", title: "", pad: " ".repeat(170) });
    writeFileSync(join(folder, "titled.jsonl"), `${title}\n${session("s-titled")}\n`);
    const helper = { getSessionId: () => "s2", getSessionFile: () => join(folder, "titled", "Helper.jsonl") };
    expect(originOf(helper)).toEqual({ parent: "s-titled", agent: { id: "Helper", depth: 1 } });
    const later = join(folder, `2026-11-22T06-11-27-512Z_${id}.jsonl`);
    expect(originOf({ getSessionId: () => "s2", getHeader: () => ({ parentSession: later }) }).parent).toBe(id);
  });

  it("a sub-agent in a folder of its own was started by the session of this process that has no file", () => {
    const file = join(folder, "omp-task-15d7c5df5ae35182", "Helper.jsonl");
    const helper = { getSessionId: () => "s2", getSessionFile: () => file, getHeader: () => null };
    expect(originOf(helper).agent).toEqual({ id: "Helper", depth: 1 });
    expect(originOf({ getSessionId: () => "s-memory", getSessionFile: () => undefined }).parent).toBeUndefined();
    expect(originOf(helper)).toEqual({ parent: "s-memory", agent: { id: "Helper", depth: 1 } });
  });
});

it.each([
  ["@.env", ".env"],
  ["file:///etc/hosts", "/etc/hosts"],
  ["a\u00a0b", "a b"],
  ["plain", "plain"],
])("pi reads the path %j as %j", (given, read) => {
  expect(plainPath(given)).toBe(read);
});
