import { limits } from "../schema/limits.ts";

/** The copy of a payload, or why it was refused, as a message for the decision's error. */
export type Copied = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * A bounded copy of a payload as plain JSON data: mappings and lists of text, finite numbers, booleans and null, with
 * lone surrogates as U+FFFD. Read are own enumerable string keys, and the items of a list. `undefined` is what it is in
 * JSON: no key, and null in a list. Anything else is refused, never repaired in silence: cycles, accessors, functions,
 * symbols, big integers, and objects of any class (dates, maps, errors, buffers), whose content keys do not show. No
 * code of the payload is run but a proxy's, which can choose its answer but not change it later (threats 4.2, "event
 * intake"). The work list is explicit, so that depth cannot overflow the stack.
 */
export function plainCopy(value: unknown): Copied {
  try {
    return new Copier().copy(value);
  } catch (error) {
    // Only a hostile object (a proxy, an exotic host object) can throw here.
    return { ok: false, message: `payload cannot be read: ${error instanceof Error ? error.name : "error"}` };
  }
}

/**
 * The value of an own data property; undefined for what is no object, has no such property, has an accessor there, or
 * cannot be read. For the little that is still looked at of a payload that was refused.
 */
export function ownData(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Object.getOwnPropertyDescriptor(value, key)?.value;
  } catch {
    return undefined;
  }
}

interface Task {
  readonly from: object;
  readonly to: unknown[] | Record<string, unknown>;
  readonly depth: number;
}

class Copier {
  readonly #work: Task[] = [];
  #nodes = 0;
  #problem: string | undefined;

  copy(value: unknown): Copied {
    const root = this.#value(value, 0);
    for (let task = this.#work.pop(); task && this.#problem === undefined; task = this.#work.pop()) this.#fill(task);
    return this.#problem === undefined ? { ok: true, value: root } : { ok: false, message: this.#problem };
  }

  #value(value: unknown, depth: number): unknown {
    if (++this.#nodes > limits.payloadNodes) return this.#refuse(`payload has more than ${limits.payloadNodes} values`);
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
    if (isList && from.length > limits.payloadNodes)
      return this.#refuse(`payload has more than ${limits.payloadNodes} values`);
    const to: unknown[] | Record<string, unknown> = isList ? [] : {};
    this.#work.push({ from, to, depth: depth + 1 });
    return to;
  }

  #fill({ from, to, depth }: Task): void {
    if (Array.isArray(to)) {
      const { length } = from as unknown[];
      for (let i = 0; i < length && this.#problem === undefined; i++)
        to.push(this.#value(this.#read(from, String(i)), depth) ?? null);
      return;
    }
    for (const key of Object.keys(from)) {
      const value = this.#read(from, key);
      const copied = value === undefined ? undefined : this.#value(value, depth);
      if (this.#problem !== undefined) return;
      if (copied === undefined) continue;
      // A plain assignment of `__proto__` would set the prototype.
      Object.defineProperty(to, key.toWellFormed(), {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }

  #read(from: object, key: string): unknown {
    const property = Object.getOwnPropertyDescriptor(from, key);
    if (property && !("value" in property)) return this.#refuse(`payload holds the accessor \`${key.slice(0, 60)}\``);
    return property?.value;
  }

  #refuse(message: string): undefined {
    this.#problem ??= message;
    return undefined;
  }
}

/** True for an object literal or one without a prototype, of any realm; false for instances of classes. */
function isMapping(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** What an object of a class is called in a message; its constructor is not asked, for it may be the payload's own. */
function nameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const name = functionName(ownData(prototype, "constructor"));
  return typeof name === "string" && name !== "" ? `a \`${name.slice(0, 60)}\`` : "an object of a class";
}

function functionName(value: unknown): unknown {
  return typeof value === "function" ? Object.getOwnPropertyDescriptor(value, "name")?.value : undefined;
}
