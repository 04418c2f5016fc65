import type { ContentPart, Message } from "../../schema/generated.ts";
import type { PiMessage, PiPart } from "./api.ts";
import { opaqueOfMessage, partsOf, withheldMessage, withheldType } from "./withheld.ts";

/**
 * Lossless translation between pi's messages and content parts and those of the event schema. Each wire value carries `ref`,
 * the index of pi's own value. Through it a changed value gets back the fields that are not text (ids, signatures, image data,
 * usage). Every other field, known to us or not, goes with the value, so that redaction reaches it.
 */

type Fields = Readonly<Record<string, unknown>>;

const roleToWire: ReadonlyMap<string, Message["role"]> = new Map([
  ["user", "user"],
  ["assistant", "assistant"],
  ["toolResult", "tool_result"],
  ["custom", "custom"],
  ["bashExecution", "bash_execution"],
  ["compactionSummary", "compaction_summary"],
  ["branchSummary", "branch_summary"],
]);

const partTypes: ReadonlyMap<string, string> = new Map([["toolCall", "tool_call"]]);

/** Wire names of pi's fields, if they differ. `textField` names the text of roles without `content`, which becomes `content`. */
const fieldNames: ReadonlyMap<string, string> = new Map([
  ["toolName", "tool_name"],
  ["customType", "custom_type"],
  ["isError", "is_error"],
  ["structuredContent", "structured"],
  ["excludeFromContext", "exclude_from_context"],
  ["mimeType", "mime_type"],
]);

const textField: ReadonlyMap<string, string> = new Map([
  ["bashExecution", "output"],
  ["compactionSummary", "summary"],
  ["branchSummary", "summary"],
]);

/** Fields without readable text: they do not go on the wire and are put back afterwards. */
export const opaqueOfPart: ReadonlySet<string> = new Set(
  "id textSignature thinkingSignature thoughtSignature".split(" "),
);

/** Returns the fields of `value` that go on the wire, under their wire names. */
function carried(
  value: Fields,
  opaque: ReadonlySet<string>,
  rename: (name: string) => string,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    if (!opaque.has(name) && value[name] !== undefined) out[rename(name)] = value[name];
  }
  return { ...out };
}

function isImageData(part: PiPart): boolean {
  return part.type === "image" && typeof part.mimeType === "string" && part.mimeType.startsWith("image/");
}

/** Converts one content part to wire form. An image's base64 data is left out, but its length is included. */
function toWirePart(part: PiPart, ref: number): ContentPart {
  const image = isImageData(part);
  const fields = carried(part, opaqueOfPart, (name) => fieldNames.get(name) ?? name);
  if (image) delete fields.data;
  const size = image && typeof part.data === "string" ? { size: part.data.length } : {};
  return { ...fields, ...size, type: partTypes.get(part.type) ?? part.type, ref };
}

/** Converts content parts to wire form. Source: events page. */
export function toWireContent(parts: readonly PiPart[]): ContentPart[] {
  return parts.map(toWirePart);
}

function own(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Returns the index of pi's value that a wire value came from; undefined if it is new. */
function refOf(wire: Fields): number | undefined {
  const ref = Object.hasOwn(wire, "ref") ? wire.ref : undefined;
  return typeof ref === "number" ? ref : undefined;
}

/** Returns pi's fields for a wire value: those on the wire, renamed back, and the opaque ones of the original. */
function restored(
  original: Fields,
  wire: Fields,
  opaque: ReadonlySet<string>,
  rename: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(original)) if (opaque.has(name)) out[name] = original[name];
  for (const name of Object.keys(wire)) if (name !== "ref") out[rename.get(name) ?? name] = wire[name];
  return { ...out };
}

const fromFieldName: ReadonlyMap<string, string> = new Map([...fieldNames].map(([pi, wire]) => [wire, pi]));
const fromRole: ReadonlyMap<string, string> = new Map([...roleToWire].map(([pi, wire]) => [wire, pi]));
const fromPartType: ReadonlyMap<string, string> = new Map([...partTypes].map(([pi, wire]) => [wire, pi]));

function fromWirePart(wire: unknown, originals: readonly PiPart[]): PiPart {
  const fields = own(wire);
  const original = originals[refOf(fields) ?? -1];
  if (!original) return { type: "text", text: typeof fields.text === "string" ? fields.text : "" };
  const part = restored(original, fields, opaqueOfPart, fromFieldName);
  if (isImageData(original) && fields.type === "image") {
    part.data = original.data;
    delete part.size;
  }
  // A signature is valid only for the model's own reasoning text, and may quote it.
  if (original.thinking !== part.thinking) delete part.thinkingSignature;
  const type = typeof fields.type === "string" ? fields.type : original.type;
  return { ...part, type: fromPartType.get(type) ?? type };
}

/** Converts changed wire parts to pi's; a part without `ref` is text that a rule added. */
export function fromWireContent(parts: readonly unknown[], originals: readonly PiPart[]): PiPart[] {
  return parts.map((part) => fromWirePart(part, originals));
}

/** Returns the wire role of a message. Roles of newer hosts are judged as custom messages, so that rules reach their text. */
function wireRole(message: PiMessage): Message["role"] {
  return roleToWire.get(message.role) ?? "custom";
}

function toWireMessage(message: PiMessage, ref: number): Message {
  const text = textField.get(message.role);
  const fields = carried(message, opaqueOfMessage, (name) =>
    name === text ? "content" : (fieldNames.get(name) ?? name),
  );
  if (Array.isArray(fields.content)) fields.content = toWireContent(fields.content as PiPart[]);
  else if (fields.content === null) delete fields.content;
  return { ...fields, role: wireRole(message), ref };
}

