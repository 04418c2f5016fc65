import { limits } from "../../../schema/limits.ts";
import { indexOfText, replacedText } from "../../find-text.ts";
import { spend, spendText } from "../../meter.ts";
import { type Atom, type Field, literalAtom, unknownAtom, unknownNumber } from "../fields.ts";
import { globMatches } from "../globs.ts";
import type { ParameterPart } from "../syntax.ts";
import type { Store } from "./store.ts";
import { type Candidate, isList, type List, notSet } from "./value.ts";

/** Operands of an operator on text; undefined where they are not known. */
export interface Operands {
  readonly pattern: string | undefined;
  readonly replacement: Atom | undefined;
}

// Cutting by a glob tries every cut; longer values are left unknown.
const cutLength = 256;

/** True for a text whose characters every shell counts alike, in any locale. */
const plain = /^[\x00-\x7f]*$/;

type Transform = (text: string, operands: Operands, store: Store) => string | undefined;

const cased =
  (change: (text: string) => string): Transform =>
  (text, { pattern }) =>
    pattern === "" && plain.test(text) ? change(text) : undefined;

const cut =
  (isFront: boolean, isLongest: boolean): Transform =>
  (text, { pattern }, store) => {
    if (pattern === undefined || !isModelled(pattern, store) || text.length > cutLength || !plain.test(text))
      return undefined;
    spend(text.length);
    for (let i = 0; i <= text.length; i++) {
      const size = isLongest ? text.length - i : i;
      const piece = isFront ? text.slice(0, size) : text.slice(text.length - size);
      if (globMatches(pattern, piece)) return isFront ? text.slice(size) : text.slice(0, text.length - size);
    }
    return text;
  };

const replaced =
  (where: "first" | "all" | "front" | "back"): Transform =>
  (text, { pattern, replacement }) => {
    const to = replacement?.kind === "literal" ? replacement.text : undefined;
    // In newer shells `&` means the matched text, and an empty pattern matches at an end.
    if (pattern === undefined || to === undefined || /[*?[\]\\()]/.test(pattern) || /[&\\]/.test(to)) return undefined;
    if (pattern === "") return where === "front" || where === "back" ? undefined : text;
    spend(text.length >> 3);
    if (where === "all") return replacedText(text, pattern, to, limits.shellLength);
    if (where === "front") return text.startsWith(pattern) ? to + text.slice(pattern.length) : text;
    if (where === "back") return text.endsWith(pattern) ? text.slice(0, -pattern.length) + to : text;
    const at = indexOfText(text, pattern);
    return at < 0 ? text : text.slice(0, at) + to + text.slice(at + pattern.length);
  };

/** Operators on one text. An operator that is not here is not modelled, and neither is a case for which its row returns undefined. */
const transforms: ReadonlyMap<string, Transform> = new Map<string, Transform>([
  ["#", cut(true, false)],
  ["##", cut(true, true)],
  ["%", cut(false, false)],
  ["%%", cut(false, true)],
  ["/", replaced("first")],
  ["//", replaced("all")],
  ["/#", replaced("front")],
  ["/%", replaced("back")],
  ["^", cased((text) => text.slice(0, 1).toUpperCase() + text.slice(1))],
  ["^^", cased((text) => text.toUpperCase())],
  [",", cased((text) => text.slice(0, 1).toLowerCase() + text.slice(1))],
  [",,", cased((text) => text.toLowerCase())],
  [
    "@",
    (text, { pattern }) => {
      if (!plain.test(text)) return undefined;
      return pattern === "U" ? text.toUpperCase() : pattern === "L" ? text.toLowerCase() : undefined;
    },
  ],
]);

/** Applies an operator to a constant text; undefined where these operands and options are not modelled. */
export function transformed(operator: string, text: string, operands: Operands, store: Store): Atom | undefined {
  spendText(text.length);
  const isFolding = store.option("nocasematch") !== "off";
  if (isFolding && /^[#%/]/.test(operator)) return undefined;
  const result = transforms.get(operator)?.(text, operands, store);
  return result === undefined ? undefined : literalAtom(result);
}

/** True for a pattern that `globMatches` reads as the shell does: no extended glob, no class by name, no letter ranges. */
export function isModelled(pattern: string, store: Store): boolean {
  spendText(pattern.length);
  // A named class follows a `[`, inside its own brackets.
  if (/[?*+@!]\(|\[[:.=]|\[[!^]?\]/.test(pattern) || store.option("nocasematch") !== "off") return false;
  return !hasLetterRange(pattern) && plain.test(pattern);
}

/** True if a `[` is followed by a range of letters before the next `]`: its members depend on the locale. */
function hasLetterRange(pattern: string): boolean {
  for (const part of pattern.split("]")) {
    const open = part.indexOf("[");
    if (open >= 0 && /[a-zA-Z]-[a-zA-Z]/.test(part.slice(open + 1))) return true;
  }
  return false;
}

/** True for an element that may become several, or none: a glob, or an unknown word that is split. */
function isSeveral(atom: Atom): boolean {
  const { glob, open } = atom as Partial<Field>;
  return open === true || (glob === true && atom.kind === "pattern");
}

/** Returns the element at a position; behind an element that may be several, it is not known. */
export function itemAt(list: List | undefined, position: number, store: Store): Candidate {
  if (!list) return unknownAtom;
  const at = position < 0 ? list.length + position : position;
  const several = list.findIndex(isSeveral);
  spend(list.length >> 2);
  if (several >= 0 && (position < 0 || at > several)) return unknownAtom;
  const item = list[at];
  if (several === at && item && (item as Partial<Field>).open === true) return unknownAtom;
  if (several === at && store.option("nullglob") !== "off") return unknownAtom;
  return item ?? notSet;
}

/** `${#x}` and `${#x[@]}`. */
export function lengthOf(base: Candidate, part: ParameterPart, isOpen: boolean): Atom {
  const number = unknownNumber(`\${#${part.name}}`, "0");
  if (isOpen) return number;
  if (base === notSet) return literalAtom("0");
  if (isList(base)) {
    const isWhole = part.name === "@" || part.name === "*" || part.index?.raw === "@" || part.index?.raw === "*";
    return isWhole && !base.some(isSeveral) ? literalAtom(String(base.length)) : number;
  }
  const one = base as Atom;
  return one.kind === "literal" && plain.test(one.text) ? literalAtom(String(one.text.length)) : number;
}

/** `${x:1:2}`, also of a list; `$@` counts from 1, with the name of the shell before it. */
export function sliceOf(base: Candidate, bounds: readonly Atom[], isPositional: boolean): Candidate {
  if (base === notSet) return literalAtom("");
  if (!bounds.every((one) => one.kind === "literal" && /^ ?-?\d{1,9} ?$/.test(one.text))) return unknownAtom;
  const [from = 0, count] = bounds.map((one) => Number(one.text));
  if (isList(base)) {
    if (base.some(isSeveral) || from < (isPositional ? 1 : 0) || (count ?? 0) < 0) return unknownAtom;
    const start = isPositional ? from - 1 : from;
    return base.slice(start, count === undefined ? undefined : start + count);
  }
  const one = base as Atom;
  if (one.kind !== "literal" || !plain.test(one.text)) return unknownAtom;
  const start = from < 0 ? one.text.length + from : from;
  if (start < 0) return literalAtom("");
  if (count === undefined) return literalAtom(one.text.slice(start));
  return literalAtom(one.text.slice(start, count < 0 ? one.text.length + count : start + count));
}
