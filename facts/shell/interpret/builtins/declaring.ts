import { arithmeticOf } from "../../arithmetic.ts";
import { type Field, knownOf, literalAtom, unknownAtom, unknownField } from "../../fields.ts";
import { targetOf } from "../../targets.ts";
import type { Binding } from "../binding.ts";
import { ends, type Outcome } from "../outcome.ts";
import type { Store } from "../store.ts";
import {
  alternativesOf,
  anyValue,
  eitherOf,
  exactly,
  isText,
  noValue,
  opened,
  singleOf,
  type Value,
} from "../value.ts";
import { assignName, type Builtin, calculateText, type Invoked, operandsOf } from "./builtin.ts";

/** `export`. */
export const export_: Builtin["run"] = (invoked) => declared(invoked, new Set(["x"]), false);

/** `declare`, `typeset`, `local`, `readonly`. */
export const local_: Builtin["run"] = (invoked) => {
  const { args, draft, store, machine } = invoked;
  const letters = new Set<string>();
  const removed = new Set<string>();
  for (const { text } of args)
    if (/^[-+][A-Za-z]+$/.test(text))
      for (const letter of text.slice(1)) (text[0] === "-" ? letters : removed).add(letter);
  if (draft.program === "readonly") letters.add("r");
  const isLocal = draft.program !== "readonly" && !letters.has("g") && store.frames.length > 0;
  const isOutside = machine.around.calls.length === 0 && machine.dialect !== "zsh";
  if (draft.program === "local" && isOutside) return ends(store, "fail");
  // Printing, and declaring functions, sets no variables.
  if (["p", "f", "F"].some((letter) => letters.has(letter))) return ends(store);
  for (const letter of removed) letters.add(`+${letter}`);
  return declared(invoked, letters, isLocal);
};

function declared(invoked: Invoked, letters: ReadonlySet<string>, isLocal: boolean): Outcome {
  const { args, store, draft, assigned } = invoked;
  const isRemoving = draft.program === "export" && args.some((word) => /^-\w*n/.test(word.text));
  let isRefused = false;
  for (const word of operandsOf(args)) {
    const target = targetOf(word);
    if (!target?.whole || target.element) {
      if (target || word.kind === "unknown") assignName(invoked, { word }, anyValue);
      continue;
    }
    const { name } = target;
    const value = assigned.get(word) ?? valueIn(word, name, store);
    // A variable that is read-only outside a call is read-only inside it.
    if (isLocal && isFixed(store, name)) {
      isRefused = true;
      const before = store.variables.get(name);
      // One of another call is hidden in some shells.
      if (before && store.frames.some((frame) => frame.has(name)))
        store.bind(name, { ...before, value: opened(eitherOf([before.value, value ?? noValue])) });
      continue;
    }
    if (isLocal) makeLocal(store, name, draft.program === "local" && !value);
    if (value && !given(invoked, name, value, letters, isLocal)) isRefused = true;
    if (!value) attribute(store, name, letters, isLocal);
    if (letters.has("x")) store.exportName(name, !isRemoving);
    else if (letters.has("+x")) store.exportName(name, false);
  }
  const status = invoked.machine.around.substituted;
  if (isRefused) return ends(store, "fail");
  return ends(store, status === "either" || args.some((word) => word.kind === "unknown") ? "ok" : "ok");
}

function isFixed(store: Store, name: string): boolean {
  const { attributes = "", wavering } = store.variables.get(name) ?? {};
  return attributes.includes("r") && wavering !== true;
}

/** Keeps the variable's value outside the call, and gives the call a variable of its own. */
function makeLocal(store: Store, name: string, isBare: boolean): void {
  const frame = store.frames.at(-1);
  if (!frame) return;
  const before = store.variables.get(name);
  const isNew = !frame.has(name);
  if (isNew || frame.get(name)?.sure === false) {
    const kept = frame.get(name);
    const entry = isNew ? { before, sure: true } : { before: kept?.before, sure: false };
    store.frames = [...store.frames.slice(0, -1), new Map([...frame, [name, entry]])];
  }
  if (isNew && before?.attributes.includes("r") !== true) {
    const fresh: Binding = { value: noValue, exported: before?.exported === true, attributes: "", epoch: store.epoch };
    store.bind(name, isBare || before ? fresh : undefined);
  }
}

