import { describe, expect, it } from "vitest";
import type { HookContext } from "../../../adapters/hooks/context.ts";
import type { HookEvent } from "../../../adapters/hooks/events.ts";
import { convertToLlm } from "../../../adapters/hooks/llm-messages.ts";
import type { AgentMessage } from "../../../adapters/hooks/messages.ts";
import { acceptsEvent, profiles } from "../../../adapters/hooks/profiles.ts";
import type { HookRunner } from "../../../adapters/hooks/runner.ts";
import { call, custom, on, profileNames, result, runnerOf, text } from "./modules.ts";

const user: AgentMessage = { role: "user", content: "hi" };
const assistant: AgentMessage = { role: "assistant", content: [text("yes")] };
const toolResult = { role: "toolResult" as const, toolCallId: "c", toolName: "read", content: [], isError: false };
const { signal } = new AbortController();
const head = { toolCallId: "c", toolName: "read" };

/** An event of each kind with every field that the seeds give it. */
const events: readonly Exclude<
  HookEvent,
  { type: "tool_call" | "tool_result" | "context" | "before_agent_start" | "input" | "user_bash" | "user_python" }
>[] = [
  { type: "agent_start" },
  { type: "agent_end", messages: [user, assistant] },
  { type: "turn_start", turnIndex: 0, timestamp: 5 },
  { type: "turn_end", turnIndex: 1, message: assistant, toolResults: [toolResult] },
  { type: "message_start", message: user },
  { type: "message_update", message: assistant, assistantMessageEvent: { type: "text_delta", delta: "y" } },
  { type: "message_end", message: assistant },
  { type: "tool_execution_start", ...head, args: { path: "a" } },
  { type: "tool_execution_update", ...head, args: {}, partialResult: { content: [text("half")] } },
  { type: "tool_execution_end", ...head, result: { content: [] }, isError: true },
  { type: "session_start", reason: "startup" },
  { type: "session_before_switch", reason: "resume", targetSessionFile: "/t" },
  { type: "session_switch", reason: "resume", previousSessionFile: "/p" },
  { type: "session_before_fork", entryId: "e" },
  { type: "session_fork", previousSessionFile: "/p" },
  {
    type: "session_before_compact",
    preparation: { firstKeptEntryId: "e", tokensBefore: 1 },
    branchEntries: [{ type: "message" }],
    customInstructions: "short",
    signal,
  },
  { type: "session_compact", compactionEntry: { id: "c" }, fromHook: true },
  { type: "session_before_tree", preparation: { targetId: "x" }, signal },
  { type: "session_tree", newLeafId: "n", oldLeafId: null },
  { type: "session_shutdown" },
  { type: "model_select", model: { id: "b" }, previousModel: { id: "a" }, source: "cycle" },
  { type: "model_select", model: { id: "b" }, source: "set" },
  { type: "model_select", model: { id: "a" }, source: "restore" },
  { type: "resources_discover", cwd: "/repo", reason: "reload" },
  { type: "auto_compaction_start", reason: "threshold" },
  { type: "auto_compaction_end", aborted: false },
  { type: "auto_retry_start", attempt: 1 },
  { type: "auto_retry_end", success: true },
  { type: "ttsr_triggered", rules: [] },
  { type: "todo_reminder", todos: [] },
];

const emit = (runner: HookRunner, event: { type: string }) => runner.emit(event);

describe("payloads reach handlers as the host gave them", () => {
  const cases = profileNames.flatMap((profile) =>
    events
      .filter((event) => acceptsEvent(profiles[profile], event.type))
      .map((event) => [profile, event.type, event] as const),
  );
  it.each(cases)("%s, %s: every field of the seed", async (profile, type, event) => {
    let seen: unknown;
    const sees = on(type, (given: unknown) => {
      seen = given;
    });
    await emit(runnerOf(profile, [sees]).runner, event);
    expect(seen).toEqual(event);
  });

  /** The events of the HookAPI that have no emitter of their own. Source: seed omp-authoring-hooks, "Event catalog". */
  const catalog = [
    "session_start",
    "session_before_switch",
    "session_switch",
    "session_before_branch",
    "session_branch",
    "session_before_compact",
    "session.compacting",
    "session_compact",
    "session_before_tree",
    "session_tree",
    "session_shutdown",
    "agent_start",
    "agent_end",
    "turn_start",
    "turn_end",
    "auto_compaction_start",
    "auto_compaction_end",
    "auto_retry_start",
    "auto_retry_end",
    "ttsr_triggered",
    "todo_reminder",
  ];
  it.each(catalog)("a module of the HookAPI may register for %s, and is told once", async (type) => {
    const seen: unknown[] = [];
    const sees = on(type, (event) => void seen.push(event));
    await emit(runnerOf("omp-hookapi", [sees]).runner, { type });
    expect(seen).toEqual([{ type }]);
  });

  it("tool_call carries id, tool and input; tool_result also content, details and isError", async () => {
    const seen: unknown[] = [];
    const modules = [
      on("tool_call", (event) => void seen.push(event)),
      on("tool_result", (event) => void seen.push(event)),
    ];
    const { runner } = runnerOf("pi", modules);
    await runner.emitToolCall(call());
    await runner.emitToolResult(result("raw", { details: { n: 1 }, isError: true }));
    expect(seen).toEqual([
      { type: "tool_call", toolCallId: "c1", toolName: "read", input: { path: "a" } },
      { ...result("raw", { details: { n: 1 }, isError: true }) },
    ]);
  });

  it("user_bash carries the command, whether the model is kept from it, and the folder", async () => {
    const seen: unknown[] = [];
    const { runner } = runnerOf("pi", [on("user_bash", (event) => void seen.push(event))]);
    const event = { type: "user_bash" as const, command: "ls", excludeFromContext: true, cwd: "/repo" };
    await runner.emitUserBash(event);
    expect(seen).toEqual([event]);
  });

  it("session_before_tree and session_before_compact pass the host's own signal", async () => {
    const seen: unknown[] = [];
    const notes = (name: string) => on(name, (event: { signal: AbortSignal }) => void seen.push(event.signal));
    const { runner } = runnerOf("pi", [notes("session_before_tree"), notes("session_before_compact")]);
    await runner.emit({ type: "session_before_tree", preparation: {}, signal });
    await runner.emit({
      type: "session_before_compact",
      preparation: { firstKeptEntryId: "e", tokensBefore: 1 },
      branchEntries: [],
      signal,
    });
    expect([seen[0] === signal, seen[1] === signal]).toEqual([true, true]);
  });
});

