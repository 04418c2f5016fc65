import type { AgentMessage, AssistantMessage, ContentPart, ToolResultMessage, UserMessage } from "./messages.ts";

/** A message as a model's interface knows it: three roles. */
export type LlmMessage = UserMessage | AssistantMessage | ToolResultMessage;

/**
 * The messages of a context in the roles that a model knows. Custom messages become messages of the user, whatever
 * `display` says: it is about the screen alone. So do commands of the human and summaries. What no model may see is
 * left out. Source: seed pi-hook-reference, section 2, "Critical detail".
 */
export function convertToLlm(messages: readonly AgentMessage[]): LlmMessage[] {
  return messages.filter(isForModel).map(inModelRole);
}

/**
 * May a model be sent this message? Not the output of a `!!` command, because the human asked to keep it; and not an
 * answer that failed or was ended, because it is no answer.
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

/** A message that a module made up with a role that no host has goes as it is: the model's port says what it thinks of it. */
function unknownRole(message: never): LlmMessage {
  return message;
}
