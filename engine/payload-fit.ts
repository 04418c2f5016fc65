import type { EventName } from "../schema/events.ts";
import { type FieldType, type PayloadField, payloadShape } from "../schema/payloads.ts";
import { validateMessage } from "../schema/validators.generated.js";
import { copiedMessage } from "./known-messages.ts";
import { ownData } from "./plain-data.ts";

/**
 * Returns a message about what is wrong with an event's payload by its table; undefined if it fits. The fields that all
 * events share have been checked already (`validateEvent`). Source: semantics section 3, step 1.
 */
export function payloadMisfit(event: EventName, given: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, field] of fieldsOf(event)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const wrong = value === undefined ? absence(field) : misfit(field, value);
    if (wrong !== undefined) return value === undefined ? `\`${event}\` needs \`${name}\`` : `\`${name}\` ${wrong}`;
  }
  return undefined;
}

/** Fields of each event, listed once. */
const fields = new Map<EventName, readonly (readonly [name: string, field: PayloadField])[]>();

function fieldsOf(event: EventName): readonly (readonly [name: string, field: PayloadField])[] {
  const known = fields.get(event);
  if (known) return known;
  const made = Object.entries(payloadShape(event));
  fields.set(event, made);
  return made;
}

function absence({ required }: PayloadField): string | undefined {
  return required ? "is absent" : undefined;
}

function misfit({ type, values }: PayloadField, value: unknown): string | undefined {
  if (values) return values.includes(value as string) ? undefined : `must be one of ${values.join(", ")}`;
  return checks[type](value) ? undefined : `must be ${words[type]}`;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isMapping = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
const listOf =
  (check: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);
const isMessage = (value: unknown): boolean => {
  if (fitting.has(value as object)) return true;
  const fits = validateMessage(value);
  if (fits && copiedMessage(value)) fitting.add(value as object);
  return fits;
};

/** Messages that fit and cannot have changed since: a conversation comes again at every turn. */
const fitting = new WeakSet<object>();

/** Returns the event without the messages known to fit: the result fits its schema if and only if the event does. */
export function withoutFitting(event: unknown): unknown {
  const messages = ownData(event, "messages");
  if (!Array.isArray(messages)) return event;
  const left = messages.filter((message) => !fitting.has(message));
  return left.length === messages.length ? event : { ...(event as object), messages: left };
}

const checks: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  string: isText,
  text: (value) => isText(value) || listOf(isText)(value),
  path: isText,
  int: Number.isInteger,
  bool: (value) => typeof value === "boolean",
  object: isMapping,
  // Under this name every event has it in one shape, which the shared schema knows.
  result: isMapping,
  message: isMessage,
  "list(message)": listOf(isMessage),
  "list(string)": listOf(isText),
  "list(dyn)": Array.isArray,
  dyn: () => true,
};

const words: Readonly<Record<FieldType, string>> = {
  string: "a string",
  text: "a string or a list of strings",
  path: "a string",
  int: "an integer",
  bool: "a boolean",
  object: "an object",
  result: "an object",
  message: "a message with a known role",
  "list(message)": "a list of messages with known roles",
  "list(string)": "a list of strings",
  "list(dyn)": "a list",
  dyn: "anything",
};
