import type { AgentMessage, ContentPart, ImageContent, ToolResultMessage } from "./messages.ts";
import type {
  BeforeAgentStartEventResult,
  ContextEventResult,
  InputEventResult,
  ResourcesDiscoverResult,
  SessionBeforeCompactResult,
  SessionBeforeForkResult,
  SessionBeforeSwitchResult,
  SessionBeforeTreeResult,
  SessionCompactingResult,
  ToolCallEventResult,
  ToolResultEventResult,
  UserBashEventResult,
  UserPythonEventResult,
} from "./results.ts";

/** The human submitted text. Source: seed pi-hook-reference, section 1. */
export interface InputEvent {
  type: "input";
  /** Current text, possibly transformed by an earlier handler. */
  text: string;
  images?: ImageContent[];
  source: "interactive" | "rpc" | "extension";
}

/** Once per prompt, before the agent starts. Source: seed pi-hook-reference, section 2. */
export interface BeforeAgentStartEvent {
  type: "before_agent_start";
  prompt: string;
  images?: ImageContent[];
  /** The prompt as chained so far; parts in the profile `omp`, absent in `omp-hookapi`. */
  systemPrompt?: string | string[];
}

/** Before each call of the model. Source: seed pi-hook-reference, section 3. */
export interface ContextEvent {
  type: "context";
  messages: AgentMessage[];
}

/** Before a tool runs. */
export interface ToolCallEvent<Name extends string = string, Input = Record<string, unknown>> {
  type: "tool_call";
  toolCallId: string;
  toolName: Name;
  input: Input;
}

/** After a tool ran or failed. */
export interface ToolResultEvent {
  type: "tool_result";
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
  content: ContentPart[];
  details: unknown;
  /** Only on hosts that know structured results (`pi`). */
  structuredContent?: unknown;
  isError: boolean;
}

/** The human ran a command with `!` or `!!`. Source: seed pi-hook-reference, section 8. */
export interface UserBashEvent {
  type: "user_bash";
  command: string;
  /** True with `!!`. */
  excludeFromContext: boolean;
  cwd: string;
}

/** The human ran Python code (omp only). */
export interface UserPythonEvent {
  type: "user_python";
  code: string;
  excludeFromContext: boolean;
  cwd: string;
}

/** A run of the agent begins: once per prompt, before its first turn. */
export interface AgentStartEvent {
  type: "agent_start";
}

/** `messages` are those of this run alone, not the whole history. Source: seed pi-hook-reference, section 2. */
export interface AgentEndEvent {
  type: "agent_end";
  messages: AgentMessage[];
}

/** One call of the model and its tools begins; `timestamp` in milliseconds since the epoch. */
export interface TurnStartEvent {
  type: "turn_start";
  /** 0-based within the run. */
  turnIndex: number;
  timestamp: number;
}

/** The model answered and every tool it called is done. `turnIndex` as in `turn_start`. */
export interface TurnEndEvent {
  type: "turn_end";
  turnIndex: number;
  message: AgentMessage;
  toolResults: ToolResultMessage[];
}

/** A message of any role begins or is complete; at its end it goes to the session file. */
export interface MessageEvent {
  type: "message_start" | "message_end";
  message: AgentMessage;
}

/** The assistant's message so far, while it streams; `assistantMessageEvent` is the host's token event. */
export interface MessageUpdateEvent {
  type: "message_update";
  message: AgentMessage;
  assistantMessageEvent: unknown;
}

/** A tool begins to run; for information, it cannot be stopped here. */
export interface ToolExecutionStartEvent {
  type: "tool_execution_start";
  toolCallId: string;
  toolName: string;
  args: Record<string, unknown>;
}

/** Progress that a running tool reports; for information. */
export interface ToolExecutionUpdateEvent {
  type: "tool_execution_update";
  toolCallId: string;
  toolName: string;
  args: Record<string, unknown>;
  partialResult: unknown;
}

