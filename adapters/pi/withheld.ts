import type { PiMessage, PiPart } from "./api.ts";

/** Type of the custom message that replaces one that could not be shown. */
export const withheldType = "hookwarden-withheld";

/** Fields of a message without readable text, which pi and the provider need to keep the conversation consistent. */
export const opaqueOfMessage: ReadonlySet<string> = new Set(
  "timestamp toolCallId usage api provider model responseModel responseId stopReason fromId".split(" "),
);

/** Returns the content parts of a message; none if its content is plain text or absent. */
export function partsOf(message: PiMessage): PiPart[] {
  return Array.isArray(message.content) ? (message.content as PiPart[]) : [];
}

function withheldPart(part: PiPart): PiPart[] {
  if (part.type !== "toolCall") return [];
  return [{ type: "toolCall", id: part.id, name: part.name, arguments: {} }];
}

function withheldExecution(message: PiMessage): PiMessage {
  const hidden = message.excludeFromContext === true ? { excludeFromContext: true } : {};
  return { role: message.role, command: "(withheld)", exitCode: 1, cancelled: false, truncated: false, ...hidden };
}

/**
 * Makes a message of the same role with `text` in place of all its text, for a message that could not be processed. Ids of
 * calls stay, so that the run goes on (semantics section 4, "context").
 */
export function withheldMessage(message: PiMessage, text: string): PiMessage {
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(message)) if (opaqueOfMessage.has(name)) out[name] = message[name];
  const block = { type: "text", text };
  switch (message.role) {
    case "assistant":
      return { ...out, role: "assistant", content: [block, ...partsOf(message).flatMap(withheldPart)] };
    case "toolResult":
      return {
        ...out,
        role: "toolResult",
        toolName: message.toolName,
        content: [block],
        isError: message.isError === true,
      };
    case "bashExecution":
      return { ...out, ...withheldExecution(message), output: text };
    case "compactionSummary":
    case "branchSummary":
      return { ...out, role: message.role, summary: text, tokensBefore: message.tokensBefore };
    case "user":
      return { ...out, role: "user", content: [block] };
    default:
      return { ...out, role: message.role, customType: withheldType, content: text, display: false };
  }
}
