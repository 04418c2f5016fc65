import { type Atom, literalAtom, unknownAtom, unknownNumber } from "../fields.ts";
import { usuallyAt } from "../public-places.ts";
import type { ParameterPart, Word } from "../syntax.ts";
import { originIn } from "../written.ts";
import type { Machine } from "./machine.ts";
import { itemAt, lengthOf, sliceOf, transformed } from "./operators.ts";
import type { Store } from "./store.ts";
import { type Candidate, commonOf, exactly, isList, isText, notSet, singleOf, type Value } from "./value.ts";

/** Folds the words of an operation to one text, or to a pattern, which is undefined if it is unknown. */
export interface Folds {
  atom(word: Word): Atom;
  pattern(word: Word): string | undefined;
}

// An unknown folder, as path resolution writes it.
const unknownPlace = "/?";

/** Variables in which shells keep a number, unless something sets them. */
const numbers: ReadonlySet<string> = new Set(
  "RANDOM SRANDOM SECONDS LINENO PPID BASHPID UID EUID EPOCHSECONDS SHLVL".split(" "),
);

/**
 * Returns the value of a parameter expansion: a text, a list for `$@` and arrays, or that it is not set. A value that the text
 * does not determine is unknown. `index` is the folded subscript. Source: bash manual, "Parameter Expansion".
 */
export function parameterValue(
  machine: Machine,
  part: ParameterPart,
  index: Atom | undefined,
  store: Store,
  folds: Folds,
): Candidate {
  // A shell ends that does not know the operator.
  if (isForeign(machine, part)) machine.around.refused = "unset";
  const base = baseOf(machine, part, index, store);
  if (part.prefix === "#") return lengthOf(base ?? notSet, part, store.mayBeSet || !base);
  if (part.prefix === "!") {
    if (/^:?=$/.test(part.operator)) store.forgetNames("");
    for (const word of part.words) folds.atom(word);
    if (store.variables.get(part.name)?.attributes.includes("n")) return nameOf(part.name, store);
    return part.operator === "" && part.index === undefined ? indirect(base, store) : unknownAtom;
  }
  const { operator, words } = part;
  const isAbsent = base === notSet || (!base && /[a-z]/.test(part.name));
  if (isAbsent && !/^:?[-=+?]$/.test(operator) && store.option("nounset") !== "off") machine.around.refused = "unset";
  // `?` ends the shell if the variable is not set; `:?` also if it is empty.
  const isEmpty = base && isText(base) && base.kind === "literal" && base.text === "";
  if (operator.endsWith("?") && (isAbsent || (operator === ":?" && isEmpty))) machine.around.refused = "unset";
  if (operator === "") return base ?? usual(machine, part.name, store);
  if (/^:?[-=+?]$/.test(operator)) {
    const [word] = words;
    return withDefault(part, base, word ? folds.atom(word) : literalAtom(""), store);
  }
  if (operator === ":") {
    const bounds = words.map((word) => folds.atom(word));
    return base ? sliceOf(base, bounds, part.name === "@" || part.name === "*") : unknownAtom;
  }
  const [pattern, replacement] = [words[0] && folds.pattern(words[0]), words[1] && folds.atom(words[1])];
  if (!base || base === notSet) return base ? literalAtom("") : unknownAtom;
  const operands = { pattern: words[0] ? pattern : "", replacement: words[1] ? replacement : literalAtom("") };
  const change = (one: Atom): Atom =>
    one.kind === "literal" ? (transformed(operator, one.text, operands, store) ?? unknownAtom) : unknownAtom;
  return isList(base) ? base.map(change) : change(base as Atom);
}

