import { canonicalEvent, isToolEvent } from "../schema/events.ts";
import { limits } from "../schema/limits.ts";
import { keepConstant } from "./canonical.ts";
import {
  copiedMessage,
  isCopyOf,
  type KnownCopies,
  type KnownMessage,
  type KnownMessages,
  keepCopied,
} from "./known-messages.ts";
import { isMapping, ownData } from "./plain-data.ts";

/** The copy of a payload, or why it was refused, as a message for the decision's error. */
export type Copied = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * Makes a bounded copy of a payload as plain JSON data: mappings and lists of text, finite numbers, booleans and null, with lone
 * surrogates as U+FFFD. It reads own enumerable string keys, and the items of a list. `undefined` is treated as in JSON: no key,
 * and null in a list. Anything else is refused, never silently repaired: cycles, accessors, functions, symbols, big integers, and
 * objects of any class (dates, maps, errors, buffers), whose content keys do not show. No code of the payload runs except a
 * proxy's, which can choose its answer but not change it later (threats 4.2, "event intake"). The work list is explicit, so that
 * depth cannot overflow the stack. A message that is `known` is not copied again: its earlier, unchanging copy is reused. The
 * same holds for the event's surroundings.
 */
export function plainCopy(value: unknown, known?: KnownMessages): Copied {
  try {
    return new Copier(mostValues(value), known?.of(value), known?.surroundings).copy(value, known);
  } catch (error) {
    // Only a hostile object (a proxy, an exotic host object) can throw here.
    return { ok: false, message: `payload cannot be read: ${error instanceof Error ? error.name : "error"}` };
  }
}

/** Depth of a message in an event. */
const messageDepth = 2;

/**
 * Copies one message as `plainCopy` would copy it in an event, and freezes it. If an adapter sends this very copy with each
 * event, the engine need neither copy nor compare it. Undefined for a message that would be refused. Never throws.
 */
export function messageCopy(message: object): object | undefined {
  try {
    const made = new Copier(limits.payloadNodes, undefined, undefined).message(message);
    if (made) keepCopied(made);
    return made?.copy as object | undefined;
  } catch {
    return undefined;
  }
}

interface Task {
  readonly from: object;
  readonly to: unknown[] | Record<string, unknown>;
  readonly depth: number;
}

/** Most values of a payload: fewer of a tool's call or result, which is read in more ways than a conversation. */
function mostValues(payload: unknown): number {
  const given = ownData(payload, "event");
  const name = typeof given === "string" ? canonicalEvent(given) : undefined;
  return name !== undefined && isToolEvent(name) ? limits.toolNodes : limits.payloadNodes;
}

class Copier {
  readonly #work: Task[] = [];
  readonly #known: readonly KnownMessage[] | undefined;
  readonly #surroundings: KnownCopies | undefined;
  #messages: KnownMessage[] | undefined;
  readonly #most: number;
  #nodes = 0;
  #problem: string | undefined;

  constructor(most: number, known: readonly KnownMessage[] | undefined, surroundings: KnownCopies | undefined) {
    this.#most = most;
    this.#known = known;
    this.#surroundings = surroundings;
  }

