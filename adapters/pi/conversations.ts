import { isCopyOf, messageCopy } from "../../runtime.ts";
import type { Message } from "../../schema/generated.ts";
import type { PiMessage } from "./api.ts";
import { opaqueOfPart, toWireMessages } from "./messages.ts";
import { opaqueOfMessage } from "./withheld.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a message that go on the wire, and their wire form: copies that nobody changes. */
interface KnownMessage {
  readonly carried: Fields;
  readonly wire: Message;
}

/** Maximum number of sessions whose conversation is remembered; few sessions of a process are active at a time. */
const rememberedSessions = 4;

/**
 * Conversations in wire form. pi passes a whole conversation before every turn, in new objects each time. A message whose wire
 * fields equal those of the message at the same index a turn before gets the same wire value, so that the engine need not
 * copy it either. A message that cannot be copied as plain data goes as it is, for the engine to refuse.
 */
export class Conversations {
  readonly #sessions = new Map<string, readonly (KnownMessage | undefined)[]>();

  /** Converts a session's conversation to wire form, like `toWireMessages`. */
  toWire(session: string, messages: readonly PiMessage[]): readonly Message[] {
    const before = this.#sessions.get(session) ?? [];
    const known = messages.map((message, at) => {
      const same = before[at];
      return same && isSame(same.carried, message) ? same : copied(message, at);
    });
    this.#keep(session, known);
    return known.map((one, at) => one?.wire ?? (toWireMessages([messages[at] as PiMessage], at)[0] as Message));
  }

  #keep(session: string, known: readonly (KnownMessage | undefined)[]): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, known);
    if (this.#sessions.size > rememberedSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }
}

function copied(message: PiMessage, at: number): KnownMessage | undefined {
  try {
    const carried = messageCopy(carriedOf(message));
    // `ref` holds the index.
    const wire = carried && messageCopy(toWireMessages([carried as PiMessage], at)[0] as Message);
    return wire && { carried: carried as Fields, wire: wire as Message };
  } catch {
    return undefined;
  }
}

/** Returns a message without its opaque fields, which do not go on the wire. */
function carriedOf(message: PiMessage): Fields {
  const carried = without(message, opaqueOfMessage);
  const { content } = carried;
  return Array.isArray(content) ? { ...carried, content: content.map(carriedOfPart) } : carried;
}

function carriedOfPart(part: unknown): unknown {
  return isObject(part) ? without(part, opaqueOfPart) : part;
}

function without(value: Fields, opaque: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !opaque.has(name)));
}

function isSame(carried: Fields, message: unknown): boolean {
  try {
    if (!isObject(message)) return false;
    return hasFields(carried, message, opaqueOfMessage, (name, copy, value) =>
      name === "content" && Array.isArray(copy) ? areParts(copy, value) : isCopyOf(copy, value),
    );
  } catch {
    // A hostile object: it is translated again, and the translation reports what is unreadable.
    return false;
  }
}

function areParts(copies: readonly unknown[], value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== copies.length) return false;
  for (let i = 0; i < copies.length; i++) {
    const [copy, part] = [copies[i], value[i] as unknown];
    const same = isObject(copy) && isObject(part) ? hasFields(copy, part, opaqueOfPart, isField) : isCopyOf(copy, part);
    if (!same) return false;
  }
  return true;
}

const isField = (_name: string, copy: unknown, value: unknown): boolean => isCopyOf(copy, value);

/** True if the non-opaque fields of a value equal those of a copy, in the same order. Undefined fields count as absent. */
function hasFields(
  copy: Fields,
  value: Fields,
  opaque: ReadonlySet<string>,
  same: (name: string, copy: unknown, value: unknown) => boolean,
): boolean {
  const names = Object.keys(copy);
  let at = 0;
  for (const name of Object.keys(value)) {
    if (name === names[at]) {
      if (!same(name, copy[name], value[name])) return false;
      at += 1;
    } else if (!opaque.has(name) && value[name] !== undefined) return false;
  }
  return at === names.length;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
