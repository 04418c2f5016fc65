import { describe, expect, it } from "vitest";
import type { HookAPI, HookEvent, HookEventMap, HookEventName, ToolCallEvent } from "../../../adapters/hooks/index.ts";
import * as hooks from "../../../adapters/hooks/index.ts";
import type * as root from "../../../index.ts";
import { canonicalEvent } from "../../../schema/events.ts";
import { moduleOf, runnerOf, text } from "./modules.ts";

describe("hookwarden/hooks (omp-hooks, Export surface)", () => {
  it("exports the loading APIs, runner, wrapper, execCommand and isToolCallEventType", () => {
    const { discoverAndLoadHooks, loadHooks, HookRunner, HookToolWrapper, execCommand, isToolCallEventType } = hooks;
    const all = [discoverAndLoadHooks, loadHooks, HookRunner, HookToolWrapper, execCommand, isToolCallEventType];
    expect(all.every((exported) => typeof exported === "function")).toBe(true);
  });

  it("exports what an agent runs its events through, and the gate of an engine", () => {
    const { AgentLoop, SessionChanges, convertToLlm, engineGate, hookFaultAudit } = hooks;
    const all = [AgentLoop, SessionChanges, convertToLlm, engineGate, hookFaultAudit];
    expect(all.every((exported) => typeof exported === "function")).toBe(true);
  });

  it("exports no gate that stands at a part of the events only", () => {
    expect(Object.keys(hooks).filter((name) => /gate/i.test(name))).toEqual(["engineGate"]);
  });

  it("the package root has the types of hook modules too (omp-hooks, Export surface)", () => {
    const factory: root.HookFactory = (api: root.HookAPI) => void api.on("agent_start", () => undefined);
    const extension = (api: root.ExtensionAPI): void => void factory(api);
    const block: root.ToolCallEventResult = { block: true };
    const names: (keyof root.HookEventMap)[] = ["tool_call"];
    const ours: (api: HookAPI) => void = extension;
    expect([typeof ours, block.block, names]).toEqual(["function", true, ["tool_call"]]);
  });

  it("isToolCallEventType narrows known tools and, with types given, custom ones (pi-hook-reference section 4)", () => {
    const event = (toolName: string, input: Record<string, unknown>): ToolCallEvent => ({
      type: "tool_call",
      toolCallId: "c",
      toolName,
      input,
    });
    const bash = event("bash", { command: "ls" });
    const write = event("write", { path: "a", content: "b" });
    const own = event("mine", { action: "go" });
    const commands: string[] = [];
    if (hooks.isToolCallEventType("bash", bash)) commands.push(bash.input.command);
    if (hooks.isToolCallEventType("write", write)) commands.push(write.input.path, write.input.content);
    if (hooks.isToolCallEventType<"mine", { action: string }>("mine", own)) commands.push(own.input.action);
    expect(commands).toEqual(["ls", "a", "b", "go"]);
    expect(hooks.isToolCallEventType("bash", write)).toBe(false);
  });

  it("every event of the types is one the event table knows", () => {
    const typed: Record<HookEventName, true> = {
      input: true,
      before_agent_start: true,
      agent_start: true,
      agent_end: true,
      turn_start: true,
      context: true,
      turn_end: true,
      message_start: true,
      message_update: true,
      message_end: true,
      tool_call: true,
      tool_execution_start: true,
      tool_execution_update: true,
      tool_execution_end: true,
      tool_result: true,
      session_start: true,
      session_before_switch: true,
      session_switch: true,
      session_before_fork: true,
      session_before_branch: true,
      session_fork: true,
      session_branch: true,
      session_before_compact: true,
      "session.compacting": true,
      session_compacting: true,
      session_compact: true,
      session_before_tree: true,
      session_tree: true,
      session_shutdown: true,
      model_select: true,
      resources_discover: true,
      user_bash: true,
      user_python: true,
      auto_compaction_start: true,
      auto_compaction_end: true,
      auto_retry_start: true,
      auto_retry_end: true,
      ttsr_triggered: true,
      todo_reminder: true,
    };
    expect(Object.keys(typed).filter((name) => canonicalEvent(name) === undefined)).toEqual([]);
  });
});

