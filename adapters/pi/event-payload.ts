import type { EventName } from "../../schema/events.ts";
import { payloadShape } from "../../schema/payloads.ts";
import type { PiMessage, PiOtherEvent, PiPart } from "./api.ts";
import { toWireContent, toWireMessages } from "./messages.ts";

/** Wire names of the hosts' fields, if they differ from the snake-case name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["tool_name", "tool"],
  ["tool_call_id", "call_id"],
  ["from_extension", "from_hook"],
]);

/** Fields with whole conversations or data about them: sent only if a rule names the event, since they may be long. */
const long: ReadonlySet<string> = new Set([
  "branch_entries",
  "preparation",
  "messages",
  "tool_results",
  "compaction_entry",
  "compaction",
  "partial_result",
]);

/**
 * Converts a host's payload to wire names: messages and results in wire form, everything else as plain data. Null values are
 * left out. Fields that the wire payload lacks are not even copied, since hosts pass their whole state along. `whole` is false
 * if no rule names the event: it is then only recorded, without its long fields.
 */
export function payloadOf(name: EventName, event: PiOtherEvent, whole: boolean): Record<string, unknown> {
  const shape = payloadShape(name);
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(event)) {
    const value = event[key];
    if (value === undefined || value === null) continue;
    const field = wireName(name, key);
    if (!Object.hasOwn(shape, field)) continue;
    if (whole || !long.has(field)) out[field] = wireValue(name, field, value);
  }
  if (name === "session_compacting") out["messages"] ??= [];
  return { ...out };
}

function wireName(name: EventName, key: string): string {
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (name === "auto_compaction_end" && snake === "result") return "compaction";
  return renamed.get(snake) ?? snake;
}

function wireValue(name: EventName, field: string, value: unknown): unknown {
  if (field === "messages" || field === "tool_results")
    return Array.isArray(value) ? toWireMessages(value as PiMessage[]) : [];
  if (field === "message" && typeof value === "object") return toWireMessages([value as PiMessage])[0];
  if (field === "result" && name === "tool_execution_end") return wireResult(value);
  return plain(value, 0, new Set());
}

function wireResult(value: unknown): Record<string, unknown> {
  const { content, details } = (typeof value === "object" ? value : {}) as { content?: unknown; details?: unknown };
  const parts = Array.isArray(content) ? (content as PiPart[]) : [];
  return { content: toWireContent(parts), ...(details === undefined ? {} : { details: plain(details, 0, new Set()) }) };
}

/** Maximum nesting that is copied from a host's own data. */
const deepest = 24;

/** Copies a host's own data as JSON can hold it: sets as lists, maps as objects, functions and cycles left out. */
function plain(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest || above.has(value)) return undefined;
  above.add(value);
  const copy = plainObject(value, depth, above);
  above.delete(value);
  return copy;
}

function plainObject(value: object, depth: number, above: Set<object>): unknown {
  const inner = (one: unknown): unknown => plain(one, depth + 1, above);
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : undefined;
  if (ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value) || value instanceof Set) return [...value].map((one) => inner(one) ?? null);
  const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, one] of entries) {
    const copied = inner(one);
    if (copied !== undefined) out[String(key)] = copied;
  }
  return { ...out };
}

/** Returns the assistant's last text when an agent is about to stop: omp gives the message, pi the whole context. */
export function lastMessage(event: PiOtherEvent): { readonly last_message?: string } {
  const context = event["context"] as { contextMessages?: unknown } | undefined;
  const list = event["messages"] ?? context?.contextMessages;
  const messages = (Array.isArray(list) ? list : []) as PiMessage[];
  const given = event["last_assistant_message"] as PiMessage | undefined;
  const last = given ?? messages.findLast((message) => message.role === "assistant");
  if (!last) return {};
  const { content } = last;
  if (typeof content === "string") return { last_message: content };
  const parts = Array.isArray(content) ? (content as PiPart[]) : [];
  return { last_message: parts.map((part) => (part.type === "text" ? String(part["text"] ?? "") : "")).join("") };
}
