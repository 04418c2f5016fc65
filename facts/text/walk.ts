import { limits } from "../../schema/limits.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { isMediaAddress, isMediaData, isUnreadable } from "./media.ts";
import { Names } from "./splice.ts";

/** How a payload is walked. */
export interface WalkOptions {
  /** Dotted name of the value in the payload, e.g. `details`; the start of every `where`. */
  readonly root?: string;
  /** Maps keys of objects too, like any text or with a separate function; their `where` is that of the object. */
  readonly keys?: boolean | MapText;
  /** Maps numbers of at least `leastNumber` digits as they are written; one that does not stay becomes a text. */
  readonly numbers?: MapText;
  /** Returns a replacement for an object, which is then walked; or the same object. */
  readonly part?: (value: Readonly<Record<string, unknown>>, where: string) => Readonly<Record<string, unknown>>;
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
 * Image and audio data is never touched. Keys that read alike once they are mapped get `~2`, `~3`, … so that no value is
 * lost. `where` is dotted (`content[0].text`); a key that is no plain name shows as `*`, since it may itself be secret.
 * Over a bound the answer is an error value (HW504), never a partly mapped value.
 */
export function mapTexts(value: unknown, map: MapText, options: WalkOptions = {}): Mapped | EvaluationError {
  const mapped = new Walker(map, options).walk(value);
  return mapped === over
    ? new EvaluationError("HW504", "payload is nested too deep or too large to look at its text")
    : { value: mapped, changed: mapped !== value };
}

/** Digits from which a number may be a secret: the shortest known value. */
const leastNumber = 8;

/** Says that a bound was passed. */
const over: unique symbol = Symbol("over");
/** Says that a value holds others, which are mapped first. */
const opened: unique symbol = Symbol("opened");

/** Units of work for one value: its place and its result are written down. */
const nodeUnits = 8;

/** Walks with a stack of its own: the payload decides how deep it is, so it never decides how deep calls are. */
class Walker {
  readonly #map: MapText;
  readonly #options: WalkOptions;
  readonly #open: (OpenArray | OpenObject)[] = [];
  #nodes: number;

  constructor(map: MapText, options: WalkOptions) {
    this.#map = map;
    this.#options = options;
    this.#nodes = options.maxNodes ?? limits.payloadNodes;
  }

  walk(value: unknown): unknown {
    let mapped = this.#enter(value, this.#options.root ?? "", undefined);
    while (mapped !== over) {
      const top = this.#open.at(-1);
      if (top === undefined) break;
      if (mapped !== opened) top.take(mapped);
      const next = top.next();
      if (next === undefined) {
        mapped = top.done();
        this.#open.pop();
      } else mapped = this.#enter(next.value, next.where, next.key);
    }
    return mapped;
  }

  #enter(value: unknown, where: string, key: string | undefined): unknown {
    this.#nodes -= 1;
    spend(nodeUnits);
    if (this.#nodes < 0 || this.#open.length > (this.#options.maxDepth ?? limits.payloadDepth)) return over;
    if (typeof value === "string") return this.#map(value, where, key);
    if (typeof value === "number") return this.#number(value, where, key);
    if (typeof value !== "object" || value === null) return value;
    this.#open.push(
      Array.isArray(value)
        ? new OpenArray(value, where, key)
        : new OpenObject(this.#part(value as Record<string, unknown>, where), where, this.#keys()),
    );
    return opened;
  }

  #number(value: number, where: string, key: string | undefined): unknown {
    const { numbers } = this.#options;
    if (!numbers || Math.abs(value) < 10 ** (leastNumber - 1)) return value;
    const text = String(value);
    const mapped = numbers(text, where, key);
    return mapped === text ? value : mapped;
  }

  #part(value: Readonly<Record<string, unknown>>, where: string): Readonly<Record<string, unknown>> {
    return this.#options.part?.(value, where) ?? value;
  }

  #keys(): MapText | undefined {
    const { keys } = this.#options;
    return keys === true ? this.#map : keys === false ? undefined : keys;
  }
}

/** A value to map next, and its place. */
interface Next {
  readonly value: unknown;
  readonly where: string;
  readonly key: string | undefined;
}

/** A list whose items are being mapped. */
class OpenArray {
  readonly #list: readonly unknown[];
  readonly #where: string;
  readonly #key: string | undefined;
  #at = 0;
  #copy: unknown[] | undefined;

  constructor(list: readonly unknown[], where: string, key: string | undefined) {
    this.#list = list;
    this.#where = where;
    this.#key = key;
  }

  next(): Next | undefined {
    if (this.#at >= this.#list.length) return undefined;
    const at = this.#at++;
    return { value: this.#list[at], where: `${this.#where}[${at}]`, key: this.#key };
  }

  take(mapped: unknown): void {
    const at = this.#at - 1;
    if (mapped === this.#list[at]) return;
    this.#copy ??= [...this.#list];
    this.#copy[at] = mapped;
  }

  done(): readonly unknown[] {
    return this.#copy ?? this.#list;
  }
}

/** An object whose fields are being mapped. */
class OpenObject {
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #where: string;
  readonly #keyMap: MapText | undefined;
  readonly #keys: readonly string[];
  readonly #media: boolean;
  readonly #values = new Map<string, unknown>();
  readonly #names = new Map<string, string>();
  #at = 0;

  constructor(value: Readonly<Record<string, unknown>>, where: string, keyMap: MapText | undefined) {
    this.#value = value;
    this.#where = where;
    this.#keyMap = keyMap;
    this.#keys = Object.keys(value);
    spend(this.#keys.length * nodeUnits);
    this.#media = isUnreadable(value);
  }

  next(): Next | undefined {
    for (; this.#at < this.#keys.length; this.#at++) {
      const key = this.#keys[this.#at] as string;
      const value = this.#value[key];
      if (isPassed(this.#media, key, value)) continue;
      this.#at += 1;
      return { value, where: placeOfField(this.#where, key), key };
    }
    return undefined;
  }

  take(mapped: unknown): void {
    const key = this.#keys[this.#at - 1] as string;
    if (mapped !== this.#value[key]) this.#values.set(key, mapped);
    const name = this.#keyMap?.(key, this.#where, undefined) ?? key;
    if (name !== key) this.#names.set(key, name);
  }

  done(): Readonly<Record<string, unknown>> {
    if (this.#values.size === 0 && this.#names.size === 0) return this.#value;
    const names = new Names(this.#keys.filter((key) => !this.#names.has(key)));
    // `fromEntries` defines own properties, so a key `__proto__` stays one.
    return Object.fromEntries(
      this.#keys.map((key) => {
        const name = this.#names.get(key);
        const value = this.#values.has(key) ? this.#values.get(key) : this.#value[key];
        return [name === undefined ? key : names.give(name), value];
      }),
    );
  }
}

/** True for data that is no text and is skipped. */
function isPassed(media: boolean, key: string, value: unknown): boolean {
  return media ? isMediaData(key, value) : (key === "url" || key === "image_url") && isMediaAddress(value);
}

/** Dotted place of a field. */
export function placeOfField(where: string, key: string): string {
  const name = /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : "*";
  return where === "" ? name : `${where}.${name}`;
}
