import { limits } from "../../schema/limits.ts";

/** A copy, or why there is none. */
export type Snapshot = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** Options of `snapshot`: whether to freeze the copy, and how to treat a part that is not plain data. */
export interface SnapshotOptions {
  readonly freeze?: boolean;
  /** `refuse`: no copy at all (for deciding payloads). `withhold`: a marker replaces the part (for shown payloads). */
  readonly unfit: "refuse" | "withhold";
}

class Unfit extends Error {}

/**
 * Makes a deep copy of plain data that shares nothing with its source, so that a holder of the source cannot change
 * what was judged. Each property is read once: a getter cannot give the judge and the tool different values.
 * Functions, symbols, maps, sets, buffers and cycles are unfit, as is everything beyond the payload bounds.
 */
export function snapshot(value: unknown, options: SnapshotOptions): Snapshot {
  try {
    return { ok: true, value: new Copier(options).copy(value, 0) };
  } catch (error) {
    return { ok: false, reason: error instanceof Unfit ? error.message : "a value cannot be read" };
  }
}

/** Makes the marker that replaces a part that could not be copied. */
export function withheldMarker(reason: string): string {
  return `[withheld: ${reason}]`;
}

class Copier {
  #nodes = 0;
  #ancestors = new Set<object>();
  readonly #options: SnapshotOptions;

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  copy(value: unknown, depth: number): unknown {
    this.#nodes += 1;
    if (this.#nodes > limits.payloadNodes) throw new Unfit("more values than a payload may have");
    if (typeof value === "function" || typeof value === "symbol") return this.#unfit(`a ${typeof value} is not data`);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= limits.payloadDepth) return this.#unfit("nested deeper than a payload may be");
    if (this.#ancestors.has(value)) return this.#unfit("a value contains itself");
    this.#ancestors.add(value);
    const copied = this.#object(value, depth + 1);
    this.#ancestors.delete(value);
    return this.#options.freeze && typeof copied === "object" ? Object.freeze(copied) : copied;
  }

  #object(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.#array(value, depth);
    if (value instanceof Date) return new Date(value.getTime());
    const kind = Object.prototype.toString.call(value);
    if (kind !== "[object Object]" && kind !== "[object Error]") return this.#unfit(`${kind} is not plain data`);
    const target: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const copied = this.#property(value, key, depth);
      Object.defineProperty(target, key, { value: copied, enumerable: true, configurable: true, writable: true });
    }
    return target;
  }

  #array(value: readonly unknown[], depth: number): unknown[] {
    if (value.length > limits.payloadNodes) throw new Unfit("more values than a payload may have");
    const target: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) target.push(this.#property(value, String(index), depth));
    return target;
  }

  #property(source: object, key: string, depth: number): unknown {
    let read: unknown;
    try {
      read = (source as Record<string, unknown>)[key];
    } catch {
      return this.#unfit(`\`${key.slice(0, 40)}\` cannot be read`);
    }
    return this.copy(read, depth);
  }

  #unfit(reason: string): unknown {
    if (this.#options.unfit === "refuse") throw new Unfit(reason);
    return withheldMarker(reason);
  }
}
