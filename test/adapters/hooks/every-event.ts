import type { HookRunner } from "../../../adapters/hooks/runner.ts";
import type { EventName } from "../../../schema/event-kinds.ts";

/** A text that the rules of these tests redact. */
export const secret = "KEY=abcdef";

/** How the runner emits an event, and whether what came of it shows that a rule stood there. */
export interface Emission {
  /** True when the event was refused, or when its payload was redacted or withheld. */
  readonly held: (runner: HookRunner) => Promise<boolean>;
}

const text = (value: string) => ({ type: "text" as const, text: value });
const signal = new AbortController().signal;
const user = { role: "user" as const, content: `hello ${secret}` };
const assistant = { role: "assistant" as const, content: [text("hello")] };
const call = { toolCallId: "c1", toolName: "read" };

/** An event that only tells: what shows is its record. */
const told = (event: { type: string }): Emission => ({
  held: async (runner) => {
    await runner.emit(event as never);
    return true;
  },
});

/** A `session_before_*` event: held when it is cancelled. */
const cancelled = (event: { type: string }): Emission => ({
  held: async (runner) => (await runner.emit(event as never))?.["cancel"] === true,
});

/** A stop: held when the agent is sent on. */
const sentOn = (event: { type: string }): Emission => ({
  held: async (runner) => (await runner.emit(event as never))?.["continue"] === true,
});

const clean = (value: unknown): boolean => value !== undefined && !JSON.stringify(value).includes(secret);

const python = { type: "user_python" as const, code: "print(1)", excludeFromContext: false, cwd: "/repo" };
const bash = { type: "user_bash" as const, command: "true", excludeFromContext: false, cwd: "/repo" };

/** Every event of the product's table. One that is missing here does not compile; one without a gate is not held. */
export const emissions: Readonly<Record<EventName, Emission>> = {
  tool_call: { held: async (runner) => (await runner.emitToolCall({ type: "tool_call", ...call, input: {} })).block },
  input: {
    held: async (runner) =>
      (await runner.emitInput({ type: "input", text: "hello", source: "interactive" })).action === "handled",
  },
  user_bash: { held: async (runner) => (await runner.emitUserBash(bash)).result?.exitCode === 1 },
  user_python: { held: async (runner) => (await runner.emitUserPython(python)).result?.exitCode === 1 },
  session_before_switch: cancelled({ type: "session_before_switch", reason: "new" } as never),
  session_before_fork: cancelled({ type: "session_before_fork", entryId: "e" } as never),
  session_before_compact: cancelled({
    type: "session_before_compact",
    preparation: { firstKeptEntryId: "e", tokensBefore: 1 },
    branchEntries: [],
    signal,
  } as never),
  session_before_tree: cancelled({ type: "session_before_tree", preparation: {}, signal } as never),
  stop: sentOn({ type: "stop", last_message: "done", active: false } as never),
  subagent_stop: sentOn({ type: "subagent_stop", last_message: "done", active: false } as never),
  tool_result: {
    held: async (runner) => {
      const event = { type: "tool_result" as const, ...call, input: {}, details: undefined, isError: false };
      return clean(await runner.emitToolResult({ ...event, content: [text(secret)] }));
    },
  },
  context: { held: async (runner) => clean(await runner.emitContext([{ role: "user", content: secret }])) },
  before_agent_start: {
    held: async (runner) => {
      const event = { type: "before_agent_start" as const, prompt: "go", systemPrompt: secret };
      const { messages, systemPrompt } = await runner.emitBeforeAgentStart(event);
      return clean(messages) && (systemPrompt === undefined || clean(systemPrompt));
    },
  },
  session_compacting: told({ type: "session_compacting", messages: [user] } as never),
  resources_discover: told({ type: "resources_discover", cwd: "/repo", reason: "startup" } as never),
  session_start: told({ type: "session_start", reason: "startup" } as never),
  session_switch: told({ type: "session_switch", reason: "new" } as never),
  session_fork: told({ type: "session_fork" }),
  session_compact: told({ type: "session_compact" }),
  session_tree: told({ type: "session_tree" }),
  session_shutdown: told({ type: "session_shutdown" }),
  agent_start: told({ type: "agent_start" }),
  agent_end: told({ type: "agent_end", messages: [user] } as never),
  turn_start: told({ type: "turn_start", turnIndex: 0, timestamp: 1 } as never),
  turn_end: told({ type: "turn_end", turnIndex: 0, message: assistant, toolResults: [] } as never),
  message_start: told({ type: "message_start", message: user } as never),
  message_update: told({ type: "message_update", message: assistant, assistantMessageEvent: {} } as never),
  message_end: told({ type: "message_end", message: user } as never),
  tool_execution_start: told({ type: "tool_execution_start", ...call, args: {} } as never),
  tool_execution_update: told({ type: "tool_execution_update", ...call, args: {}, partialResult: {} } as never),
  tool_execution_end: told({ type: "tool_execution_end", ...call, result: {}, isError: false } as never),
  model_select: told({ type: "model_select", model: "m", source: "set" } as never),
  auto_compaction_start: told({ type: "auto_compaction_start" }),
  auto_compaction_end: told({ type: "auto_compaction_end" }),
  auto_retry_start: told({ type: "auto_retry_start" }),
  auto_retry_end: told({ type: "auto_retry_end" }),
  ttsr_triggered: told({ type: "ttsr_triggered" }),
  todo_reminder: told({ type: "todo_reminder" }),
  subagent_start: told({ type: "subagent_start" }),
  error: told({ type: "error", message: "no" } as never),
};