/** A tool is done; for information, the model gets what `tool_result` made of it. */
export interface ToolExecutionEndEvent {
  type: "tool_execution_end";
  toolCallId: string;
  toolName: string;
  result: unknown;
  isError: boolean;
}

/** At start, after a switch or fork, and after a reload. */
export interface SessionStartEvent {
  type: "session_start";
  reason?: string;
}

/** Before the human begins a new session or resumes another; can be cancelled. */
export interface SessionBeforeSwitchEvent {
  type: "session_before_switch";
  reason: "new" | "resume";
  /** Only for `resume`. */
  targetSessionFile?: string;
}

/** The session has changed; `previousSessionFile` is the path of the one left. */
export interface SessionSwitchEvent {
  type: "session_switch";
  reason: "new" | "resume";
  previousSessionFile?: string;
}

/** omp says `branch` where pi says `fork`; a handler gets the name it registered. */
export interface SessionBeforeForkEvent {
  type: "session_before_fork" | "session_before_branch";
  entryId: string;
}

/** A fork has been made; `previousSessionFile` is the path of the session it left. */
export interface SessionForkEvent {
  type: "session_fork" | "session_branch";
  previousSessionFile?: string;
}

/** Plan of the coming compaction. */
export interface CompactionPreparation {
  firstKeptEntryId: string;
  tokensBefore: number;
  [field: string]: unknown;
}

/**
 * Before compaction, by the human or automatic; a handler can cancel it or give the summary. `branchEntries` are the
 * session's lines.
 */
export interface SessionBeforeCompactEvent {
  type: "session_before_compact";
  preparation: CompactionPreparation;
  branchEntries: unknown[];
  customInstructions?: string;
  signal: AbortSignal;
}

/** While compaction runs (omp). */
export interface SessionCompactingEvent {
  type: "session.compacting" | "session_compacting";
  sessionId?: string;
  messages: AgentMessage[];
}

/** Compaction is done; `fromHook` says that a handler gave the summary. */
export interface SessionCompactEvent {
  type: "session_compact";
  compactionEntry?: unknown;
  fromHook?: boolean;
}

/** Before the human goes to another point of the session's tree; can be cancelled. */
export interface SessionBeforeTreeEvent {
  type: "session_before_tree";
  preparation: unknown;
  signal: AbortSignal;
}

/** The session moved to another entry of its tree. The leaves are ids of entries; null means no entry. */
export interface SessionTreeEvent {
  type: "session_tree";
  newLeafId?: string | null;
  oldLeafId?: string | null;
}

/** The process is about to exit: the last chance to keep state, and it must be quick. */
export interface SessionShutdownEvent {
  type: "session_shutdown";
}

/** Another model is in use: chosen by the human, cycled to, or restored with a session. */
export interface ModelSelectEvent {
  type: "model_select";
  model: unknown;
  previousModel?: unknown;
  source: "set" | "cycle" | "restore";
}

/** At startup and after a reload, the host asks for folders with skills, prompts and themes. */
export interface ResourcesDiscoverEvent {
  type: "resources_discover";
  cwd: string;
  reason: "startup" | "reload";
}

/** Compaction and retries that the agent starts by itself, and omp's own notices; their fields are the host's. */
export interface NoticeEvent {
  type:
    | "auto_compaction_start"
    | "auto_compaction_end"
    | "auto_retry_start"
    | "auto_retry_end"
    | "ttsr_triggered"
    | "todo_reminder";
  [field: string]: unknown;
}

interface Row<Event, Result = void> {
  event: Event;
  result: Result;
}

