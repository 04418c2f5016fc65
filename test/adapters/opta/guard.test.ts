import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  createOptaGuard,
  type HookContext,
  type HookDefinition,
  type HookEvent,
  HookManager,
  type OptaGuard,
  type OptaGuardOptions,
} from "../../../adapters/opta/index.ts";
import { compile } from "../../../compiler/compile.ts";
import { closedEngine, createEngine } from "../../../runtime.ts";
import type { AuditBody } from "../../../schema/generated.ts";

/** A policy beside hooks, the policy outermost. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-guard-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function engineOf(rules: string, store?: { append(body: AuditBody): never }, head = "") {
  const text = `version: 1\npolicy: p\n${head}rules:\n${rules}\n`;
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return createEngine(plan, store ? { store } : {});
}

const context = (event: HookEvent, more: Partial<HookContext> = {}): HookContext => ({
  event,
  session_id: "s1",
  cwd: folder,
  ...(event.startsWith("tool.") && { tool_name: "run_command", tool_args: '{"command":"touch a"}' }),
  ...more,
});
const guardOf = (rules: string, hooks: HookDefinition[] = [], more: OptaGuardOptions = {}): OptaGuard =>
  createOptaGuard(engineOf(rules), { hooks: HookManager.create(hooks), log: () => {}, ...more });
const json = (event: HookEvent, answer: unknown): HookDefinition => ({
  event,
  protocol: "json",
  command: `cat > /dev/null; printf '%s' '${JSON.stringify(answer)}'`,
});
const noTouch =
  '- { id: r, event: tool_call, tool: bash, when: { args.command: { matches: "^touch" } }, action: block, reason: no touching }';
const askTouch = noTouch.replace("block", "ask");
const keys =
  "- { id: k, event: [tool_result, input], action: { redact: { patterns: [{ name: k, regex: 'key-[0-9]+', replacement: gone }] } } }";

describe("before a tool", () => {
  it("a rule for the canonical tool blocks Opta's own, with rule and reason", async () => {
    const { cancelled, reason } = await guardOf(noTouch).fire("tool.pre", context("tool.pre"));
    expect([cancelled, reason]).toEqual([true, expect.stringContaining("(rule p/r): no touching")]);
    expect(await guardOf(noTouch).fire("tool.pre", context("tool.pre", { tool_args: '{"command":"ls"}' }))).toEqual({
      cancelled: false,
    });
  });

  it.each([
    ["edit_file", "edit"],
    ["multi_edit", "edit"],
    ["write_file", "write"],
    ["read_file", "read"],
  ])("knows %s as %s", async (tool_name, tool) => {
    const guard = guardOf(`- { id: r, event: tool_call, tool: ${tool}, action: block, reason: no }`);
    const given = context("tool.pre", { tool_name, tool_args: '{"path":"a"}' });
    expect((await guard.fire("tool.pre", given)).cancelled).toBe(true);
  });

  it("knows tools of MCP servers", async () => {
    const guard = guardOf('- { id: r, event: tool_call, tool: "mcp__mem__*", action: block, reason: no }');
    const given = context("tool.pre", { tool_name: "mcp__mem__save", tool_args: "{}" });
    expect((await guard.fire("tool.pre", given)).cancelled).toBe(true);
  });

  it("judges the arguments that hooks put in", async () => {
    const hook = json("tool.pre", { updatedInput: { command: "touch b" } });
    const given = context("tool.pre", { tool_args: '{"command":"ls"}' });
    expect((await guardOf(noTouch, [hook]).fire("tool.pre", given)).cancelled).toBe(true);
  });

  it("a hook that cancels is asked first; one that allows lifts nothing", async () => {
    const hooks: HookDefinition[] = [{ event: "tool.pre", command: "echo Mine >&2; exit 1" }];
    expect(await guardOf(noTouch, hooks).fire("tool.pre", context("tool.pre"))).toEqual({
      cancelled: true,
      reason: "Mine",
    });
    const allow = json("tool.pre", { decision: "allow" });
    expect((await guardOf(noTouch, [allow]).fire("tool.pre", context("tool.pre"))).cancelled).toBe(true);
  });

  it.each([
    ["nobody can be asked", undefined, true],
    ["the human approves", true, false],
    ["the human does not approve", false, true],
  ])("a rule that asks, where %s", async (_name, answer, cancelled) => {
    const ui = answer === undefined ? {} : { ui: { confirm: async () => answer, notify: () => {} } };
    expect((await guardOf(askTouch, [], ui).fire("tool.pre", context("tool.pre"))).cancelled).toBe(cancelled);
  });

  it("a rule rewrites arguments, and adds text for the model", async () => {
    const modify =
      "- { id: m, event: tool_call, action: [{ modify: { set: { command: ls } } }, { inject: { content: note } }] }";
    const result = await guardOf(modify).fire("tool.pre", context("tool.pre"));
    expect(result).toMatchObject({ cancelled: false, updatedInput: { command: "ls" } });
    expect(result.additionalContext).toContain("note");
  });

  it.each([
    ["no JSON", "touch"],
    ["a list", "[]"],
  ])("arguments that are %s are blocked", async (_name, tool_args) => {
    const result = await guardOf(keys).fire("tool.pre", context("tool.pre", { tool_args }));
    expect(result.cancelled).toBe(true);
  });

  it("what hooks say is redacted", async () => {
    const hooks: HookDefinition[] = [{ event: "tool.pre", command: "echo key-1 >&2; exit 1" }];
    expect((await guardOf(keys, hooks).fire("tool.pre", context("tool.pre"))).reason).toBe("gone");
  });
});

describe("after a tool", () => {
  it("redacts the whole result, and leaves one without secrets alone", async () => {
    const result = `${"x".repeat(5_000)} key-1`;
    const fired = await guardOf(keys).fire("tool.post", context("tool.post", { tool_result: result }));
    expect(fired).toEqual({ cancelled: false, result: result.replace("key-1", "gone") });
    expect(await guardOf(keys).fire("tool.post", context("tool.post", { tool_result: "ok" }))).toEqual({
      cancelled: false,
    });
  });
});

describe("other events", () => {
  it("a prompt is redacted or refused", async () => {
    const given = context("prompt.pre", { prompt: "use key-1" });
    expect(await guardOf(keys).fire("prompt.pre", given)).toEqual({ cancelled: false, prompt: "use gone" });
    const refuse = guardOf("- { id: r, event: input, action: block, reason: no }");
    expect(await refuse.fire("prompt.pre", given)).toMatchObject({ cancelled: true });
  });

  it("a rule sends the agent on where it would stop", async () => {
    const guard = guardOf(
      "- { id: r, event: stop, when: { fields.active: false }, action: block, reason: test first }",
    );
    expect(await guard.fire("stop", context("stop"))).toEqual({ cancelled: true, reason: "test first" });
    expect(await guard.fire("stop", context("stop", { stop_active: true }))).toEqual({ cancelled: false });
  });

  it.each([
    ["session.start", "session_start"],
    ["session.end", "agent_end"],
    ["compact", "session_compact"],
    ["error", "error"],
  ] as const)("%s is judged as %s", async (event, name) => {
    const bodies: AuditBody[] = [];
    const store = { append: (body: AuditBody) => bodies.push(body) as never };
    const engine = engineOf(`- { id: r, event: ${name}, action: { record: { fields: { seen: "yes" } } } }`, store);
    const guard = createOptaGuard(engine, { log: () => {} });
    expect(await guard.fire(event, context(event, { error_message: "bad" }))).toEqual({ cancelled: false });
    expect(bodies).toMatchObject([{ event: name, host: "opta", session: "s1", matched: [{ rule: "p/r" }] }]);
  });

  it("an engine without policies leaves the hooks alone", async () => {
    const hooks = HookManager.create([{ event: "tool.pre", command: "echo key-1 >&2; exit 1" }]);
    const guard = createOptaGuard(createEngine([]), { hooks });
    expect(await guard.fire("tool.pre", context("tool.pre"))).toEqual({ cancelled: true, reason: "key-1" });
  });
});

describe("failure is closed", () => {
  const broken = createOptaGuard(closedEngine(undefined, { code: "HW508", message: "no plan" }), { log: () => {} });

  it("a rule that is never satisfied sends the agent on for a while, and then lets it stop", async () => {
    const guard = guardOf("- { id: r, event: stop, action: block, reason: test first }");
    const stop = async (session_id: string) => (await guard.fire("stop", context("stop", { session_id }))).cancelled;
    for (let n = 0; n < 8; n++) expect(await stop("a")).toBe(true);
    expect(await stop("b")).toBe(true);
    expect(await stop("a")).toBe(false);
    expect(await stop("a")).toBe(true);
  });

  it("an engine without a plan cancels calls and prompts, withholds results, and lets the agent stop", async () => {
    expect((await broken.fire("tool.pre", context("tool.pre"))).cancelled).toBe(true);
    expect((await broken.fire("prompt.pre", context("prompt.pre", { prompt: "hi" }))).cancelled).toBe(true);
    expect((await broken.fire("tool.post", context("tool.post", { tool_result: "raw" }))).result).not.toContain("raw");
    expect((await broken.fire("stop", context("stop"))).cancelled).toBe(false);
  });

  it("so does a context that throws when it is read", async () => {
    const hostile = {
      get session_id(): string {
        throw new Error("hostile");
      },
      event: "tool.pre",
      cwd: folder,
      tool_result: "raw",
    } as HookContext;
    const guard = guardOf(noTouch);
    expect(await guard.fire("tool.pre", hostile)).toEqual({
      cancelled: true,
      reason: expect.stringContaining("HW506"),
    });
    expect((await guard.fire("tool.post", hostile)).result).not.toContain("raw");
    expect(await guard.fire("error", hostile)).toEqual({ cancelled: false });
  });
});

describe("the answer of a prompt hook", () => {
  const question: HookDefinition = { event: "tool.pre", prompt: "Is this harmless?" };
  const judge = async () => ({ decision: "deny", reason: "has key-1" }) as const;

  /** A guard and a manager that know each other. */
  function pair(store: { append(body: AuditBody): never }, head = "") {
    const engine = engineOf(keys, store, head);
    const recorder = createOptaGuard(engine, { store, log: () => {} });
    const hooks = HookManager.create([question], { judge, observe: (seen) => recorder.observe(seen) });
    return createOptaGuard(engine, { store, hooks, log: () => {} });
  }

  it("is an observation on record, redacted", async () => {
    const bodies: AuditBody[] = [];
    const guard = pair({ append: (body) => bodies.push(body) as never });
    expect(await guard.fire("tool.pre", context("tool.pre"))).toEqual({ cancelled: true, reason: "has gone" });
    const note = bodies.find(({ kind, event }) => kind === "note" && event === "hook_answer");
    expect(note).toMatchObject({
      outcome: "block",
      tool: "run_command",
      observations: { kind: "prompt", event: "tool.pre", answer: "block", reason: "has gone" },
    });
  });

  it("is none where the audit is required and cannot be written", async () => {
    const full = () => {
      throw new Error("disk is full");
    };
    const guard = pair({ append: full }, "audit: { mode: required }\n");
    const { cancelled, reason } = await guard.fire("tool.pre", context("tool.pre"));
    expect([cancelled, reason]).toEqual([true, expect.stringMatching(/HW509|withheld|audit/)]);
  });
});
