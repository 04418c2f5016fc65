import { isMapping, ownData } from "./plain-data.ts";

/** A message as it was copied, and how many values it holds. */
export interface KnownMessage {
  readonly copy: unknown;
  readonly nodes: number;
}

/** Number of surroundings that are remembered; an agent's change with its folder and branch. */
const rememberedCopies = 4;

/** The last copies of parts of events, the newest first; each is compared before it is reused. */
export class KnownCopies {
  readonly #copies: KnownMessage[] = [];

  /** Finds the copy of a value that was equal in every part. */
  find(value: unknown): KnownMessage | undefined {
    for (let i = 0; i < this.#copies.length; i++) {
      const known = this.#copies[i] as KnownMessage;
      if (!isCopyOf(known.copy, value)) continue;
      if (i > 0) this.#copies.unshift(...this.#copies.splice(i, 1));
      return known;
    }
    return undefined;
  }

  keep(made: KnownMessage): void {
    this.#copies.unshift(made);
    if (this.#copies.length > rememberedCopies) this.#copies.pop();
  }
}

/** Conversations that are remembered; of a process's sessions, few speak at a time. */
const rememberedSessions = 4;

/**
 * The copied last conversation of each session. A host shows the whole conversation before every turn. Messages of the turn
 * before become the very same copies again, so that results about them are reused and a turn costs only its new messages.
 * This changes no answer: a message that differs in anything is another message.
 */
export class KnownMessages {
  /** Surroundings (`environment`) of the last events. */
  readonly surroundings = new KnownCopies();
  readonly #sessions = new Map<string, readonly KnownMessage[]>();

  /** Returns the remembered messages of a wire event's session; the caller must compare each before it relies on it. */
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

/** Messages that were copied for an adapter, by the copy. */
const copiedBefore = new WeakMap<object, KnownMessage>();

/** Returns the facts of a message that is itself a copy. Nobody can have changed it, so it is not compared. */
export function copiedMessage(message: unknown): KnownMessage | undefined {
  return typeof message === "object" && message !== null ? copiedBefore.get(message) : undefined;
}

/** Takes a copy that an adapter gets. */
export function keepCopied(known: KnownMessage): void {
  if (typeof known.copy === "object" && known.copy !== null) copiedBefore.set(known.copy, known);
}

function sessionOf(wire: unknown): string {
  const id = ownData(ownData(wire, "session"), "id");
  return typeof id === "string" ? id : "";
}

/**
 * True if a value equals the source of a plain copy, property by property and in the same order. Like copying, it runs no
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
  let at = 0;
  for (const name of Object.keys(value)) {
    const field = Object.getOwnPropertyDescriptor(value, name);
    if (!field || !("value" in field)) return false;
    // As in JSON, an undefined field is absent.
    if (field.value === undefined) continue;
    if (name !== names[at] || !isCopyOf(copy[name], field.value)) return false;
    at += 1;
  }
  return at === names.length;
}
