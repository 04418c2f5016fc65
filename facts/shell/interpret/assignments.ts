import { limits } from "../../../schema/limits.ts";
import { spend, spendText } from "../../meter.ts";
import { type Atom, type Field, knownOf, literalAtom, unknownAtom, unknownNumber } from "../fields.ts";
import { type Assignment, isWordList } from "../syntax.ts";
import { arithmeticText, subscript } from "./arithmetic-text.ts";
import { foldValue, foldWord } from "./expand.ts";
import { foldAtom } from "./folding.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./store.ts";
import {
  alternativesOf,
  anyValue,
  commonOf,
  constantOf,
  exactly,
  isList,
  isText,
  opened,
  singleOf,
  type Value,
} from "./value.ts";

/** Returns a value as one text; for several candidates, their common known parts. */
export function atomOf(value: Value): Atom {
  const one = singleOf(value);
  if (one) return isText(one) ? one : unknownAtom;
  return value.open ? unknownAtom : (commonOf(value.candidates) ?? unknownAtom);
}

/** Returns the value of a variable after an assignment. */
export function valueOf(machine: Machine, item: Assignment, store: Store): Value {
  if (item.index) {
    subscript(machine, item.index, store, foldAtom);
    if (!isWordList(item.value)) foldAtom(machine, item.value, store);
    return opened(store.get(item.name) ?? anyValue);
  }
  const before = item.append ? (store.get(item.name) ?? anyValue) : undefined;
  if (isWordList(item.value)) {
    // A subscript in a list is arithmetic, and gives the place of its element.
    const isPlaced = item.value.some((word) => /^\[/.test(word.raw));
    const list = item.value.flatMap((word) => foldWord(machine, word, store));
    for (const word of isPlaced ? item.value : []) subscript(machine, word, store, foldAtom);
    return isPlaced ? { candidates: [placed(list)], open: true } : appended(before, exactly(list), machine);
  }
  const value = foldValue(machine, item.value, store);
  const name = store.target(item.name);
  const isNumber = name !== undefined && store.variables.get(name)?.attributes.includes("i") === true;
  if (isNumber)
    for (const one of alternativesOf(value))
      if (isText(one)) arithmeticText(machine, one.template ?? one.text, item, store, foldAtom);
  if (before && isNumber) return added(before, value);
  return appended(before, value, machine);
}

/** Adds a number to another. */
function added(before: Value, value: Value): Value {
  const [a, b] = [constantOf(before), constantOf(value)];
  const isKnown = /^\d{1,9}$/.test(a ?? "") && /^\d{1,9}$/.test(b ?? "");
  return exactly(isKnown ? literalAtom(String(Number(a) + Number(b))) : unknownNumber("$((…))", "0"));
}

// Highest index at which elements with a subscript are placed.
const furthest = 64;

/** Puts elements at their subscripts; the places between them are unset. */
function placed(items: readonly Field[]): readonly Atom[] {
  const list: Atom[] = [];
  for (const item of items) {
    const [all, index = ""] = /^\[(\d{1,4})\]=/.exec(item.text) ?? [];
    const at = all === undefined || Number(index) >= furthest ? list.length : Number(index);
    while (list.length < at) list.push(literalAtom(""));
    const text = all === undefined ? item.text.replace(/^\[[^\]]*\]=/, "") : item.text.slice(all.length);
    list[at] = item.kind === "unknown" ? unknownAtom : { text, kind: item.kind };
  }
  return list;
}

function appended(before: Value | undefined, value: Value, machine: Machine): Value {
  const one = singleOf(value);
  if (one && isText(one) && one.text.length > limits.shellLength)
    machine.exceeded("a value is longer than can be analysed");
  if (!before) return value;
  const [left, right] = [singleOf(before), one];
  if (!left || !right) return { candidates: [], open: true };
  if (isList(right) || (isList(left) && left.length === 0)) {
    const all = [left, right].flatMap((each) => (isList(each) ? each : isText(each) ? [each] : []));
    spend(all.length);
    return all.length > limits.braceWords ? anyValue : exactly(all);
  }
  if (isList(left)) {
    // A text is added to the first element.
    const first = singleOf(appended(exactly(left[0] as Atom), value, machine));
    return first && isText(first) ? exactly([first, ...left.slice(1)]) : anyValue;
  }
  const [a, b] = [left, right].map((each) => (isText(each) ? each : { text: "", kind: "literal" as const }));
  if (!a || !b) return anyValue;
  spendText(a.text.length + b.text.length);
  if (a.kind === "literal" && b.kind === "literal") return exactly({ text: a.text + b.text, kind: "literal" });
  const text = a.text + b.text;
  const pieces = [a, b].flatMap((each) => (each.kind === "unknown" ? knownOf(each, "…") : [each.text]));
  return exactly({ text, kind: "unknown", known: { pieces, text } });
}

/** Returns an assignment as an argument of `export` and similar builtins: `NAME=value` as one field. */
export function fieldOf(item: Assignment, value: Value): Field {
  const atom = isWordList(item.value) ? unknownAtom : atomOf(value);
  const text = `${item.name}=${atom.text}`;
  const field: Field = { text, kind: atom.kind, glob: false, open: false, verbatim: -1, place: item };
  if (atom.kind !== "unknown") return field;
  return { ...field, known: { pieces: [`${item.name}=`, ...knownOf(atom, "…")], text } };
}