/** Converts messages to wire form, with indexes from `first`; a placeholder replaces one that cannot be translated. */
export function toWireMessages(messages: readonly PiMessage[], first = 0): Message[] {
  return messages.map((message, at) => {
    const ref = first + at;
    try {
      return toWireMessage(message, ref);
    } catch {
      return {
        role: "custom",
        custom_type: withheldType,
        content: "[withheld by hookwarden: unreadable message]",
        ref,
      };
    }
  });
}

/** Makes pi's message for one that a rule added; undefined if it has no content. */
function addedMessage(wire: Fields, now: number): PiMessage | undefined {
  if (wire.content === undefined) return undefined;
  const content = Array.isArray(wire.content) ? fromWireContent(wire.content, []) : String(wire.content);
  if (wire.role === "user") return { role: "user", content, timestamp: now };
  return {
    role: "custom",
    customType: typeof wire.custom_type === "string" ? wire.custom_type : "hookwarden",
    content,
    display: wire.display === true,
    ...(wire.details === undefined ? {} : { details: wire.details }),
    timestamp: now,
  };
}

/** Origin of a wire message: one of pi's own, changed or withheld by the engine; undefined for an added one. */
type Origin = { readonly message: PiMessage; readonly withheld: boolean } | undefined;

/**
 * Finds the origin of each wire message. A placeholder for a message that the engine could not process has no `ref`. It
 * replaces the next missing message of its role between its neighbours, since withholding keeps the order.
 */
function sourcesOf(
  changed: readonly unknown[],
  refs: readonly (number | undefined)[],
  originals: readonly PiMessage[],
): Origin[] {
  const ends = nextRefs(refs, originals.length);
  let next = 0;
  return changed.map((wire, i) => {
    const ref = refs[i];
    if (ref !== undefined) {
      next = ref + 1;
      const message = originals[ref];
      return message && { message, withheld: false };
    }
    for (let at = next; at < (ends[i] ?? 0); at++) {
      const message = originals[at];
      if (!message || wireRole(message) !== own(wire).role) continue;
      next = at + 1;
      return { message, withheld: true };
    }
    return undefined;
  });
}

/** Returns for each index the next `ref` at or after it; `end` if there is none. */
function nextRefs(refs: readonly (number | undefined)[], end: number): number[] {
  const ends: number[] = new Array(refs.length);
  let next = end;
  for (let i = refs.length - 1; i >= 0; i--) {
    next = refs[i] ?? next;
    ends[i] = next;
  }
  return ends;
}

function textOf(wire: Fields): string {
  if (typeof wire.content === "string") return wire.content;
  const parts: unknown[] = Array.isArray(wire.content) ? wire.content : [];
  return parts.map((part) => String(own(part).text ?? "")).join("\n");
}

function fromWireMessage(fields: Fields, origin: Origin, now: number): PiMessage | undefined {
  if (!origin) return addedMessage(fields, now);
  const { message: original } = origin;
  if (origin.withheld) return withheldMessage(original, textOf(fields));
  const message = restored(original, fields, opaqueOfMessage, fromFieldName);
  if (Array.isArray(message.content)) message.content = fromWireContent(message.content, partsOf(original));
  // The wire may carry `text` as a view of the content; pi's messages have no such field.
  if (!Object.hasOwn(original, "text")) delete message.text;
  const text = textField.get(original.role);
  if (text !== undefined && text !== "content") {
    message[text] = message.content;
    delete message.content;
  }
  const role = roleToWire.has(original.role) ? (fromRole.get(String(fields.role)) ?? original.role) : original.role;
  return { ...message, role };
}

/** Collects the ids of the calls in messages. */
function callIds(messages: Iterable<PiMessage>): Set<unknown> {
  const ids = new Set<unknown>();
  for (const message of messages) for (const part of partsOf(message)) if (part.type === "toolCall") ids.add(part.id);
  return ids;
}

/**
 * Converts the messages that the model may see after a decision to pi's own. `now` is the timestamp of added ones, in
 * milliseconds since the epoch. `sent` holds the wire values of `originals`: a value that comes back identical was not changed,
 * so pi's own message is used. A result whose call a rule dropped is dropped too, since providers refuse a result without its
 * call. pi itself completes a call without a result.
 */
export function fromWireMessages(
  changed: readonly unknown[],
  originals: readonly PiMessage[],
  now: number,
  sent: readonly unknown[] = [],
): PiMessage[] {
  // Most of a conversation is unchanged, at the same index.
  const refs = changed.map((wire, i) => (wire !== undefined && wire === sent[i] ? i : refOf(own(wire))));
  const sources = refs.includes(undefined) ? sourcesOf(changed, refs, originals) : undefined;
  const untouched: boolean[] = new Array(originals.length).fill(false);
  const messages: PiMessage[] = [];
  for (let i = 0; i < changed.length; i++) {
    const wire = changed[i];
    const ref = refs[i] ?? -1;
    const original = originals[ref];
    const same = original !== undefined && wire === sent[ref];
    if (same) untouched[ref] = true;
    const origin = sources ? sources[i] : original && { message: original, withheld: false };
    const message = same ? original : fromWireMessage(own(wire), origin, now);
    if (message) messages.push(message);
  }
  // Calls of unchanged messages are still there.
  const before = callIds(originals.filter((_, i) => !untouched[i]));
  if (before.size === 0) return messages;
  const after = callIds(messages);
  return messages.filter((m) => m.role !== "toolResult" || after.has(m.toolCallId) || !before.has(m.toolCallId));
}
