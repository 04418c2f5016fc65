import { isMapping, ownData } from "./plain-data.ts";

/** A message as it was copied, and how many values it holds. */
export interface KnownMessage {
  readonly copy: unknown;
  readonly nodes: number;
}

/** Conversations that are remembered; of a process's sessions, few speak at a time. */
const rememberedSessions = 4;

/**
 * The last conversation of each session, as it was copied. A host shows the whole of it before every turn: what was there
 * the turn before is the very same copy again, so that whatever was found out about it need not be found out again, and a
 * turn costs what is new in it. It changes no answer: a message that differs in anything is another message.
 */
export class KnownMessages {
  readonly #sessions = new Map<string, readonly KnownMessage[]>();

  /** What is known of a wire event's conversation; nothing of it is believed before it is compared. */
  of(wire: unknown): readonly KnownMessage[] {
    return this.#sessions.get(sessionOf(wire)) ?? [];
  }

  /** Takes the conversation of an event that was copied whole. */
  keep(wire: unknown, messages: readonly KnownMessage[]): void {
    const session = sessionOf(wire);
    this.#sessions.delete(session);
    this.#sessions.set(session, messages);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= rememberedSessions) return;
      this.#sessions.delete(oldest);
    }
  }
}

function sessionOf(wire: unknown): string {
  const id = ownData(ownData(wire, "session"), "id");
  return typeof id === "string" ? id : "";
}

/**
 * True if a value is, property by property and in the same order, what a plain copy was made of. Like copying it runs no
 * code of the value but a proxy's. Throws only for a hostile object. Depth is that of the copy, which is bounded.
 */
export function isCopyOf(copy: unknown, value: unknown): boolean {
  if (typeof copy !== "object" || copy === null) return value === copy;
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(copy) ? isListOf(copy, value) : isObjectOf(copy as Readonly<Record<string, unknown>>, value);
}

function isListOf(copy: readonly unknown[], value: object): boolean {
  if (!Array.isArray(value) || value.length !== copy.length) return false;
  for (let i = 0; i < copy.length; i++) {
    const item = Object.getOwnPropertyDescriptor(value, i);
    if (!item || !("value" in item) || !isCopyOf(copy[i], item.value)) return false;
  }
  return true;
}

function isObjectOf(copy: Readonly<Record<string, unknown>>, value: object): boolean {
  if (Array.isArray(value) || !isMapping(value)) return false;
  const names = Object.keys(copy);
  const given = Object.keys(value);
  if (names.length !== given.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const field = name === given[i] ? Object.getOwnPropertyDescriptor(value, name) : undefined;
    if (!field || !("value" in field) || !isCopyOf(copy[name], field.value)) return false;
  }
  return true;
}
