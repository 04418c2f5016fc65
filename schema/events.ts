/** What may be done about an event: decide about it, transform its payload, or only observe it. */
export type EventKind = "decide" | "transform" | "observe";

interface EventEntry {
  readonly kind: EventKind;
  /** Names under which hosts know the event. Accepted in policies, canonicalised by `fmt`. */
  readonly aliases: readonly string[];
}

const decide = (...aliases: string[]): EventEntry => ({ kind: "decide", aliases });
const transform = (...aliases: string[]): EventEntry => ({ kind: "transform", aliases });
const observe = (...aliases: string[]): EventEntry => ({ kind: "observe", aliases });

/** Every event, by its canonical name (that of pi), with the names other hosts give it. Source: semantics section 1. */
export const events = {
  tool_call: decide("PreToolUse", "preToolUse", "BeforeTool", "tool.pre", "tool.execute.before", "pre_tool_use"),
  input: decide("UserPromptSubmit", "userPromptSubmitted", "prompt.pre", "beforeSubmitPrompt"),
  user_bash: decide(),
  user_python: decide(),
  session_before_switch: decide(),
  session_before_fork: decide("session_before_branch"),
  session_before_compact: decide("PreCompact", "preCompact", "PreCompress"),
  session_before_tree: decide(),
  stop: decide("Stop", "AfterAgent", "agentStop", "session_stop"),
  subagent_stop: decide("SubagentStop", "subagentStop"),
  tool_result: transform("PostToolUse", "postToolUse", "AfterTool", "tool.post", "tool.execute.after", "post_tool_use"),
  context: transform("BeforeModel"),
  before_agent_start: transform("BeforeAgent"),
  session_compacting: transform("session.compacting"),
  resources_discover: transform(),
  session_start: observe("SessionStart", "sessionStart", "session.start"),
  session_switch: observe(),
  session_fork: observe("session_branch"),
  session_compact: observe("PostCompact", "compact"),
  session_tree: observe(),
  session_shutdown: observe("SessionEnd", "sessionEnd"),
  agent_start: observe(),
  agent_end: observe("session.end"),
  turn_start: observe(),
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
  subagent_start: observe("SubagentStart", "subagentStart"),
  error: observe("errorOccurred"),
} as const satisfies Record<string, EventEntry>;

/** Canonical name of an event. */
export type EventName = keyof typeof events;

/** Every canonical event name, in the order of the table. */
export const eventNames = Object.keys(events) as EventName[];

const byAlias: ReadonlyMap<string, EventName> = new Map(
  eventNames.flatMap((name) => [[name, name] as const, ...events[name].aliases.map((alias) => [alias, name] as const)]),
);

/** The canonical name of an event given by any host's name, or undefined. */
export function canonicalEvent(name: string): EventName | undefined {
  return byAlias.get(name);
}

/** What may be done about an event. */
export function eventKind(name: EventName): EventKind {
  return events[name].kind;
}

/** Events that carry a tool call, its name and arguments. */
export function isToolEvent(name: EventName): boolean {
  return name === "tool_call" || name === "tool_result";
}
