import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { engineGate } from "../../../adapters/hooks/engine-gate.ts";
import { HookRunner } from "../../../adapters/hooks/runner.ts";
import type { PiApi, PiContext, PiMessage } from "../../../adapters/pi/api.ts";
import { createExtension } from "../../../adapters/pi/entry.ts";
import { guardWithPlan, readCarriedPlan } from "../../../adapters/pi/plan-file.ts";
import { compile } from "../../../compiler/compile.ts";
import { ChainVerifier } from "../../../engine/chain.ts";
import { createEngine } from "../../../runtime.ts";
import { contextWith, everyRole, toolCallEvent, toolResultEvent } from "./payloads.ts";

/** Compiled policies, the real engine and pi's payloads together; the host is the only thing that is missing. */

const policyPath = join(import.meta.dirname, "..", "..", "hosts", "policy.yaml");
const folder = mkdtempSync(join(tmpdir(), "hookwarden-pi-"));
vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const secret = ["sk_live", "51HqLyj2x9KaZ4bQmT7wRvNc8UeXfG3sPdYo6B"].join("_");

const compiled = compile({ files: [{ name: "policy.yaml", path: policyPath, bytes: readFileSync(policyPath) }] });
const plan = compiled.plan as NonNullable<typeof compiled.plan>;

type Fire = (name: string, event: unknown, context?: PiContext) => Promise<unknown>;

async function firedBy(extension: (pi: PiApi) => void | Promise<void>): Promise<Fire> {
  const handlers = new Map<string, (event: unknown, context: PiContext) => unknown>();
  await extension({ on: (name: string, handler: unknown) => void handlers.set(name, handler as never) });
  return async (name, event, context = contextWith({ cwd: folder })) => handlers.get(name)?.(event, context);
}

describe("a compiled policy in front of pi", () => {
  const trail = join(folder, "audit.jsonl");
  const fire = firedBy((pi) => guardWithPlan(pi, { plan, audit: { file: trail } }));

  it("comes out of the compiler without findings", () => {
    expect(compiled.diagnostics).toEqual([]);
  });

  it("blocks by effect, not by text", async () => {
    for (const command of [
      "touch FORBIDDEN",
      "touch ./sub/../FORBIDDEN",
      "echo x > FORBIDDEN",
      "sh -c 'touch FORBIDDEN'",
    ]) {
      expect(await (await fire)("tool_call", toolCallEvent(command)), command).toMatchObject({ block: true });
    }
    expect(await (await fire)("tool_call", toolCallEvent("grep -r FORBIDDEN docs"))).toBeUndefined();
  });

  it("blocks the same command of a human", async () => {
    const event = { type: "user_bash", command: "touch FORBIDDEN", excludeFromContext: false, cwd: folder };
    expect(await (await fire)("user_bash", event)).toMatchObject({ result: { exitCode: 1 } });
  });

  it("redacts the output of a failed call, with the same token in another process of the session", async () => {
    const event = toolResultEvent({ content: [{ type: "text", text: `exit 3: ${secret}` }], isError: true });
    const first = JSON.stringify(await (await fire)("tool_result", event));
    expect(first).not.toContain(secret);
    expect(first).toMatch(/\[REDACTED:stripe-[\w-]+:[0-9a-f]{10}\]/);
    const resumed = await firedBy((pi) => guardWithPlan(pi, { plan, audit: false }));
    expect(JSON.stringify(await resumed("tool_result", event))).toBe(first);
  });

  it("names the kind alone where there is no install key and nothing is recorded, and says so", async () => {
    const broken = join(folder, "broken-state");
    mkdirSync(join(broken, "hookwarden", "keys"), { recursive: true });
    writeFileSync(join(broken, "hookwarden", "keys", "install.key"), "no key");
    vi.stubEnv("XDG_STATE_HOME", broken);
    const started: ((event: unknown, context: PiContext) => unknown)[] = [];
    const keyless = await firedBy((pi) => {
      const on = (name: string, handler: unknown): void => {
        if (name === "session_start") started.push(handler as never);
        (pi.on as (name: string, handler: unknown) => void)(name, handler);
      };
      guardWithPlan({ ...pi, on: on as never }, { plan, audit: false });
    });
    vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
    const context = contextWith({ cwd: folder, hasUI: true });
    for (const handler of started) await handler({ type: "session_start", reason: "startup" }, context);
    const event = toolResultEvent({ content: [{ type: "text", text: secret }] });
    const reply = JSON.stringify(await keyless("tool_result", event));
    expect(reply).toMatch(/\[REDACTED:stripe-[\w-]+\]/);
    expect(context.said).toEqual([expect.stringContaining("there is no install key")]);
  });

  it("redacts details and structured content as deeply as content", async () => {
    const nested = { a: [{ b: { [`key ${secret}`]: `value ${secret}` } }], fine: 1 };
    const event = toolResultEvent({
      content: [{ type: "text", text: secret }],
      details: nested,
      structuredContent: nested,
    });
    const reply = (await (await fire)("tool_result", event)) as Record<string, unknown>;
    expect(Object.keys(reply).sort()).toEqual(["content", "details", "structuredContent"]);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(reply).toHaveProperty("details.fine", 1);
  });

  it("redacts messages of every role", async () => {
    const text = JSON.stringify(everyRole);
    const spoken = [
      /plain text/,
      /let me think/,
      /I will look/,
      /echo a/,
      /a note/,
      /echo b/,
      /what came before/,
      /"a branch"/,
    ];
    const messages = JSON.parse(
      spoken.reduce(
        (json, words) => json.replace(words, (found) => found.replace(/\w+ ?\w*/, (w) => `${w} ${secret}`)),
        text,
      ),
    ) as PiMessage[];
    expect(JSON.stringify(messages).split(secret).length - 1).toBe(spoken.length);
    const reply = (await (await fire)("context", { type: "context", messages })) as { messages: PiMessage[] };
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(reply.messages.slice(0, -1).map((message) => message.role)).toEqual(
      everyRole.map((message) => message.role),
    );
    expect(reply.messages.at(-1)).toMatchObject({
      role: "custom",
      content: expect.stringContaining("A note that is never kept."),
    });
  });

  it("answers an event that fits no schema closed", async () => {
    expect(await (await fire)("tool_call", {})).toMatchObject({
      block: true,
      reason: expect.stringContaining("HW501"),
    });
    const circular: Record<string, unknown> = { command: "echo" };
    circular["self"] = circular;
    expect(await (await fire)("tool_call", { ...toolCallEvent(), input: circular })).toMatchObject({ block: true });
  });

  it("leaves an audit trail that verifies", () => {
    const chain = new ChainVerifier();
    const lines = readFileSync(trail, "utf8").split("\n").slice(0, -1);
    for (const line of lines) chain.push(line);
    expect(chain.report()).toMatchObject({ status: "intact", records: lines.length });
    expect(lines.join("\n")).toContain("host-test/no-forbidden-file");
    expect(lines.join("\n")).not.toContain(secret);
  });

  it("is carried as text and refused when one letter of it is another", () => {
    const text = JSON.stringify(plan);
    expect(readCarriedPlan(text, "")).toEqual({ plan });
    expect(readCarriedPlan(text.replace("may not be made", "may nit be made"), "")).toMatchObject({ code: "HW508" });
  });
});

