import { limits } from "../../schema/limits.ts";
import { EvaluationError } from "../../schema/ports.ts";

/** How a payload is walked. */
export interface WalkOptions {
  /** Dotted name of the value in the payload, e.g. `details`; the start of every `where`. */
  readonly root?: string;
  /** Map keys of objects too, as any text or by a function of their own; their `where` is that of the object. */
  readonly keys?: boolean | MapText;
  /** Names of fields that are part of a structure and never text, e.g. `role`. */
  readonly skip?: ReadonlySet<string>;
  readonly maxDepth?: number;
  readonly maxNodes?: number;
}

/** A mapped value; the very same reference when no text changed. */
export interface Mapped {
  readonly value: unknown;
  readonly changed: boolean;
}

/** Maps one text. `key` is the name of the field that holds it, if any. */
export type MapText = (text: string, where: string, key: string | undefined) => string;

/**
 * Maps every string of plain JSON data, however deep, keeping everything else and every reference that did not change.
 * Image and audio data is never touched. `where` is dotted (`content[0].text`); a key that is no plain name shows as
 * `*`, since it may itself be secret. Over a bound the answer is an error value (HW504), never a partly mapped value.
 */
export function mapTexts(value: unknown, map: MapText, options: WalkOptions = {}): Mapped | EvaluationError {
  const walker = new Walker(map, options);
  const mapped = walker.walk(value, options.root ?? "", undefined, 0);
  return walker.over
    ? new EvaluationError("HW504", "payload is nested too deep or too large to look at its text")
    : { value: mapped, changed: mapped !== value };
}

class Walker {
  over = false;
  readonly #map: MapText;
  readonly #options: WalkOptions;
  readonly #maxDepth: number;
  #nodes: number;

  constructor(map: MapText, options: WalkOptions) {
    this.#map = map;
    this.#options = options;
    this.#maxDepth = options.maxDepth ?? limits.payloadDepth;
    this.#nodes = options.maxNodes ?? limits.payloadNodes;
  }

  /** Recursion is at most `maxDepth` deep. */
  walk(value: unknown, where: string, key: string | undefined, depth: number): unknown {
    this.#nodes -= 1;
    if (this.#nodes < 0 || depth > this.#maxDepth) this.over = true;
    if (this.over) return value;
    if (typeof value === "string") return this.#map(value, where, key);
    if (Array.isArray(value)) return this.#array(value, where, key, depth);
    return typeof value === "object" && value !== null
      ? this.#object(value as Record<string, unknown>, where, depth)
      : value;
  }

  #array(value: readonly unknown[], where: string, key: string | undefined, depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const mapped = this.walk(value[i], `${where}[${i}]`, key, depth + 1);
      if (mapped === value[i]) continue;
      copy ??= [...value];
      copy[i] = mapped;
    }
    return copy ?? value;
  }

  #object(value: Record<string, unknown>, where: string, depth: number): Record<string, unknown> {
    const media = isMedia(value);
    let changed = false;
    const entries = Object.entries(value).map(([key, old]): [string, unknown] => {
      const binary =
        media && (key === "data" || key === "blob") && typeof old === "string" && /^[A-Za-z0-9+/=\s]*$/.test(old);
      if (binary || this.#options.skip?.has(key)) return [key, old];
      const next = this.walk(old, place(where, key), key, depth + 1);
      const name = this.#key(key, where);
      if (next !== old || name !== key) changed = true;
      return [name, next];
    });
    // `fromEntries` defines own properties, so a key `__proto__` stays one.
    return changed ? Object.fromEntries(entries) : value;
  }

  #key(key: string, where: string): string {
    const { keys } = this.#options;
    if (!keys) return key;
    return (keys === true ? this.#map : keys)(key, where, undefined);
  }
}

/** Dotted place of a field. */
function place(where: string, key: string): string {
  const name = /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : "*";
  return where === "" ? name : `${where}.${name}`;
}

/** An image, audio or base64 part as hosts and MCP servers shape them. */
function isMedia(value: Record<string, unknown>): boolean {
  const type = Object.hasOwn(value, "type") ? value.type : undefined;
  return (
    type === "image" ||
    type === "audio" ||
    type === "base64" ||
    (type === undefined && (typeof own(value, "mimeType") === "string" || typeof own(value, "media_type") === "string"))
  );
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