/** Typed modules: that they compile is half of the test. The examples of the seeds are run in `test/seeds/examples.test.ts`. */
function guard(pi: HookAPI): void {
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash") return;
    const command = String(event.input["command"] ?? "");
    if (!command.includes("FORBIDDEN")) return;
    if (!ctx.hasUI) return { block: true, reason: "FORBIDDEN is blocked (no UI)" };
    const ok = await ctx.ui.confirm("Dangerous command", `Allow: ${command}`);
    if (!ok) return { block: true, reason: "the human denied it" };
    return undefined;
  });
}

function redactor(pi: HookAPI): void {
  pi.on("tool_result", async (event) => {
    if (event.toolName !== "read" || event.isError) return;
    const content = event.content.map((chunk) =>
      chunk.type === "text" ? { ...chunk, text: chunk.text.replaceAll(/KEY=\S+/g, "KEY=[REDACTED]") } : chunk,
    );
    return { content };
  });
}

function filter(pi: HookAPI): void {
  pi.on("context", (event) => ({
    messages: event.messages
      .filter((message) => !(message.role === "custom" && message.customType === "debug-only"))
      .map((message) =>
        message.role === "tool" || message.role === "toolResult"
          ? { ...message, content: message.content.slice(0, 1) }
          : message,
      ),
  }));
}

describe("typed modules", () => {
  const loose = (factory: (pi: HookAPI) => void) => (api: unknown) => factory(api as HookAPI);
  const bash = { type: "tool_call" as const, toolCallId: "c", toolName: "bash", input: { command: "touch FORBIDDEN" } };

  it("a guard blocks without UI, and asks with one", async () => {
    const headless = await runnerOf("omp-hookapi", [loose(guard)]).runner.emitToolCall(bash);
    expect([headless.block, headless.reason]).toEqual([true, "FORBIDDEN is blocked (no UI)"]);
    for (const answer of [true, false]) {
      const ui = { ...hooks.noUI, confirm: async () => answer };
      const { runner } = runnerOf("omp-hookapi", [loose(guard)], { ports: { ui, hasUI: true } });
      expect((await runner.emitToolCall(bash)).block).toBe(!answer);
    }
  });

  it("a redactor changes what the model sees", async () => {
    const { runner } = runnerOf("omp-hookapi", [loose(redactor)]);
    const tool = { name: "read", execute: async () => ({ content: [text("KEY=abc done")] }) };
    const final = await new hooks.HookToolWrapper(tool, runner).execute("c", {});
    expect(final.content).toEqual([text("KEY=[REDACTED] done")]);
  });

  it("a filter takes debug messages out of the context and shortens results", async () => {
    const { runner } = runnerOf("omp-hookapi", [loose(filter)]);
    const result = { role: "toolResult" as const, toolCallId: "c", toolName: "read", isError: false };
    const sent = await runner.emitContext([
      { role: "custom", customType: "debug-only", content: "x", display: false },
      { ...result, content: [text("1"), text("2")] },
    ]);
    expect(sent).toEqual([{ ...result, content: [text("1")] }]);
  });

  it("a handler that is typed for one event cannot be given to another", () => {
    const typed: (event: HookEventMap["tool_call"]["event"]) => void = () => undefined;
    moduleOf("pi", (api) => void (api as unknown as HookAPI).on("tool_call", typed), "/hooks/a.js");
    // @ts-expect-error: `context` has no `toolName`.
    moduleOf("pi", (api) => void (api as unknown as HookAPI).on("context", typed), "/hooks/a.js");
    const start: HookEvent = { type: "agent_start" };
    expect(start.type).toBe("agent_start");
  });
});
