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

/** What tool results and user texts are made of. */
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

/** What the human said: plain text, or parts where there are images. */
export interface UserMessage extends Stamped {
  role: "user";
  content: string | ContentPart[];
}

/** An answer of the model: text, reasoning and the calls it asks for, in order. */
export interface AssistantMessage extends Stamped {
  role: "assistant";
  content: (TextContent | ThinkingContent | ToolCallContent)[];
  /** Why the answer ended; other hosts write more than these two. An answer with one of them is never sent to a model. */
  stopReason?: "error" | "aborted" | (string & {});
  /** What went wrong, where `stopReason` is `error`. */
  errorMessage?: string;
}

/** `tool` is the role older modules filter for; hosts of today write `toolResult`. */
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

/** What stands in place of messages that were compacted or of a branch that was left. */
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

/** What a handler of `before_agent_start` and `sendMessage` give: a custom message without its role. */
export type HookMessage = Pick<CustomMessage, "customType" | "content" | "display"> & {
  details?: unknown;
  attribution?: string;
};