/** Every event of the seeds with its payload and the result a handler may give. */
export interface HookEventMap {
  input: Row<InputEvent, InputEventResult>;
  before_agent_start: Row<BeforeAgentStartEvent, BeforeAgentStartEventResult>;
  agent_start: Row<AgentStartEvent>;
  agent_end: Row<AgentEndEvent>;
  turn_start: Row<TurnStartEvent>;
  context: Row<ContextEvent, ContextEventResult>;
  turn_end: Row<TurnEndEvent>;
  message_start: Row<MessageEvent>;
  message_update: Row<MessageUpdateEvent>;
  message_end: Row<MessageEvent>;
  tool_call: Row<ToolCallEvent, ToolCallEventResult>;
  tool_execution_start: Row<ToolExecutionStartEvent>;
  tool_execution_update: Row<ToolExecutionUpdateEvent>;
  tool_execution_end: Row<ToolExecutionEndEvent>;
  tool_result: Row<ToolResultEvent, ToolResultEventResult>;
  session_start: Row<SessionStartEvent>;
  session_before_switch: Row<SessionBeforeSwitchEvent, SessionBeforeSwitchResult>;
  session_switch: Row<SessionSwitchEvent>;
  session_before_fork: Row<SessionBeforeForkEvent, SessionBeforeForkResult>;
  session_before_branch: Row<SessionBeforeForkEvent, SessionBeforeForkResult>;
  session_fork: Row<SessionForkEvent>;
  session_branch: Row<SessionForkEvent>;
  session_before_compact: Row<SessionBeforeCompactEvent, SessionBeforeCompactResult>;
  "session.compacting": Row<SessionCompactingEvent, SessionCompactingResult>;
  session_compacting: Row<SessionCompactingEvent, SessionCompactingResult>;
  session_compact: Row<SessionCompactEvent>;
  session_before_tree: Row<SessionBeforeTreeEvent, SessionBeforeTreeResult>;
  session_tree: Row<SessionTreeEvent>;
  session_shutdown: Row<SessionShutdownEvent>;
  model_select: Row<ModelSelectEvent>;
  resources_discover: Row<ResourcesDiscoverEvent, ResourcesDiscoverResult>;
  user_bash: Row<UserBashEvent, UserBashEventResult>;
  user_python: Row<UserPythonEvent, UserPythonEventResult>;
  auto_compaction_start: Row<NoticeEvent>;
  auto_compaction_end: Row<NoticeEvent>;
  auto_retry_start: Row<NoticeEvent>;
  auto_retry_end: Row<NoticeEvent>;
  ttsr_triggered: Row<NoticeEvent>;
  todo_reminder: Row<NoticeEvent>;
}

/** A name that a module can register a handler for. */
export type HookEventName = keyof HookEventMap;

/** Any event of the seeds. */
export type HookEvent = HookEventMap[HookEventName]["event"];

/** An event of a newer host that the seeds do not know: delivered as it is, its answers ignored. */
export interface OtherEvent {
  type: string;
  [field: string]: unknown;
}

/** Arguments of the tools that both seeds know; used for narrowing. */
export interface ToolInputs {
  bash: { command: string; timeout?: number };
  read: { path: string; offset?: number; limit?: number };
  write: { path: string; content: string };
  edit: { path: string; oldText?: string; newText?: string; edits?: { oldText: string; newText: string }[] };
  grep: { pattern: string; path?: string };
  find: { pattern: string; path?: string };
  ls: { path?: string };
}

/**
 * Narrows a `tool_call` event to one tool; custom tools give their types as parameters.
 * Source: seed pi-hook-reference, section 4.
 */
export function isToolCallEventType<Name extends keyof ToolInputs>(
  name: Name,
  event: ToolCallEvent,
): event is ToolCallEvent<Name, ToolInputs[Name] & Record<string, unknown>>;
/** For a custom tool: the caller states the type of its arguments as `Input`, unchecked. */
export function isToolCallEventType<Name extends string, Input>(
  name: Name,
  event: ToolCallEvent,
): event is ToolCallEvent<Name, Input & Record<string, unknown>>;
/** Implements both overloads: compares tool names and does not look at the arguments. */
export function isToolCallEventType(name: string, event: ToolCallEvent): boolean {
  return event.toolName === name;
}
