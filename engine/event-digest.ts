import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Payload } from "../schema/ports.ts";
import { canonicalJson, digest, sha256 } from "./canonical.ts";

/** Digests of messages, by the message: those of a conversation come again at every turn. */
const known = new WeakMap<object, string>();

/**
 * Returns the digest of an event, as its record has it: SHA-256 of its canonical JSON, in which each message of a
 * conversation is replaced by its own digest. So a turn costs only the new messages. Source: decision 0010; semantics
 * section 5, "Record".
 */
export function eventDigest(event: JudgedEvent): string {
  return digestByMessage(event);
}

/** Returns the same digest of a payload that a transform made. */
export function payloadDigest(payload: Payload): string {
  return digestByMessage(payload);
}

function digestByMessage(value: { readonly messages?: readonly unknown[] | undefined }): string {
  const { messages } = value;
  if (!messages) return digest(value);
  const list = `"messages":${listJson(messages)}`;
  // A payload with messages usually has no other field.
  if (Object.keys(value).length === 1) return sha256(`{${list}}`);
  const fields = Object.entries(value);
  // Names in their order, as in all canonical JSON.
  const before = membersOf(fields.filter(([name]) => name < "messages"));
  const after = membersOf(fields.filter(([name]) => name > "messages"));
  return sha256(`{${[before, list, after].filter((part) => part !== "").join(",")}}`);
}

/** Returns fields as the members of a canonical JSON object. */
function membersOf(fields: readonly (readonly [name: string, value: unknown])[]): string {
  return canonicalJson(Object.fromEntries(fields)).slice(1, -1);
}

/** A list of messages, and the digests of these as JSON without brackets. */
interface Listed {
  readonly messages: readonly unknown[];
  readonly text: string;
}

/** Lists that are remembered: a conversation as it came, as it was rewritten, and those of other sessions. */
const rememberedLists = 6;

/** The last lists, the newest first. Nothing is believed of one that is not the very same, message by message. */
const lists: Listed[] = [];

/** The digests of messages as a JSON list. A conversation repeats its earlier turns, so only new messages are written. */
function listJson(messages: readonly unknown[]): string {
  const at = lists.findIndex((list) => isBeginning(list.messages, messages));
  const known = at < 0 ? undefined : lists.splice(at, 1)[0];
  let text = known?.text ?? "";
  // Digests need no escapes.
  for (let i = known?.messages.length ?? 0; i < messages.length; i++)
    text += i === 0 ? `"${digestOfMessage(messages[i])}"` : `,"${digestOfMessage(messages[i])}"`;
  // Slicing flattens the concatenated text, to which the next turn adds.
  const json = `[${text}]`;
  lists.unshift({ messages: [...messages], text: json.slice(1, -1) });
  if (lists.length > rememberedLists) lists.pop();
  return json;
}

/** True if a list begins with the very same messages as another, one of them at least. */
function isBeginning(before: readonly unknown[], messages: readonly unknown[]): boolean {
  if (before.length === 0 || before.length > messages.length) return false;
  for (let i = before.length - 1; i >= 0; i--) if (before[i] !== messages[i]) return false;
  return true;
}

function digestOfMessage(message: unknown): string {
  if (typeof message !== "object" || message === null) return digest(message);
  const found = known.get(message) ?? digest(message);
  known.set(message, found);
  return found;
}
