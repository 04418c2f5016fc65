import type { ContentPart, Message } from "../../schema/generated.ts";
import { joinedText } from "../one-shot/result-text.ts";
import { withheldText } from "../pi/denial.ts";
import type { Part, SessionMessage } from "./api.ts";

/**
 * OpenCode's conversation ↔ the event schema. A tool part is a call of the assistant followed by a result. On the wire they
 * are two messages, and `ref` leads each back to its part.
 */

/** Origin of one wire message: a whole message, or the result in one of its tool parts. */
interface Origin {
  readonly message: number;
  readonly part?: number;
}

/** A conversation in wire form, with the way back. */
export interface WireConversation {
  readonly messages: readonly Message[];
  /** Returns the host's messages as a decision wants them, without those that a rule dropped. */
  restored(changed: readonly unknown[]): SessionMessage[];
}

type Fields = Readonly<Record<string, unknown>>;

function own(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns the field in which a tool part keeps its result for the model. */
function resultField(state: Fields): "output" | "error" | undefined {
  if (typeof state["output"] === "string") return "output";
  return typeof state["error"] === "string" ? "error" : undefined;
}

function wirePart(part: Part, ref: number): ContentPart[] {
  if (part.type === "tool") {
    const { input } = own(part["state"]);
    return [{ type: "tool_call", name: String(part["tool"]), arguments: own(input), ref } as ContentPart];
  }
  return typeof part["text"] === "string" ? [{ type: "text", text: part["text"], ref }] : [];
}

/** Converts a conversation to wire form. */
export function toWire(given: readonly SessionMessage[]): WireConversation {
  const origins: Origin[] = [];
  const messages: Message[] = [];
  const add = (origin: Origin, message: Omit<Message, "ref">): void => {
    messages.push({ ...(message as Message), ref: origins.push(origin) - 1 });
  };
  for (const [i, { info, parts }] of given.entries()) {
    const role = info.role === "assistant" ? "assistant" : "user";
    add({ message: i }, { role, content: parts.flatMap(wirePart) });
    for (const [p, part] of parts.entries()) {
      const state = own(part["state"]);
      const field = part.type === "tool" ? resultField(state) : undefined;
      if (field === undefined) continue;
      const content: ContentPart[] = [{ type: "text", text: String(state[field]), ref: 0 }];
      add({ message: i, part: p }, { role: "tool_result", tool_name: String(part["tool"]), content });
    }
  }
  return { messages, restored: (changed) => restored(given, origins, changed) };
}

const leftOut = "(left out by a policy)";

function restored(
  given: readonly SessionMessage[],
  origins: readonly Origin[],
  changed: readonly unknown[],
): SessionMessage[] {
  const kept = new Map<number, Fields>();
  // A message that the engine withheld has no `ref`; it keeps its position.
  for (const [i, value] of changed.entries()) {
    const { ref } = own(value);
    kept.set(typeof ref === "number" ? ref : i, own(value));
  }
  const results = new Map<string, string>();
  for (const [ref, { message, part }] of origins.entries()) {
    if (part === undefined) continue;
    const wire = kept.get(ref);
    results.set(`${message}.${part}`, wire === undefined ? leftOut : textOf(wire));
  }
  return given.flatMap((message, i) => {
    const ref = origins.findIndex((origin) => origin.message === i && origin.part === undefined);
    const wire = kept.get(ref);
    return wire === undefined ? [] : [restoredMessage(message, wire, (part) => results.get(`${i}.${part}`))];
  });
}

function textOf({ content }: Fields): string {
  return typeof content === "string" ? content : Array.isArray(content) ? joinedText(content) : "";
}

function restoredMessage(
  message: SessionMessage,
  wire: Fields,
  resultOf: (part: number) => string | undefined,
): SessionMessage {
  const whole = typeof wire["content"] === "string" ? wire["content"] : undefined;
  const parts = new Map<unknown, Fields>();
  for (const part of Array.isArray(wire["content"]) ? wire["content"] : []) parts.set(own(part)["ref"], own(part));
  const text = (part: Part, p: number): Part => {
    const now = parts.get(p)?.["text"] ?? whole ?? leftOut;
    return { ...part, text: now };
  };
  const tool = (part: Part, p: number): Part => {
    const state = { ...own(part["state"]) } as Record<string, unknown>;
    const field = resultField(state);
    const result = resultOf(p);
    if (field !== undefined && result !== undefined && state[field] !== result) {
      state[field] = result;
      if (Object.hasOwn(state, "metadata")) state["metadata"] = {};
    }
    const call = parts.get(p);
    if (call || whole !== undefined) state["input"] = call?.["arguments"] ?? {};
    return { ...part, state };
  };
  return {
    ...message,
    parts: message.parts.map((part, p) => {
      if (part.type === "tool") return tool(part, p);
      return typeof part["text"] === "string" ? text(part, p) : part;
    }),
  };
}

/** Returns the messages with every text withheld, for a conversation that nobody could judge. */
export function withheldMessages(given: readonly SessionMessage[], why: string): SessionMessage[] {
  const text = withheldText(why);
  return given.map((message) => ({
    ...message,
    parts: message.parts.flatMap((part): Part[] => {
      if (typeof part["text"] === "string") return [{ ...part, text }];
      if (part.type !== "tool") return part.type.startsWith("step-") ? [part] : [];
      const state = own(part["state"]);
      const field = resultField(state);
      return [{ ...part, state: { ...state, input: {}, metadata: {}, ...(field && { [field]: text }) } }];
    }),
  }));
}

/** Adds a text after the user's last message; the host does not store it. */
export function withInjected(messages: SessionMessage[], text: string, id: string): SessionMessage[] {
  const at = messages.findLastIndex(({ info }) => info.role === "user");
  const message = messages[at];
  if (!message) return messages;
  const like = message.parts.find((part) => part.type === "text") ?? {
    type: "text",
    sessionID: message.info.sessionID,
  };
  const part: Part = { ...like, id: `prt_${id}`, text, synthetic: true };
  return messages.with(at, { ...message, parts: [...message.parts, part] });
}
