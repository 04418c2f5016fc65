import type { AgentMessage, AssistantMessage, ContentPart, ToolResultMessage, UserMessage } from "./messages.ts";

/** A message as a model's interface knows it: three roles. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * Converts the messages of a context to the roles that a model knows. Custom messages, commands of the human and summaries
 * become messages of the user; `display` concerns the screen alone. Messages that no model may see are left out.
 * Source: seed pi-hook-reference, section 2, "Critical detail".
 */
export function convertToLlm(messages: readonly AgentMessage[]): LlmMessage[] {
  return messages.filter(isForModel).map(inModelRole);
}

/**
 * True if a model may be sent this message. False for a `!!` command, because the human asked to keep it from the model,
 * and for an answer that failed or was aborted.
 */
export function isForModel(message: AgentMessage): boolean {
  if (message.role === "bashExecution") return message.excludeFromContext !== true;
  if (message.role === "assistant") return message.stopReason !== "error" && message.stopReason !== "aborted";
  return true;
}

function inModelRole(message: AgentMessage): LlmMessage {
  switch (message.role) {
    case "user":
    case "assistant":
    case "tool":
    case "toolResult":
      return message;
    case "custom":
      return said(message, message.content);
    case "bashExecution":
      return said(message, `Ran \`${message.command}\`\n${message.output}`);
    case "compactionSummary":
    case "branchSummary":
      return said(message, message.summary);
    default:
      return unknownRole(message);
  }
}

function said(from: { readonly timestamp?: number }, content: string | ContentPart[]): UserMessage {
  return { role: "user", content, ...(from.timestamp === undefined ? {} : { timestamp: from.timestamp }) };
}

/** Returns a message with a role that no host has as it is; the model's port decides what to do with it. */
function unknownRole(message: never): LlmMessage {
  return message;
}
