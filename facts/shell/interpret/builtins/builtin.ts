import type { Draft } from "../../draft.ts";
import { type Field, unknownVariable } from "../../fields.ts";
import { parseShell } from "../../parse.ts";
import type { Place } from "../../syntax.ts";
import { targetOf } from "../../targets.ts";
import { arithmeticText, nameText } from "../arithmetic-text.ts";
import { foldAtom } from "../folding.ts";
import { type Machine, unreached, within } from "../machine.ts";
import type { Outcome } from "../outcome.ts";
import type { Store } from "../store.ts";
import type { Value } from "../value.ts";

/** A builtin that is run, with its words and the shell. */
export interface Invoked {
  readonly machine: Machine;
  readonly draft: Draft;
  readonly args: readonly Field[];
  /** Carries out the assignments among the words. */
  readonly assigned: ReadonlyMap<Field, Value>;
  readonly store: Store;
  readonly place: Place;
}

/** A row of the table: the options that it knows, and what the builtin changes. */
export interface Builtin {
  readonly options?: RegExp;
  readonly run: (invoked: Invoked) => Outcome;
}

/** A word that the shell reads as a name, with a subscript perhaps. */
export interface NameText {
  readonly word: Field;
}

/** A word that the shell reads as an expression. */
export interface ArithText {
  readonly word: Field;
}

/** Assigns a value to the variable that a word names; if the name is partly known, to any that it may be. False if it is read-only. */
export function assignName(invoked: Invoked, { word }: NameText, value: Value): boolean {
  const { store } = invoked;
  lookUpName(invoked, { word });
  const target = targetOf(word);
  if (!target) {
    if (word.kind === "unknown") store.forgetNames("");
    return true;
  }
  if (!target.whole) store.forgetNames(target.name);
  else if (target.element) store.set(target.name, { candidates: store.get(target.name)?.candidates ?? [], open: true });
  else return store.set(target.name, value);
  return true;
}

/** Builtins that refuse a name with a subscript, or look at it only where there is such an array. */
const wary: ReadonlySet<string> = new Set(["export", "readonly", "unset"]);

/** Runs the substitutions of the subscript in a name. */
export function lookUpName({ machine, store, place, draft }: Invoked, { word }: NameText): void {
  const changes = wary.has(draft.program) ? { grade: "maybe" as const } : {};
  within(machine, changes, () => nameText(machine, word.text, place, store, foldAtom));
}

/** Runs the substitutions of an expression, and forgets the variables that it assigns. */
export function calculateText({ machine, store, place }: Invoked, { word }: ArithText): void {
  arithmeticText(machine, word.text, place, store, foldAtom);
}

/** A word that the shell runs as a text of commands. */
export interface CodeText {
  readonly word: Field;
}

/** Runs a text that a builtin is given to run, followed by unknown words. */
export function runCode({ machine, store, place }: Invoked, { word }: CodeText): void {
  const text = `${word.template ?? word.text} "\${${unknownVariable}}"`;
  const tree = parseShell(text, place);
  if (tree.kind === "problem") machine.exceeded(tree.reason, tree.at);
  else unreached(machine, tree, store);
}

/** The words behind the options. */
export function operandsOf(words: readonly Field[]): readonly Field[] {
  for (const [i, word] of words.entries()) {
    if (word.text === "--") return words.slice(i + 1);
    if (word.text === "-" || !/^[-+]/.test(word.text) || word.kind === "unknown") return words.slice(i);
  }
  return [];
}
