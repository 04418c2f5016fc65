import type { FactSet } from "../schema/facts.ts";
import type { EvaluationError, Value } from "../schema/ports.ts";
import type { Frame, Linked } from "./frame.ts";
import { countedElements } from "./index-costs.ts";
import type { Key } from "./index-keys.ts";
import type { Source } from "./index-sources.ts";
import type { Ir } from "./plan.ts";

/** Longer texts are not searched for the index: whoever looks into them is judged. */
const searchedText = 65_536;
/** Size of the table of text beginnings; a power of two. */
const tableSize = 4_096;

/** Notes the number of a key that was found. */
export type Found = (key: number) => void;

/**
 * All keys of one source, ready to be looked up: values by a map, texts by a table of the first three characters, so that
 * one walk over a text serves every literal. What cannot be read plainly counts as every key found.
 */
export class SourceMatcher {
  readonly source: Source;
  readonly #keys: number[] = [];
  readonly #some: number[] = [];
  readonly #equal = new Map<string | number | boolean, number>();
  readonly #texts = new Map<number, { readonly literal: string; readonly key: number }[]>();
  readonly #textKeys: number[] = [];
  /** Which beginnings there are at all. */
  readonly #table = new Uint8Array(tableSize);
  /** Its lists, outermost first, ready to be read. */
  readonly lists: readonly Linked[];
  readonly #value: Linked | undefined;
  readonly #present: Linked | undefined;

  constructor(source: Source, link: (ir: Ir) => Linked) {
    this.source = source;
    this.lists = source.lists.map(({ list }) => link(list));
    this.#value = source.value && link(source.value);
    this.#present = source.present && link(source.present);
  }

  /** Takes a key in, by its number. */
  add(key: Key, number: number): void {
    this.#keys.push(number);
    if (key.test === "some") this.#some.push(number);
    else if (key.test === "equals") this.#equal.set(key.value, number);
    else {
      this.#textKeys.push(number);
      const begin = beginning(key.literal, 0);
      this.#table[begin] = 1;
      const known = this.#texts.get(begin);
      if (known) known.push({ literal: key.literal, key: number });
      else this.#texts.set(begin, [{ literal: key.literal, key: number }]);
    }
  }

  /** Says that every key was found, as of what cannot be read. */
  all(found: Found): void {
    for (const key of this.#keys) found(key);
  }

  /** Looks at the value, or at the elements themselves, with the elements of its lists bound; false when it cannot be read. */
  look(frame: Frame, found: Found): boolean {
    if (!this.#value) return this.#report(this.#some, found);
    if (this.#present) {
      const there = this.#present(frame);
      if (there !== true) return there === false;
    }
    return this.#test(this.#value(frame), found);
  }

  #report(keys: readonly number[], found: Found): boolean {
    for (const key of keys) found(key);
    return true;
  }

  #test(value: Value | EvaluationError, found: Found): boolean {
    if (typeof value !== "string" && typeof value !== "boolean" && !Number.isSafeInteger(value)) return false;
    this.#report(this.#some, found);
    const equal = this.#equal.get(value as string | number | boolean);
    if (equal !== undefined) found(equal);
    // Another kind may be an error where a text, or a yes or no, is asked for.
    if (typeof value === "string") this.#search(value, found);
    else this.#report(this.#textKeys, found);
    if (typeof value !== "boolean") {
      this.#reportEqual(true, found);
      this.#reportEqual(false, found);
    }
    return true;
  }

  #reportEqual(value: boolean, found: Found): void {
    const key = this.#equal.get(value);
    if (key !== undefined) found(key);
  }

  #search(text: string, found: Found): void {
    if (this.#textKeys.length === 0) return;
    if (text.length > searchedText) {
      this.#report(this.#textKeys, found);
      return;
    }
    for (let i = 0; i + 2 < text.length; i++) {
      const begin = beginning(text, i);
      if (this.#table[begin] === 0) continue;
      for (const { literal, key } of this.#texts.get(begin) ?? []) if (text.startsWith(literal, i)) found(key);
    }
  }
}

/** A number of the three characters at an offset; different ones may share it. */
function beginning(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & (tableSize - 1);
}

/** True if any list of a call has more elements than steps were counted for. */
export function isCrowded({ shell, effects }: FactSet): boolean {
  return (shell !== undefined && isLong(shell.commands, 0)) || (effects !== undefined && isLong(effects, 0));
}

/** A list or record that is too long, or holds one that is. Facts are shallow; deeper than they go counts as long. */
function isLong(value: object, depth: number): boolean {
  if (depth > 8) return true;
  if (Array.isArray(value)) {
    if (value.length > countedElements) return true;
    for (const part of value as readonly unknown[]) if (isHolder(part) && isLong(part, depth + 1)) return true;
    return false;
  }
  let parts = 0;
  for (const name in value) {
    parts += 1;
    if (parts > countedElements) return true;
    const part = (value as Record<string, unknown>)[name];
    if (isHolder(part) && isLong(part, depth + 1)) return true;
  }
  return false;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
