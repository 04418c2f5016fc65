import { spendText } from "../../meter.ts";
import { expandBraces } from "../braces.ts";
import { type Atom, type Field, literalField, unknownAtom, unknownField } from "../fields.ts";
import { parseShell } from "../parse.ts";
import type { Word } from "../syntax.ts";
import { Folding, foldAtom } from "./folding.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./store.ts";
import { substituted, textsOf } from "./substitution.ts";
import { exactly, type Value } from "./value.ts";

/** A word that needs no parser to be read. */
const plain = /^[\w./:@%+,-]+$/;

/** Folds a word into its fields: none, one or several. With `later` the script of a `>(…)` is left to the caller, who knows its input. */
export function foldWord(machine: Machine, word: Word, store: Store, later = false): Field[] {
  if (!word.braces || store.option("nobrace") === "on") return new Folding(machine, word, store, later).fields();
  const raws = expandBraces(word.raw);
  if (!raws) {
    machine.exceeded("a brace expansion gives more words than can be analysed");
    return [];
  }
  if (store.option("nobrace") === "either") return [unknownField(word, true)];
  return raws.flatMap((raw) => {
    spendText(raw.length);
    if (plain.test(raw)) return [literalField(raw, word)];
    // The leading word keeps `raw` from being read as a keyword or an assignment.
    const tree = parseShell(`: ${raw}`, word);
    const node = tree.kind === "sequence" ? tree.items[0] : undefined;
    if (node?.kind !== "simple") return [unknownField(word, true)];
    return node.words
      .slice(1)
      .flatMap((part) => (part.kind === "word" ? new Folding(machine, part, store, later).fields() : []));
  });
}

/** Folds an assigned word to a value: for a lone substitution, any of the texts that it may print. */
export function foldValue(machine: Machine, word: Word, store: Store): Value {
  const [only] = word.parts;
  if (only?.kind !== "command" || word.parts.length > 1) return exactly(foldAtom(machine, word, store));
  const texts = textsOf(substituted(machine, only.script, store));
  if (texts.length === 1) return exactly(new Folding(machine, word, store, false).given(texts[0] as Atom));
  return { candidates: texts.filter((one) => one !== unknownAtom), open: texts.includes(unknownAtom) };
}