describe("a required audit trail that cannot be written", () => {
  it("closes every event", async () => {
    const occupied = join(folder, "occupied");
    writeFileSync(occupied, "");
    const fire = await firedBy((pi) => guardWithPlan(pi, { plan, audit: { folder: occupied } }));
    expect(await fire("tool_call", toolCallEvent())).toMatchObject({
      block: true,
      reason: expect.stringContaining("HW515"),
    });
    expect(JSON.stringify(await fire("tool_result", toolResultEvent()))).not.toContain("raw text");
  });
});

describe("the package extension", () => {
  it("guards with the policies it is given", async () => {
    const fire = await firedBy(createExtension({ policies: [policyPath], audit: { folder } }));
    expect(await fire("tool_call", toolCallEvent("touch FORBIDDEN"))).toMatchObject({ block: true });
    expect(await fire("tool_call", toolCallEvent("echo hello"))).toBeUndefined();
  });

  it("without a policy closes every event and says what to do", async () => {
    const fire = await firedBy(createExtension({ policies: [] }));
    const reply = await fire("tool_call", toolCallEvent());
    expect(reply).toMatchObject({ block: true, reason: expect.stringContaining("HW012") });
  });

  it.each([
    ["is missing", "gone.yaml", undefined, "HW001"],
    ["has an error", "broken.yaml", "version: 1\npolicy: p\nrules: [{ id: a }]\n", "HW103"],
  ])("with a policy that %s closes every event and names the finding", async (_name, file, text, code) => {
    if (text !== undefined) writeFileSync(join(folder, file), text);
    const fire = await firedBy(createExtension({ policies: [file], cwd: folder }));
    expect(await fire("tool_call", toolCallEvent())).toMatchObject({
      block: true,
      reason: expect.stringContaining(code),
    });
  });
});

describe("a compiled policy in the hook runtime", () => {
  const gate = engineGate(createEngine(plan), () => ({ cwd: folder }));
  const runner = new HookRunner([], { cwd: folder, profile: "pi", ...(gate ? { policy: gate } : {}) });

  it("blocks, redacts, injects and drops as in front of pi", async () => {
    expect(await runner.emitToolCall(toolCallEvent("touch FORBIDDEN"))).toMatchObject({ block: true });
    expect(await runner.emitToolCall(toolCallEvent("echo hello"))).toMatchObject({ block: false });
    const result = await runner.emitToolResult(
      toolResultEvent({ content: [{ type: "text", text: secret }], details: { s: secret } }) as never,
    );
    expect(JSON.stringify(result)).not.toContain(secret);
    const start = await runner.emitBeforeAgentStart({ type: "before_agent_start", prompt: "go" });
    expect(JSON.stringify(start.messages)).toContain("Remember the reminder");
    const context = await runner.emitContext([{ role: "user", content: secret }]);
    expect(JSON.stringify(context)).not.toContain(secret);
    expect(
      await runner.emitUserBash({
        type: "user_bash",
        command: "touch FORBIDDEN",
        excludeFromContext: false,
        cwd: folder,
      }),
    ).toMatchObject({
      result: { exitCode: 1 },
    });
  });
});
