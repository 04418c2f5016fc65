import type { Changes } from "./generated.ts";

/** Kind of an event: an engine may decide about it, transform its payload, or only observe it. */
export type EventKind = "decide" | "transform" | "observe";

/** A key of a decision's `changes`. */
export type ChangeKey = keyof Changes;

/** The engine's entry for an event; hosts' names for it are in `hosts.ts`, its payload in `payloads.ts`. */
interface EventEntry {
  readonly kind: EventKind;
  /**
   * Keys that a decision on the event may change, in the event's own shape. `labels` is possible for every event. Some keys come
   * only from hook modules, never from a policy (events page).
   */
  readonly changes: readonly ChangeKey[];
}

const decide = (...changes: ChangeKey[]): EventEntry => ({ kind: "decide", changes });
const transform = (...changes: ChangeKey[]): EventEntry => ({ kind: "transform", changes });
const observe = (...changes: ChangeKey[]): EventEntry => ({ kind: "observe", changes });

/**
 * Every event by its canonical name (that of pi). Sources: semantics section 1; results from the events page and the
 * return shapes of the seeds pi-hook-reference and omp-hooks.
 */
export const eventTable = {
  tool_call: decide("args", "message"),
  input: decide("text", "images", "handled", "message"),
  user_bash: decide("command", "result"),
  user_python: decide("code", "result"),
  session_before_switch: decide(),
  session_before_fork: decide("skip_conversation_restore"),
  session_before_compact: decide("compaction"),
  session_before_tree: decide("summary", "label"),
  stop: decide("message"),
  subagent_stop: decide("message"),
  tool_result: transform("content", "details", "structured", "is_error", "message"),
  context: transform("messages", "message"),
  before_agent_start: transform("prompt", "images", "system_prompt", "messages", "message"),
  session_compacting: transform("messages", "context", "prompt", "preserve_data", "message"),
  resources_discover: transform("resources"),
  session_start: observe("message"),
  session_switch: observe(),
  session_fork: observe(),
  session_compact: observe(),
  session_tree: observe(),
  session_shutdown: observe(),
  agent_start: observe(),
  agent_end: observe(),
  turn_start: observe("message"),
  turn_end: observe(),
  message_start: observe(),
  message_update: observe(),
  message_end: observe(),
  tool_execution_start: observe(),
  tool_execution_update: observe(),
  tool_execution_end: observe(),
  model_select: observe(),
  auto_compaction_start: observe(),
  auto_compaction_end: observe(),
  auto_retry_start: observe(),
  auto_retry_end: observe(),
  ttsr_triggered: observe(),
  todo_reminder: observe(),
  subagent_start: observe(),
  error: observe(),
} as const satisfies Record<string, EventEntry>;

/** Canonical name of an event. */
export type EventName = keyof typeof eventTable;
