/** Text for the model. */
export interface TextContent {
  type: "text";
  text: string;
}

/** An image for the model, base64. */
export interface ImageContent {
  type: "image";
  data: string;
  mimeType: string;
}

/** Part of a tool result or user message. */
export type ContentPart = TextContent | ImageContent;

/** A call the assistant asked for, inside an assistant message. */
export interface ToolCallContent {
  type: "toolCall";
  id: string;
  name: string;
  arguments: Record<string, unknown>;
}

/** Reasoning text of an assistant message. */
export interface ThinkingContent {
  type: "thinking";
  thinking: string;
}

interface Stamped {
  /** Milliseconds since the epoch. */
  timestamp?: number;
}

/** Message of the human: plain text, or a list of parts if there are images. */
export interface UserMessage extends Stamped {
  role: "user";
  content: string | ContentPart[];
}

/** An answer of the model: text, reasoning and the calls it asks for, in order. */
export interface AssistantMessage extends Stamped {
  role: "assistant";
  content: (TextContent | ThinkingContent | ToolCallContent)[];
  /** Why the answer ended. Hosts also write other values; an answer with one of these two is never sent to a model. */
  stopReason?: "error" | "aborted" | (string & {});
  /** Error text when `stopReason` is `error`. */
  errorMessage?: string;
}

/** Result of a tool call. Older modules filter for the role `tool`; today's hosts write `toolResult`. */
export interface ToolResultMessage extends Stamped {
  role: "toolResult" | "tool";
  toolCallId: string;
  toolName: string;
  content: ContentPart[];
  details?: unknown;
  isError: boolean;
}

/**
 * A message of a hook module. `display` says whether the screen shows it; the model always sees the content.
 * Source: seed pi-hook-reference, section 2.
 */
export interface CustomMessage extends Stamped {
  role: "custom";
  customType: string;
  content: string | ContentPart[];
  display: boolean;
  details?: unknown;
}

/** A command the human ran with `!` or `!!`. Source: seed pi-hook-reference, section 8. */
export interface BashExecutionMessage extends Stamped {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  /** True with `!!`: no model is ever sent the message. */
  excludeFromContext?: boolean;
}

/** Summary that replaces compacted messages or an abandoned branch. */
export interface SummaryMessage extends Stamped {
  role: "compactionSummary" | "branchSummary";
  summary: string;
}

/** Every role that `context` carries. Source: seed pi-hook-reference, section 3. */
export type AgentMessage =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | CustomMessage
  | BashExecutionMessage
  | SummaryMessage;

/** Custom message without its role, as `before_agent_start` handlers return it and `sendMessage` takes it. */
export type HookMessage = Pick<CustomMessage, "customType" | "content" | "display"> & {
  details?: unknown;
  attribution?: string;
};
