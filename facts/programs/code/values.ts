import { spend } from "../../meter.ts";
import { type Field, literalField, unknownField, unknownVariable } from "../../shell/fields.ts";
import type { Place } from "../../shell/syntax.ts";
import { hole } from "./tokens.ts";

/** Known value of an expression. A text holds `hole` in place of each unknown part. */
export type Value =
  | { readonly kind: "unknown" }
  | {
      readonly kind: "text";
      readonly text: string;
      /** A leading `~` is the home folder. */
      readonly home?: boolean;
      /** Set where the text is a glob and means every path that it matches. */
      readonly glob?: boolean;
    }
  | { readonly kind: "number"; readonly text: string }
  | {
      readonly kind: "list";
      readonly items: readonly Value[];
      readonly named: ReadonlyMap<string, Value>;
      /** True for a value that is each of the items in turn. */
      readonly each?: boolean;
      /** True for a list behind a spread: its items are arguments. */
      readonly spread?: boolean;
    }
  /** A name that is not a variable: a module or a member of one. `on` is the receiver of a method. */
  | { readonly kind: "name"; readonly name: string; readonly on?: Value };

/** Nothing is known. */
export const unknown: Value = { kind: "unknown" };

const noNames: ReadonlyMap<string, Value> = new Map();
// Values that one value may be in turn, and items of lists put together.
const alternatives = 32;
const listLength = 1_024;
/** Most UTF-16 units of a joined text; a longer one counts as unknown. */
export const foldedLength = 65_536;

/** A constant text. */
export function textValue(text: string): Value {
  return { kind: "text", text };
}

/** A list of values, with those that have names. */
export function listValue(
  items: readonly Value[],
  named: ReadonlyMap<string, Value> = noNames,
): Extract<Value, { kind: "list" }> {
  return { kind: "list", items, named };
}

/** The text of a value if all of it is known. */
export function knownText(value: Value | undefined): string | undefined {
  if (value?.kind === "number") return value.text;
  return value?.kind === "text" && !value.text.includes(hole) ? value.text : undefined;
}

/** Returns the text of a value with holes for unknown parts. */
export function partialText(value: Value | undefined): string {
  return value?.kind === "text" || value?.kind === "number" ? value.text : hole;
}

/** Joins two values to one text. If one is a list of alternatives, so is the result. */
export function joined(left: Value, right: Value): Value {
  spend(2);
  if (left.kind === "list" && left.each) return eachOf(left.items.map((item) => joined(item, right)));
  if (right.kind === "list" && right.each) return eachOf(right.items.map((item) => joined(left, item)));
  if (left.kind === "list" && right.kind === "list") spend(left.items.length + right.items.length);
  if (left.kind === "list" && right.kind === "list")
    return left.items.length + right.items.length > listLength ? unknown : listValue([...left.items, ...right.items]);
  if (left.kind !== "text" && right.kind !== "text") return unknown;
  if (left.kind === "text" && left.text === "" && right.kind === "text") return right;
  const text = partialText(left) + partialText(right);
  if (text.length > foldedLength) return unknown;
  const home = left.kind === "text" && left.home === true;
  const glob = (left.kind === "text" && left.glob) || (right.kind === "text" && right.glob);
  return { kind: "text", text, ...(home ? { home } : {}), ...(glob ? { glob } : {}) };
}

/** A value that is each of the items in turn. */
export function eachOf(items: readonly Value[]): Value {
  // One that is each of several itself adds all of them: lists inside lists would double with every sum.
  const all = items.flatMap((item) => (item.kind === "list" && item.each ? item.items : [item]));
  if (all.length > alternatives || all.length === 0) return unknown;
  return all.length === 1 ? (all[0] as Value) : { kind: "list", items: all, named: noNames, each: true };
}

/** Joins path components like `os.path.join` and `/`: an absolute one discards those before it. */
export function joinedPath(parts: readonly Value[]): Value {
  const [first = unknown, ...rest] = parts;
  return rest.reduce((path, part) => {
    if (part.kind === "text" && part.text.startsWith("/")) return part;
    const text = partialText(path);
    return joined(text === "" || text.endsWith("/") ? path : joined(path, textValue("/")), part);
  }, first);
}

/** Returns a value as a path or word; for a list, each item. */
export function fieldsOf(value: Value, place: Place, open = false): readonly Field[] {
  if (value.kind === "list") return value.items.flatMap((item) => (item.kind === "list" ? [] : fieldsOf(item, place)));
  if (value.kind === "number") return [literalField(value.text, place)];
  if (value.kind !== "text") return [unknownField(place, open)];
  const { text } = value;
  spend(2 + (text.length >> 4));
  const home = value.home ? { tilde: true } : {};
  const plain = text.split(hole).join("");
  if (plain !== text) return [{ ...unknownField(place, open, plain), template: templateOf(text), ...home }];
  return value.glob
    ? [{ ...literalField(text, place), kind: "pattern", glob: true, ...home }]
    : [{ ...literalField(text, place), ...home }];
}

/** Returns a text for a shell: each unknown part becomes an unset variable, outside single quotes. */
export function templateOf(text: string): string {
  const pieces = text.split(hole);
  if (pieces.length === 1) return text;
  let quoted = false;
  let double = false;
  let out = "";
  pieces.forEach((piece, i) => {
    out += piece;
    for (let at = 0; at < piece.length; at++) {
      if (piece[at] === "\\" && !quoted) at += 1;
      else if (piece[at] === '"' && !quoted) double = !double;
      else if (piece[at] === "'" && !double) quoted = !quoted;
    }
    const variable = `\${${unknownVariable}}`;
    if (i < pieces.length - 1) out += quoted ? `'"${variable}"'` : variable;
  });
  return out;
}

/** Fills the `%s` of a text. */
export function filled(text: string, right: Value): Value {
  const values = right.kind === "list" && !right.each ? right.items : [right];
  let index = 0;
  spend(text.length >> 3);
  if (text.length > foldedLength) return unknown;
  const out = text.replace(/%(?:\(\w{1,64}\))?[-+ #0-9.]{0,8}([a-z%])/g, (_, type: string) => {
    if (type === "%") return "%";
    return partialText(values[index++]);
  });
  return out.length > foldedLength ? unknown : textValue(out);
}