/** True for an expansion that plain POSIX shells refuse. */
function isForeign({ dialect }: Machine, { prefix, operator, index }: ParameterPart): boolean {
  if (!/^(?:sh|dash|ash|busybox)$/.test(dialect)) return false;
  return prefix === "!" || index !== undefined || !/^(?::?[-=+?]|##?|%%?|)$/.test(operator);
}

/** Returns the value before any operator; undefined if nothing sets it, or an environment may. */
function baseOf(machine: Machine, part: ParameterPart, index: Atom | undefined, store: Store): Candidate | undefined {
  const { name } = part;
  if (name === "@" || name === "*") return listOf(store.positional) ?? unknownAtom;
  if (/^[1-9]\d*$/.test(name)) return itemAt(listOf(store.positional), Number(name) - 1, store);
  if (name === "#") {
    const list = listOf(store.positional);
    return list ? lengthOf(list, { ...part, name: "@" }, false) : unknownNumber("$#", "0");
  }
  if (name === "?" && store.status === "ok") return literalAtom("0");
  if (name === "?" || name === "$" || name === "!") return unknownNumber(`$${name}`, "0");
  const value = store.get(name);
  if (!value) {
    if (numbers.has(name)) return unknownNumber(`$${name}`);
    return store.mayBeSet ? usual(machine, name, store) : undefined;
  }
  const one = single(value);
  if (!isList(one)) {
    if (!index || one === notSet) return one;
    return index.text === "0" || index.text === "@" || index.text === "*" ? one : unknownAtom;
  }
  // In zsh the name alone means all elements, and the first one is 1.
  const isZsh = machine.dialect === "zsh";
  if (!index) return isZsh ? one : itemAt(one, 0, store);
  if (index.text === "@" || index.text === "*") return one;
  const position = index.kind === "literal" && /^-?\d{1,6}$/.test(index.text) ? Number(index.text) : Number.NaN;
  if (Number.isNaN(position)) return unknownAtom;
  return itemAt(one, isZsh && position > 0 ? position - 1 : position, store);
}

/** Returns a value as one text; for several candidates, their common beginning and end. */
function single(value: Value): Candidate {
  const only = singleOf(value);
  if (only) return only;
  const origin = originIn(value.candidates.filter(isText));
  const known = value.open ? unknownAtom : (commonOf(value.candidates) ?? unknownAtom);
  return { ...known, ...origin };
}

function listOf(value: Value): readonly Atom[] | undefined {
  const only = singleOf(value);
  return only && isList(only) ? only : undefined;
}

/** Returns a variable that is not known to be set, with its usual place. */
function usual({ workspace }: Machine, name: string, store: Store): Atom {
  return usuallyAt(
    name,
    () => {
      const home = store.textOf("HOME");
      return home?.kind === "literal" ? home.text : undefined;
    },
    workspace,
  );
}

function indirect(base: Candidate | undefined, store: Store): Candidate {
  if (!base || !isText(base) || base.kind !== "literal" || !/^[A-Za-z_]\w*$/.test(base.text)) return unknownAtom;
  const value = store.get(base.text);
  return value ? single(value) : unknownAtom;
}

/** For a name reference, `${!x}` is the name of its target. */
function nameOf(name: string, store: Store): Candidate {
  const target = store.target(name);
  return target === undefined ? unknownAtom : literalAtom(target);
}

function withDefault(part: ParameterPart, base: Candidate | undefined, operand: Atom, store: Store): Candidate {
  const kind = part.operator.at(-1);
  const emptyCounts = part.operator.length === 2;
  const isSet = base !== undefined && base !== notSet;
  const text = base && isText(base) ? base : undefined;
  const known = isSet && text?.kind !== "unknown";
  const isNothing = base && isList(base) ? base.length === 0 : known && text?.text === "";
  const empty = !isSet || (isList(base) && base.length === 0) || (known && emptyCounts && isNothing);
  if (kind === "+") {
    if (isSet && !known) return { ...operand, kind: "unknown" };
    return empty ? literalAtom("") : operand;
  }
  // The shell ends rather than go on with an empty value: the value is unknown, but not empty.
  if (kind === "?") return known && !empty ? (base as Candidate) : { text: unknownPlace, kind: "unknown" };
  if (isSet && !known) return { text: operand.text, kind: "unknown" };
  if (!empty) return base as Candidate;
  if (kind === "=") store.set(part.name, exactly(operand));
  return operand;
}
