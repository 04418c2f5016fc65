import { spend, spendText } from "../../meter.ts";
import { arithmeticOf, assignedIn } from "../arithmetic.ts";
import { type Atom, unknownAtom, unknownNumber, unknownVariable } from "../fields.ts";
import { parseShell } from "../parse.ts";
import type { Place, Word } from "../syntax.ts";
import type { Machine } from "./machine.ts";
import { unreached } from "./machine.ts";
import type { Store } from "./store.ts";
import { alternativesOf, exactly, isList, isText, singleOf } from "./value.ts";

/** Folds a word to one atom. */
export type FoldAtom = (machine: Machine, word: Word, store: Store) => Atom;

// Longest part of an expression that is searched.
const longest = 4_096;

/** Evaluates an arithmetic expression. It runs the code in its values; a variable that it assigns is an unknown number. */
export function arithmetic(machine: Machine, raw: string, place: Place, store: Store, fold: FoldAtom): Atom {
  runValues(machine, raw, place, store, fold);
  let isNumber = true;
  const result = arithmeticOf(
    written(raw, store),
    (name) => {
      const value = store.textOf(name);
      isNumber &&= value?.kind !== "literal" || isNumeric(value.text, store);
      return value?.kind === "literal" ? value.text : undefined;
    },
    !/^(?:zsh|mksh)$/.test(machine.dialect),
  );
  for (const name of assignedIn(raw)) store.set(name, exactly(unknownNumber(`$${name}`)));
  // A name is looked up before it is assigned; later uses see the assigned value.
  if (assignedIn(raw).length > 0) return unknownNumber("$((…))", "0");
  // An invalid expression has no value, and its command may not run.
  if (isNumber || result.kind === "literal") return result;
  machine.around.refused ??= "word";
  return unknownAtom;
}

/** True for a text that is a number, or the name of a variable that holds one. */
function isNumeric(text: string, store: Store, depth = 0): boolean {
  if (/^\s*(?:[-+]?(?:0[xX][0-9a-fA-F]+|\d+(?:#\w+)?)\s*)?$/.test(text)) return true;
  const value = depth < 4 && /^[A-Za-z_]\w*$/.test(text) ? store.textOf(text) : undefined;
  return value?.kind === "literal" && isNumeric(value.text, store, depth + 1);
}

/** Folds a subscript, which is arithmetic: its substitutions run whether or not the variable has a known value. */
export function subscript(machine: Machine, index: Word, store: Store, fold: FoldAtom): Atom {
  const atom = fold(machine, index, store);
  if (index.raw === "@" || index.raw === "*") return atom;
  runValues(machine, index.raw, index, store, fold);
  for (const name of assignedIn(index.raw)) store.set(name, exactly(unknownNumber(`$${name}`)));
  return atom;
}

/** Runs the substitutions of a word that the shell reads as an expression, and those in values that it names. */
export function arithmeticText(machine: Machine, text: string, place: Place, store: Store, fold: FoldAtom): void {
  spendText(text.length);
  if (substitutes.test(text)) expandedAgain(machine, text, place, store, fold);
  arithmetic(machine, text, place, store, fold);
}

/** Expands a text that names a variable; its subscript is arithmetic. */
export function nameText(machine: Machine, text: string, place: Place, store: Store, fold: FoldAtom): void {
  const at = text.indexOf("[");
  if (at >= 0) arithmeticText(machine, text.slice(at + 1), place, store, fold);
}

/** Returns the expression with its substitutions replaced by text, where these are numbers. */
function written(raw: string, store: Store): string {
  if (!raw.includes("$")) return raw;
  const list = singleOf(store.positional);
  return raw.replace(/\$(?:(#|\d|[A-Za-z_]\w*)|\{(#|\d|[A-Za-z_]\w*)\})/g, (all, plain?: string, braced?: string) => {
    const name = plain ?? braced ?? "";
    const items = list && isList(list) ? list : undefined;
    const isCounted = items?.every((item) => !("open" in item && item.open) && item.kind !== "pattern");
    if (name === "#") return isCounted ? String(items?.length) : all;
    const value = /^[1-9]/.test(name) ? (isCounted ? items?.[Number(name) - 1] : undefined) : store.textOf(name);
    return value?.kind === "literal" && /^\d+$/.test(value.text) ? value.text : all;
  });
}

const substitutes = /\$\(|`/;

/** Runs the substitutions in values that an expression names, because the shell expands these again. */
function runValues(machine: Machine, raw: string, place: Place, store: Store, fold: FoldAtom): void {
  spend(1 + (Math.min(raw.length, longest) >> 3));
  for (const name of new Set(raw.slice(0, longest).match(/[A-Za-z_]\w*|(?<=\$\{?)\d/g) ?? [])) {
    const value = /^\d/.test(name) ? store.positional : store.get(name);
    for (const one of value ? alternativesOf(value) : [])
      for (const atom of isText(one) ? [one] : Array.isArray(one) ? (one as readonly Atom[]) : []) {
        const text = atom.template ?? atom.text;
        spendText(text.length);
        if (substitutes.test(text)) expandedAgain(machine, text, place, store, fold);
      }
  }
}

/** Expands a text again, as for `${x@P}` and an arithmetic value: its substitutions run. If the text is unknown, so are its commands. */
export function expandedAgain(machine: Machine, text: string, place: Place, store: Store, fold: FoldAtom): Atom {
  spendText(text.length);
  const known = !text.includes(unknownVariable) && text !== "";
  const decoded = text.replace(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8) & 127),
  );
  const tree = parseShell(known ? `: "${decoded.replace(/"/g, '\\"')}"` : `eval "\${${unknownVariable}}"`, place);
  if (tree.kind === "problem") {
    machine.exceeded("a value that is expanded once more could not be parsed");
    return unknownAtom;
  }
  const node = tree.items[0];
  const word = node?.kind === "simple" ? node.words[1] : undefined;
  if (known && word?.kind === "word") return fold(machine, word, store);
  unreached(machine, tree, store);
  return unknownAtom;
}
