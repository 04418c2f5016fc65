import { hasText } from "../facts/find-text.ts";
import { type Effects, effectKinds, type FactSet, type ShellCommand } from "../schema/facts.ts";
import type { EvaluationError, Value } from "../schema/ports.ts";
import type { Frame, Linked } from "./frame.ts";
import { countedElements } from "./index-costs.ts";
import type { Key } from "./index-keys.ts";
import type { Source } from "./index-sources.ts";
import type { Ir } from "./plan.ts";

/** Longest text that is searched for the index; rules that read a longer one are judged. */
export const searchedText = 65_536;
/** Units of literals compared per unit of text, beyond which each literal is searched for separately. */
const patience = 16;
/** Size of the table of text beginnings; a power of two. */
const tableSize = 4_096;

/** Notes the number of a key that was found. */
export type Found = (key: number) => void;

/** A source that is read while the elements of its lists are bound. */
export interface SourceLook {
  readonly source: Source;
  /** Its lists, outermost first, ready to be read. */
  readonly lists: readonly Linked[];
  /** Looks at the value, or at the elements themselves; false when it cannot be read. */
  look(frame: Frame, found: Found): boolean;
  /** Reports every key as found, as for a value that cannot be read. */
  all(found: Found): void;
}

/** Value that can be compared plainly. */
export type PlainValue = string | number | boolean;

/** True for a value that can be compared plainly; any other value counts as if every key was found. */
export function isPlain(value: Value | EvaluationError): value is PlainValue {
  return typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value);
}

/**
 * All keys of one source, ready to be looked up: values by a map, texts by a table of the first three characters, so that
 * one walk over a text serves every literal. What cannot be read plainly counts as every key found.
 */
export class SourceMatcher implements SourceLook {
  readonly source: Source;
  readonly #keys: number[] = [];
  readonly #some: number[] = [];
  readonly #equal = new Map<string | number | boolean, number>();
  readonly #texts = new Map<number, { readonly literal: string; readonly key: number }[]>();
  readonly #textKeys: number[] = [];
  /** Table of the first characters of all literals; made on demand, because few sources are searched for texts. */
  #table: Uint8Array | undefined;
  readonly lists: readonly Linked[];
  readonly #value: Linked | undefined;
  readonly #present: Linked | undefined;

  constructor(source: Source, link: (ir: Ir) => Linked) {
    this.source = source;
    this.lists = source.lists.map(({ list }) => link(list));
    this.#value = source.value && link(source.value);
    this.#present = source.present && link(source.present);
  }

  /** Adds a key with its number. */
  add(key: Key, number: number): void {
    this.#keys.push(number);
    if (key.test === "some") this.#some.push(number);
    else if (key.test === "equals") this.#equal.set(key.value, number);
    else {
      this.#textKeys.push(number);
      const { literal } = key;
      const begin = numberOf(literal.charCodeAt(0), literal.charCodeAt(1), literal.charCodeAt(2));
      this.#table ??= new Uint8Array(tableSize);
      this.#table[begin] = 1;
      const known = this.#texts.get(begin);
      if (known) known.push({ literal: key.literal, key: number });
      else this.#texts.set(begin, [{ literal: key.literal, key: number }]);
    }
  }

  all(found: Found): void {
    for (const key of this.#keys) found(key);
  }

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
    if (!isPlain(value)) return false;
    this.#report(this.#some, found);
    const equal = this.#equal.get(value);
    if (equal !== undefined) found(equal);
    // A value of another kind may be an error if a text or a truth value is required.
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
    const table = this.#table;
    if (!table) return;
    if (text.length > searchedText) {
      this.#report(this.#textKeys, found);
      return;
    }
    const last = text.length - 2;
    if (last <= 0) return;
    let left = patience * text.length;
    // Each character is read once, and goes on as the second and the first of the next places.
    let first = text.charCodeAt(0);
    let second = text.charCodeAt(1);
    for (let i = 0; i < last; i++) {
      const third = text.charCodeAt(i + 2);
      const begin = numberOf(first, second, third);
      if (table[begin] !== 0) left -= this.#compare(text, i, begin, found);
      if (left < 0) return this.#searchEach(text, found);
      first = second;
      second = third;
    }
  }

  /** Compares the literals of one beginning with the text at an offset; returns how many units they have. */
  #compare(text: string, at: number, begin: number, found: Found): number {
    let units = 0;
    for (const { literal, key } of this.#texts.get(begin) ?? []) {
      units += literal.length;
      if (text.startsWith(literal, at)) found(key);
    }
    return units;
  }

  /** Searches for each literal separately: used where literals share a beginning that the text repeats again and again. */
  #searchEach(text: string, found: Found): void {
    for (const literals of this.#texts.values())
      for (const { literal, key } of literals) if (hasText(text, literal)) found(key);
  }
}

/** Returns a hash of three characters; different ones may share it. */
function numberOf(first: number, second: number, third: number): number {
  return (first * 961 + second * 31 + third) & (tableSize - 1);
}

/**
 * True if a list or map of a call has more elements than the steps were computed for, or the call may have unlisted effects
 * (`FactSet.unseen`): then every rule on facts is judged.
 */
export function isCrowded({ shell, effects, unseen }: FactSet): boolean {
  if (unseen !== undefined) return true;
  return (shell !== undefined && isLongShell(shell.commands)) || (effects !== undefined && isLongEffects(effects));
}

/** True if a list or map of commands is too long; a test checks that commands have no others. */
function isLongShell(commands: readonly ShellCommand[]): boolean {
  if (commands.length > countedElements) return true;
  for (const { words, operands, options, env, wrappers, redirects } of commands) {
    if (words.length > countedElements || operands.length > countedElements || options.length > countedElements)
      return true;
    if (wrappers.length > countedElements || redirects.length > countedElements) return true;
    for (const { names } of options) if (names.length > countedElements) return true;
    let variables = 0;
    for (const _ in env) variables += 1;
    if (variables > countedElements) return true;
  }
  return false;
}

/** Effects hold no lists. */
function isLongEffects(effects: Effects): boolean {
  for (const kind of effectKinds) if (effects[kind].length > countedElements) return true;
  return false;
}