/** Returns the value after the `=` of a word that the parser does not read as an assignment. */
function valueIn(word: Field, name: string, store: Store): Value | undefined {
  const match = /^[A-Za-z_]\w*(\+?)=/.exec(word.text);
  if (!match) return undefined;
  const text = word.text.slice(match[0].length);
  if (match[1] === "+") return opened(store.get(name) ?? anyValue);
  if (word.kind !== "unknown") return exactly(literalAtom(text));
  const template = word.template?.slice(word.template.indexOf("=") + 1);
  const [first, ...rest] = knownOf(word, "…");
  const pieces = typeof first === "string" ? [first.slice(first.indexOf("=") + 1), ...rest] : rest;
  return exactly({ ...unknownAtom, text, ...(template === undefined ? {} : { template }), known: { pieces, text } });
}

/** Assigns the variable its value under the attributes that the same command sets; false if it is read-only. */
function given(invoked: Invoked, name: string, value: Value, letters: ReadonlySet<string>, isLocal: boolean): boolean {
  const { store } = invoked;
  const before = store.variables.get(name);
  if (before?.attributes.includes("r") && !isLocal) return store.set(name, value);
  if (letters.has("n")) {
    store.bind(name, { value, exported: false, attributes: "n", epoch: store.epoch });
    return true;
  }
  const attributes = attributesAfter(before?.attributes ?? "", letters);
  if (before || attributes !== "")
    store.bind(name, {
      value: anyValue,
      exported: false,
      epoch: store.epoch,
      ...before,
      attributes: attributes.replace("r", ""),
    });
  if (attributes.includes("i"))
    for (const each of alternativesOf(value))
      if (isText(each)) calculateText(invoked, { word: { ...unknownField(invoked.place, false), ...each } });
  const one = singleOf(value);
  const isNumber = attributes.includes("i") && one && isText(one) && one.kind === "literal";
  store.set(name, isNumber ? exactly(arithmeticOf(one.text, (other) => constantText(store, other))) : value);
  const after = store.variables.get(name);
  if (after && attributes.includes("r")) store.bind(name, { ...after, attributes });
  return true;
}

function constantText(store: Store, name: string): string | undefined {
  const one = store.textOf(name);
  return one?.kind === "literal" ? one.text : undefined;
}

/** Sets an attribute, which changes later assigned values, not the present one. */
function attribute(store: Store, name: string, letters: ReadonlySet<string>, isLocal: boolean): void {
  const before = store.variables.get(name);
  const attributes = attributesAfter(before?.attributes ?? "", letters);
  if (attributes === (before?.attributes ?? "")) return;
  const value = before?.value ?? (isLocal ? noValue : (store.get(name) ?? noValue));
  store.bind(name, { exported: false, epoch: store.epoch, ...before, value, attributes });
}

function attributesAfter(before: string, letters: ReadonlySet<string>): string {
  const after = new Set(before);
  for (const letter of "riulnA") {
    if (letters.has(letter)) after.add(letter);
    if (letters.has(`+${letter}`) && letter !== "r") after.delete(letter);
  }
  // Of the two cases the one that was given last holds.
  if (letters.has("u")) after.delete("l");
  else if (letters.has("l")) after.delete("u");
  return [...after].join("");
}

/** `unset`. */
export const forget: Builtin["run"] = (invoked) => {
  const { args, store } = invoked;
  const has = (letter: string): boolean =>
    args.some((word) => /^-[vfn]+$/.test(word.text) && word.text.includes(letter));
  let isRefused = false;
  for (const word of operandsOf(args)) {
    const target = targetOf(word);
    if (has("f") && !target?.whole) store.openFunctions();
    else if (!target?.whole || target.element) assignName(invoked, { word }, anyValue);
    else if (has("f")) store.functions = store.functions.without(target.name);
    else {
      const name = has("n") ? target.name : (store.target(target.name) ?? target.name);
      const before = store.variables.get(name);
      if (has("n") && before?.attributes.includes("n") !== true) continue;
      if (before?.attributes.includes("r")) isRefused = true;
      else if (!has("v") && !before && store.functions.has(name)) store.functions = store.functions.without(name);
      else forgetOne(store, name);
    }
  }
  return ends(store, isRefused ? "either" : "ok");
};

/** Removes a variable. Removing one of this call may uncover one of an outer call. */
function forgetOne(store: Store, name: string): void {
  const isOwn = store.frames.at(-1)?.has(name) === true;
  const isOuter = !isOwn && store.frames.slice(0, -1).some((frame) => frame.has(name));
  store.bind(name, { value: isOuter ? anyValue : noValue, exported: false, attributes: "", epoch: store.epoch });
}

/** `let`. */
export const calculate: Builtin["run"] = (invoked) => {
  for (const word of invoked.args) calculateText(invoked, { word });
  return ends(invoked.store);
};