describe("the context of handlers", () => {
  const contextOf = async (ports: Parameters<HookRunner["initialize"]>[0]): Promise<HookContext> => {
    let seen: HookContext | undefined;
    const sees = on("session_start", (_event, ctx: HookContext) => {
      seen = ctx;
    });
    await runnerOf("pi", [sees], { ports }).runner.emit({ type: "session_start" });
    return seen as HookContext;
  };

  it("state is restored from the session: getBranch gives the whole history", async () => {
    const entries = [{ type: "custom", customType: "my-state", data: { n: 1 } }];
    const sessionManager = { getBranch: () => entries, getEntries: () => entries, getSessionFile: () => "/s" };
    const ctx = await contextOf({ sessionManager });
    expect(ctx.sessionManager.getBranch()).toEqual(entries);
    expect(ctx.sessionManager.getSessionFile()).toBe("/s");
  });

  it("shutdown, abort, the model and whether the agent is idle come from the host", async () => {
    const done: string[] = [];
    const ports = {
      shutdown: () => void done.push("shutdown"),
      abort: () => void done.push("abort"),
      getModel: () => "m",
      isIdle: () => false,
    };
    const ctx = await contextOf(ports);
    ctx.shutdown();
    ctx.abort();
    expect([done, ctx.model, ctx.isIdle(), ctx.cwd]).toEqual([["shutdown", "abort"], "m", false, "/work"]);
  });

  it("without a host it is empty and does nothing", async () => {
    const ctx = await contextOf({});
    ctx.shutdown();
    ctx.abort();
    expect([ctx.sessionManager.getBranch(), ctx.model, ctx.isIdle(), ctx.hasPendingMessages()]).toEqual([
      [],
      undefined,
      true,
      false,
    ]);
  });
});

describe("convertToLlm (pi-hook-reference section 2, Critical detail)", () => {
  it("custom messages become messages of the user, whether displayed or not", () => {
    const shown = { role: "custom" as const, ...custom("a") };
    const hidden = { ...shown, content: [text("b")], display: false, timestamp: 3 };
    expect(convertToLlm([user, shown, hidden])).toEqual([
      user,
      { role: "user", content: "a" },
      { role: "user", content: [text("b")], timestamp: 3 },
    ]);
  });

  it("commands of the human and summaries too; the model's own roles stay", () => {
    const bash = { role: "bashExecution" as const, command: "ls", output: "a b", cancelled: false, truncated: false };
    const summaries = [
      { role: "compactionSummary" as const, summary: "c" },
      { role: "branchSummary" as const, summary: "d" },
    ];
    expect(convertToLlm([assistant, toolResult, bash, ...summaries])).toEqual([
      assistant,
      toolResult,
      { role: "user", content: "Ran `ls`\na b" },
      { role: "user", content: "c" },
      { role: "user", content: "d" },
    ]);
  });

  it("leaves out the output of `!!`, and answers that failed or were ended", () => {
    const bash = { role: "bashExecution" as const, command: "ls", output: "a", cancelled: false, truncated: false };
    const failed = ["error", "aborted"].map((stopReason) => ({ ...assistant, stopReason }));
    const ended = { ...assistant, stopReason: "toolUse" };
    const kept = { role: "user", content: "Ran `ls`\na" };
    expect(convertToLlm([{ ...bash, excludeFromContext: true }, ...failed, ended, bash])).toEqual([ended, kept]);
  });
});
