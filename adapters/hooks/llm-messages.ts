import type { AgentMessage, AssistantMessage, ContentPart, ToolResultMessage, UserMessage } from "./messages.ts";

/** A message as a model's interface knows it: three roles. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * The messages of a context in the roles that a model knows. Custom messages become messages of the user, whatever
 * `display` says: it is about the screen alone. So do commands of the human and summaries.
 * Source: seed pi-hook-reference, section 2, "Critical detail".
 */
export function convertToLlm(messages: readonly AgentMessage[]): LlmMessage[] {
  return messages.map(inModelRole);
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
  }
}

function said(from: { readonly timestamp?: number }, content: string | ContentPart[]): UserMessage {
  return { role: "user", content, ...(from.timestamp === undefined ? {} : { timestamp: from.timestamp }) };
}
