/**
 * The part of pi's extension API that the guard uses, by structure alone: no host package is imported, so that one file
 * loads in pi 0.73 (`@mariozechner`) as well as in 0.74 and later (`@earendil-works`).
 * Source: hosts page pi-and-omp, section 2; seed pi-hook-reference.
 */

export interface PiTextContent {
  type: "text";
  text: string;
  [field: string]: unknown;
}

/** A content part: `text`, `image` (base64 `data`, `mimeType`), `thinking`, `toolCall`, or one of a newer host. */
export interface PiPart {
  type: string;
  [field: string]: unknown;
}

/** A message of any role: user, assistant, toolResult, custom, bashExecution, compactionSummary, branchSummary, or a newer one. */
export interface PiMessage {
  role: string;
  [field: string]: unknown;
}

/** Before a tool runs. A handler that throws blocks the call. */
export interface PiToolCallEvent {
  type: "tool_call";
  toolName: string;
  toolCallId: string;
  /** The object that the tool itself will get: changed in place, then frozen. */
  input: Record<string, unknown>;
}

/** After a tool ran or failed; pi gives none for a blocked call. */
export interface PiToolResultEvent {
  type: "tool_result";
  toolName: string;
  toolCallId: string;
  input: Record<string, unknown>;
  content: PiPart[];
  details?: unknown;
  /** pi 1.x. */
  structuredContent?: unknown;
  isError: boolean;
}

/** Before each model call, with a deep copy of the conversation; the session file is not touched. */
export interface PiContextEvent {
  type: "context";
  messages: PiMessage[];
}

/** Once for each prompt. pi 1.x leaves `prompt` out for custom messages. */
export interface PiBeforeAgentStartEvent {
  type: "before_agent_start";
  prompt?: string;
  images?: unknown[];
  /** omp gives it in parts. */
  systemPrompt?: string | string[];
}

/** A command that the human typed with `!`, or `!!` to keep it out of the context. */
export interface PiUserBashEvent {
  type: "user_bash";
  command: string;
  excludeFromContext: boolean;
  cwd: string;
}

/** Text that the human, a program at the other end of RPC mode or an extension sent. */
export interface PiInputEvent {
  type: "input";
  text: string;
  images?: unknown[];
  source?: string;
}

/** Any other event; the host defines its payload. */
export interface PiOtherEvent {
  type: string;
  [field: string]: unknown;
}

/** Stops a call; the reason becomes its error result. */
export interface PiToolCallReply {
  block: true;
  reason: string;
}

/** Replacements for parts of a result. pi falls back to the raw value for null and undefined, so neither may be used here. */
export interface PiToolResultReply {
  content?: PiPart[];
  details?: unknown;
  structuredContent?: unknown;
  isError?: boolean;
}

/** Messages that the model gets instead of the conversation. */
export interface PiContextReply {
  messages: PiMessage[];
}

/** A message of an extension. `display` is about the screen alone: the model always sees it. */
export interface PiCustomMessage {
  customType: string;
  content: string;
  display: boolean;
  details?: unknown;
}

/** A message to keep in the session, and the whole system prompt of this run. */
export interface PiBeforeAgentStartReply {
  message?: PiCustomMessage;
  systemPrompt?: string | string[];
}

/** The result of a command that is not run. pi 0.87 rejects a reply with a missing field. */
export interface PiUserBashReply {
  result: { output: string; exitCode: number; cancelled: boolean; truncated: boolean };
}

/** The events with a translation of their own, each with its event and its reply; `family.ts` lists the others. */
export interface PiEvents {
  tool_call: { event: PiToolCallEvent; reply: PiToolCallReply };
  tool_result: { event: PiToolResultEvent; reply: PiToolResultReply };
  context: { event: PiContextEvent; reply: PiContextReply };
  before_agent_start: { event: PiBeforeAgentStartEvent; reply: PiBeforeAgentStartReply };
  user_bash: { event: PiUserBashEvent; reply: PiUserBashReply };
}

/** Name of an event that has a translation of its own. */
export type PiEventName = keyof PiEvents;

/** The part of the screen that the guard uses. */
export interface PiUi {
  confirm(title: string, message: string, options?: { timeout?: number }): Promise<boolean>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
  /** Sets a line of the footer, by key; undefined removes it. */
  setStatus?(key: string, text: string | undefined): void;
}

/** Facts about the current session. A header's `parentSession` is a session file, or in omp also a session id. */
export interface PiSessionManager {
  getSessionId?(): string;
  getSessionFile?(): string | undefined;
  getHeader?(): { readonly parentSession?: string } | null;
}

/** Context that pi passes to every handler. Its getters throw once the session was replaced. */
export interface PiContext {
  cwd: string;
  /** False in print and JSON mode: then `confirm` answers false by itself. */
  hasUI: boolean;
  ui: PiUi;
  sessionManager?: PiSessionManager;
}

/** A handler, sync or async; undefined leaves the event as it is. */
export type PiHandler<E, R> = (event: E, context: PiContext) => Promise<R | undefined> | R | undefined;

/** API that pi passes to the factory of an extension. */
export interface PiApi {
  on<Name extends PiEventName>(
    name: Name,
    handler: PiHandler<PiEvents[Name]["event"], PiEvents[Name]["reply"]>,
  ): unknown;
  on(name: string, handler: PiHandler<PiOtherEvent, object>): unknown;
  /** A command that the human types as `/name`. */
  registerCommand?(name: string, command: PiCommand): unknown;
  /** Sends a message to the model; with `steer`, after the running tool calls. */
  sendMessage?(message: PiCustomMessage, options?: { deliverAs?: "steer" | "followUp" | "nextTurn" }): unknown;
}

/** A command of an extension. */
export interface PiCommand {
  readonly description: string;
  handler(args: string, context: PiContext): Promise<void>;
}

/** A pi extension module's default export. */
export type PiExtension = (pi: PiApi) => void | Promise<void>;
