import { limits } from "../schema/limits.ts";

/** The copy of a payload, or why it was refused, as a message for the decision's error. */
export type Copied = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/**
 * A bounded copy of a payload as plain JSON data: own enumerable data only, lone surrogates to U+FFFD, no cycles,
 * no accessors, no functions. Anything else is refused, never repaired in silence (threats 4.2, "event intake").
 * The work list is explicit, so that depth cannot overflow the stack.
 */
export function plainCopy(value: unknown): Copied {
  try {
    return new Copier().copy(value);
  } catch (error) {
    // Only a hostile object (a proxy, an exotic host object) can throw here.
    return { ok: false, message: `payload cannot be read: ${error instanceof Error ? error.name : "error"}` };
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
    const to: unknown[] | Record<string, unknown> = Array.isArray(from) ? [] : {};
    this.#work.push({ from, to, depth: depth + 1 });
    return to;
  }

  #fill(task: Task): void {
    const { from, to, depth } = task;
    if (Array.isArray(to)) {
      for (const item of from as unknown[]) {
        const copied = this.#value(item, depth);
        to.push(copied === undefined ? null : copied);
        if (this.#problem !== undefined) return;
      }
      return;
    }
    for (const key of Object.keys(from)) {
      const property = Object.getOwnPropertyDescriptor(from, key);
      if (!property || !("value" in property)) {
        this.#refuse(`payload holds the accessor \`${key.slice(0, 60)}\``);
        return;
      }
      if (property.value === undefined || typeof property.value === "function") continue;
      const copied = this.#value(property.value, depth);
      if (this.#problem !== undefined) return;
      // A plain assignment of `__proto__` would set the prototype.
      Object.defineProperty(to, key.toWellFormed(), {
        value: copied,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }

  #refuse(message: string): undefined {
    this.#problem ??= message;
    return undefined;
  }
}
