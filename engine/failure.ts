import type { EventName } from "../schema/events.ts";
import { eventKind } from "../schema/events.ts";
import type { Changes, DecisionError } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import { ownData } from "./plain-data.ts";

/** The outcome of an event that could not be judged (semantics section 4, "closed outcome"). */
export interface Closed {
  readonly outcome: "allow" | "block";
  readonly reason: string;
  readonly changes: Changes;
}

/** Parts of an event that can be withheld, if they could be read. */
export interface Withholdable {
  readonly messages?: readonly unknown[] | undefined;
  readonly prompt?: string | undefined;
}

/** As much of an unjudged payload as withholding needs: roles of messages, presence of a prompt. */
export function withholdable(wire: unknown): Withholdable {
  const messages = ownData(wire, "messages");
  const prompt = ownData(wire, "prompt");
  return {
    messages: itemsOf(messages),
    prompt: typeof prompt === "string" ? prompt : undefined,
  };
}

/** Returns the items of a list that are data, without running code of the payload; undefined for any other value. */
function itemsOf(value: unknown): readonly unknown[] | undefined {
  const length = ownData(value, "length");
  try {
    if (!Array.isArray(value) || typeof length !== "number") return undefined;
  } catch {
    return undefined;
  }
  return Array.from({ length: Math.min(length, limits.payloadNodes) }, (_, i) => ownData(value, String(i)));
}

/**
 * Closed outcome of an event: deciding events block; a placeholder with the reason replaces a result or item that could not be
 * processed; stop and observe events continue.
 */
export function closedOutcome(name: EventName, event: Withholdable, error: DecisionError): Closed {
  const cause = error.rule === undefined ? error.message : `rule \`${error.rule}\`: ${error.message}`;
  const reason = `refused because it could not be judged (${error.code}): ${cause}`;
  if (name === "stop" || name === "subagent_stop" || eventKind(name) === "observe")
    return { outcome: "allow", reason, changes: {} };
  if (eventKind(name) === "decide") return { outcome: "block", reason, changes: {} };
  return { outcome: "allow", reason, changes: withheld(name, event, withheldText(error)) };
}

/** Returns the text in place of withheld content. */
export function withheldText(error: DecisionError): string {
  return `[withheld: could not be checked (${error.code}${error.rule === undefined ? "" : `, rule ${error.rule}`})]`;
}

function withheld(name: EventName, event: Withholdable, text: string): Changes {
  switch (name) {
    case "tool_result":
      return { content: [{ type: "text", text }], details: null, structured: null } as Changes;
    case "context":
      return withheldMessages(event.messages ?? [], text);
    case "session_compacting":
      return event.messages === undefined ? {} : withheldMessages(event.messages, text);
    case "before_agent_start":
      return {
        ...(event.prompt !== undefined && { prompt: text }),
        ...(event.messages !== undefined && withheldMessages(event.messages, text)),
      };
    default:
      return {};
  }
}

function withheldMessages(messages: readonly unknown[], text: string): Changes {
  return { messages: messages.map((message) => withheldMessage(message, text)) } as Changes;
}

/** A message with everything but its role and ids replaced, so that the conversation keeps its shape. */
export function withheldMessage(message: unknown, text: string): unknown {
  const given = (typeof message === "object" && message !== null ? message : {}) as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const key of [
    "role",
    "tool_call_id",
    "toolCallId",
    "tool_name",
    "toolName",
    "custom_type",
    "customType",
    "display",
    "timestamp",
  ]) {
    const value = ownData(given, key);
    if (["string", "number", "boolean"].includes(typeof value)) kept[key] = value;
  }
  return { ...kept, content: [{ type: "text", text }] };
}
