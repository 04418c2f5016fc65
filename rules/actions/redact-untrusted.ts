import { spend, spendText } from "../../facts/meter.ts";
import { boundaryEdits } from "../../facts/text/boundaries.ts";
import { suspects } from "../../facts/text/characters.ts";
import { type CharacterKind, type Characters, characterEdits } from "../../facts/text/clean.ts";
import type { TextKind } from "../../facts/text/detectors.ts";
import { hiddenMarkup, mayHideMarkup } from "../../facts/text/hidden-html.ts";
import type { Edit } from "../../facts/text/splice.ts";
import { EvaluationError, type Pseudonym } from "../../schema/ports.ts";
import { boundaryDigits, isSealed } from "../../schema/pseudonym.ts";

/** Kinds of untrusted text that a `redact` makes harmless, and how. */
export interface Untrusted {
  readonly kinds: ReadonlySet<TextKind>;
  /** The members of `kinds` that are characters. */
  readonly characters: ReadonlySet<CharacterKind>;
  readonly how: Characters;
}

/** Sorts the kinds of untrusted text. */
export function untrustedOf(kinds: ReadonlySet<TextKind>, how: Characters): Untrusted {
  const isCharacter = (kind: TextKind): kind is CharacterKind => kind !== "hidden-html" && kind !== "boundaries";
  return { kinds, characters: new Set([...kinds].filter(isCharacter)), how };
}

/**
 * Returns edits that make one text show its content. Hidden characters come first, since one may be inside a tag or a
 * delimiter, then markup, then delimiters. Only the edits of the first kind that finds something are returned; the rest is
 * found when the text is searched again. `strict` removes odd characters wherever they are.
 */
export function untrustedEdits(
  text: string,
  { kinds, characters, how }: Untrusted,
  pseudonym: Pseudonym,
  strict: boolean,
): readonly Edit[] | EvaluationError {
  spendText(text.length * 2);
  if (characters.size > 0 && suspects.test(text)) {
    const edits = characterEdits(text, characters, how, strict);
    if (edits.length > 0) return edits;
  }
  if (kinds.has("hidden-html") && mayHideMarkup(text)) {
    spend(text.length >> 3);
    const { edits, over } = hiddenMarkup(text);
    if (over) return new EvaluationError("HW507", "markup is too tangled to look for what it hides");
    if (edits.length > 0) return edits;
  }
  if (!kinds.has("boundaries")) return [];
  spend(text.length >> 4);
  return boundaryEdits(
    text,
    (given) => given.length === boundaryDigits.all && isSealed("boundary", given, boundaryDigits.proof, pseudonym),
  );
}
