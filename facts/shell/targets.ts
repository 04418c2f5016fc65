import { type Field, piecesOf } from "./fields.ts";

/** The variable that a word names, as in `read NAME` and `printf -v NAME`; an element counts as its array. */
export interface Target {
  readonly name: string;
  /** False if an unknown rest may follow, so that the name is only a beginning. */
  readonly whole: boolean;
  /** True for an element of an array. */
  readonly element: boolean;
}

/** Returns the variable at the start of a word, before a `=` or a subscript; undefined if the word names none. */
export function targetOf(word: Field): Target | undefined {
  const pieces = word.kind === "literal" ? [word.text] : piecesOf(word);
  const first = typeof pieces[0] === "string" ? pieces[0] : "";
  const more = pieces.find((piece) => typeof piece === "object");
  const match = /^([A-Za-z_]\w*)?(\[|\+?=|$)/.exec(first);
  if (!match || (match[1] === undefined && first !== "")) return undefined;
  const [, name = "", end] = match;
  const whole = end !== "" || more === undefined;
  return whole && name === "" ? undefined : { name, whole, element: end === "[" };
}
