import type { JudgedEvent } from "../schema/judged-event.ts";
import type { Payload } from "../schema/ports.ts";
import { digest, sha256 } from "./canonical.ts";

/** Digests of messages, by the message: those of a conversation come again at every turn. */
const known = new WeakMap<object, string>();

/**
 * Digest of an event, as its record has it: SHA-256 of its canonical JSON, in which each message of a conversation stands
 * by its own digest. So a turn costs what is new in the conversation, not all of it. Source: decision 0010; semantics
 * section 5, "Record".
 */
export function eventDigest(event: JudgedEvent): string {
  return digestByMessage(event);
}

/** The same of a payload, for what a transform made of it. */
export function payloadDigest(payload: Payload): string {
  return digestByMessage(payload);
}

function digestByMessage(value: { readonly messages?: readonly unknown[] | undefined }): string {
  const { messages } = value;
  if (!messages) return digest(value);
  const digests = messages.map(digestOfMessage);
  // What a payload of messages has beside them is little, and digests need no escapes.
  if (Object.keys(value).length === 1) return sha256(`{"messages":${listJson(digests)}}`);
  return digest({ ...value, messages: digests });
}

function listJson(plain: readonly string[]): string {
  return plain.length === 0 ? "[]" : `["${plain.join('","')}"]`;
}

function digestOfMessage(message: unknown): string {
  if (typeof message !== "object" || message === null) return digest(message);
  const found = known.get(message) ?? digest(message);
  known.set(message, found);
  return found;
}
