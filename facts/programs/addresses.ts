import { mayEndScheme } from "../network/partly.ts";
import { type Field, mayBeAddress, piecesOf, shapeOf } from "../shell/fields.ts";

const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** True for a word that begins like an address, or may since its beginning is not known: `$URL`, `http$X`. */
export function mayNameHost(word: Field, shape: RegExp = withScheme): boolean {
  return shape.test(shapeOf(word)) || beginsOpen(word);
}

/** True for a word that may be an address, a path or a name. */
export function beginsOpen(word: Field): boolean {
  return mayBeAddress(word) || (word.kind === "unknown" && mayEndScheme(piecesOf(word)));
}