  copy(value: unknown, known: KnownMessages | undefined): Copied {
    const root = this.#value(value, 0);
    this.#drain(0);
    if (this.#problem !== undefined) return { ok: false, message: this.#problem };
    if (this.#messages) known?.keep(value, this.#messages);
    return { ok: true, value: root };
  }

  message(value: object): KnownMessage | undefined {
    const made = this.#whole(value, messageDepth);
    if (this.#problem !== undefined) return undefined;
    constant(made);
    return made;
  }

  /** Does the work that was added last, down to so many tasks. */
  #drain(floor: number): void {
    while (this.#work.length > floor && this.#problem === undefined) this.#fill(this.#work.pop() as Task);
  }

  /** Copies the payload's list of messages, each separately. */
  #conversation(list: readonly unknown[], depth: number): unknown[] {
    const messages: KnownMessage[] = [];
    for (let i = 0; i < list.length && this.#problem === undefined; i++) {
      const message = this.#read(list, i);
      const copied = copiedMessage(message);
      const known = copied ?? this.#known?.[i];
      const same = known !== undefined && (copied !== undefined || isCopyOf(known.copy, message));
      const made = same ? known : this.#whole(message, depth);
      // Known messages were declared constant when they were made.
      if (same) this.#count(known.nodes);
      else constant(made);
      messages.push(made);
    }
    this.#messages = messages;
    return messages.map(({ copy }) => copy);
  }

  /** Copies a part of the payload separately; the copy is not changed afterwards. */
  #whole(part: unknown, depth: number): KnownMessage {
    const [before, floor] = [this.#nodes, this.#work.length];
    const copy = this.#value(part, depth) ?? null;
    this.#drain(floor);
    return { copy: frozen(copy), nodes: this.#nodes - before };
  }

  /** Copies the event's surroundings. They rarely differ from event to event, so a known copy is reused. */
  #environment(given: object, known: KnownCopies, depth: number): unknown {
    const same = known.find(given);
    if (same) {
      this.#count(same.nodes);
      return same.copy;
    }
    const made = this.#whole(given, depth);
    if (this.#problem === undefined) known.keep(made);
    return made.copy;
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > this.#most) this.#tooMany();
  }

  #value(value: unknown, depth: number): unknown {
    if (++this.#nodes > this.#most) return this.#tooMany();
    switch (typeof value) {
      case "string":
        return value.isWellFormed() ? value : value.toWellFormed();
      case "number":
        return Number.isFinite(value) ? value : this.#refuse("payload holds a number that is not finite");
      case "boolean":
      case "undefined":
        return value;
      case "object":
        return value === null ? null : this.#open(value, depth);
      default:
        return this.#refuse(`payload holds a ${typeof value}`);
    }
  }

  #open(from: object, depth: number): unknown {
    if (depth >= limits.payloadDepth)
      return this.#refuse(`payload is nested more than ${limits.payloadDepth} levels deep, or holds a cycle`);
    const isList = Array.isArray(from);
    if (!isList && !isMapping(from)) return this.#refuse(`payload holds ${nameOf(from)}, which is no plain data`);
    if (isList && from.length > this.#most) return this.#tooMany();
    const to: unknown[] | Record<string, unknown> = isList ? [] : (clone(from) ?? {});
    this.#work.push({ from, to, depth: depth + 1 });
    return to;
  }

  #fill({ from, to, depth }: Task): void {
    if (Array.isArray(to)) {
      const { length } = from as unknown[];
      for (let i = 0; i < length && this.#problem === undefined; i++)
        to.push(this.#value(this.#read(from, i), depth) ?? null);
      return;
    }
    const cloned = Object.keys(to);
    if (cloned.length > 0) {
      this.#finish(to, cloned, depth);
      return;
    }
    for (const key of Object.keys(from)) {
      const value = this.#read(from, key);
      const copied = value === undefined ? undefined : this.#field(key, value, depth);
      if (this.#problem !== undefined) return;
      if (copied === undefined) continue;
      define(to, key.isWellFormed() ? key : key.toWellFormed(), copied);
    }
  }

  /** Finishes the fields of a clone in place: a payload cannot change them any more. */
  #finish(to: Record<string, unknown>, keys: readonly string[], depth: number): void {
    for (const key of keys) {
      const value = to[key];
      const copied = this.#field(key, value, depth);
      if (this.#problem !== undefined) return;
      if (copied === undefined) delete to[key];
      else if (copied !== value) to[key] = copied;
    }
  }

  #field(key: string, value: unknown, depth: number): unknown {
    if (depth !== 1 || typeof value !== "object" || value === null) return this.#value(value, depth);
    if (key === "environment" && this.#surroundings) return this.#environment(value, this.#surroundings, depth);
    const isConversation = this.#known !== undefined && key === "messages" && Array.isArray(value);
    if (!isConversation || value.length > this.#most) return this.#value(value, depth);
    this.#count(1);
    return this.#conversation(value, depth + 1);
  }

  #read(from: object, key: string | number): unknown {
    const property = Object.getOwnPropertyDescriptor(from, key);
    if (property && !("value" in property))
      return this.#refuse(`payload holds the accessor \`${String(key).slice(0, 60)}\``);
    return property?.value;
  }

  #tooMany(): undefined {
    return this.#refuse(`payload has more than ${this.#most} values`);
  }

  #refuse(message: string): undefined {
    this.#problem ??= message;
    return undefined;
  }
}

/** Least number of fields of a mapping that the platform clones: it keeps the layout and is faster than field by field. */
const leastCloned = 4;
const mostCloned = 64;

/** Returns the platform's copy of a mapping; undefined where copying would run an accessor, or copy more than plain fields. */
function clone(from: object): Record<string, unknown> | undefined {
  const keys = Object.keys(from);
  if (keys.length < leastCloned || keys.length > mostCloned) return undefined;
  for (const key of keys) {
    const property = Object.getOwnPropertyDescriptor(from, key);
    if (!property || !("value" in property) || property.value === undefined || !key.isWellFormed()) return undefined;
  }
  const made: Record<string, unknown> = { ...(from as Record<string, unknown>) };
  // There are symbols too, or a proxy has answered otherwise.
  const given = Reflect.ownKeys(made);
  return given.length === keys.length && keys.every((key, i) => key === given[i]) ? made : undefined;
}

/** Sets a field. An inherited name is defined, not assigned: assigning `__proto__` would set the prototype. */
function define(to: Record<string, unknown>, key: string, value: unknown): void {
  if (key in to) Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true });
  else to[key] = value;
}

/** Declares a frozen copy constant, so that its JSON is written only once. */
function constant({ copy }: KnownMessage): void {
  if (typeof copy === "object" && copy !== null) keepConstant(copy);
}

/** Freezes a copy, because parts of it leave with decisions. */
function frozen(copy: unknown): unknown {
  if (typeof copy !== "object" || copy === null) return copy;
  for (const value of Object.values(copy)) frozen(value);
  return Object.freeze(copy);
}

/** Names an object of a class for a message, without running its constructor, which may be the payload's own. */
function nameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const name = functionName(ownData(prototype, "constructor"));
  return typeof name === "string" && name !== "" ? `a \`${name.slice(0, 60)}\`` : "an object of a class";
}

function functionName(value: unknown): unknown {
  return typeof value === "function" ? Object.getOwnPropertyDescriptor(value, "name")?.value : undefined;
}
