import type { Word, WordKind } from "../../schema/facts.ts";
import type { Place, Sequence } from "./syntax.ts";

/** A folded value: a variable, a substitution's output. For `unknown` the text is what is constant in it. */
export interface Atom {
  readonly text: string;
  readonly kind: WordKind;
  /** Of an unknown value: its text with an unset variable in place of what is not known, for a nested shell. */
  readonly template?: string;
  /** Where the value came from, if code of such origin is to be told from other code. */
  readonly origin?: Origin;
}

/** Origins worth following: downloaded by this call, or printed by a decoder. */
export type Origin = "network" | "decoded";

/** Stands in a template for what is not known; no text may set it. */
export const unknownVariable = "__unknown__";

/** One word as the program receives it. */
export interface Field extends Atom {
  /** True when the text holds active glob characters. */
  readonly glob: boolean;
  /** True when the text stands for several words or none, so that it may also hold options. */
  readonly open: boolean;
  /** Offset where the text stands verbatim in the outermost text, or -1. */
  readonly verbatim: number;
  readonly place: Place;
  /** True when a leading `~` is the home folder: a path that a program knows by itself, or a tool's argument. */
  readonly tilde?: boolean;
  /** For `<(…)`, and a file that the same text writes: what it is known to hold; null when that is not known. */
  readonly content?: string | null;
  /** For `>(…)`: the script that reads what is written to it. */
  readonly feeds?: Sequence;
  /** What the file may hold, the last one now, where more is known than `content` says. */
  readonly holds?: readonly Atom[];
  /** Of an unknown word: its text, if the part that is not known is not empty (`$(PWD)`, which not every system has). */
  readonly likely?: string | undefined;
}

const holeText = `\${${unknownVariable}}`;

/** Texts between which a word has what is not known; undefined where that is not told, or for another text than this. */
function piecesOf(field: Field): readonly string[] | undefined {
  const pieces = field.kind === "unknown" ? field.template?.split(holeText) : undefined;
  return pieces && pieces.length > 1 && pieces.join("") === field.text ? pieces : undefined;
}

/** True for a path that begins with what is not known and ends in what is: `$X/name`, and `/$X/name` as well. */
export function beginsUnknown(field: Field): boolean {
  const pieces = piecesOf(field);
  return pieces !== undefined && /^\/*$/.test(pieces[0] as string) && /[^/.]/.test(pieces.at(-1) as string);
}

/** True for a path of which no name is known: `$X`, `$X/`, `$X/*`. */
export function isNameless(field: Field): boolean {
  return field.kind === "unknown" && /^[/.*]*$/.test(field.text) && !knownBeginning(field).startsWith("/");
}

/** What a word surely begins with, up to what is not known of it. */
export function knownBeginning(field: Field): string {
  return piecesOf(field)?.[0] ?? "";
}

/** A value of which no part is known, such as the output of a program. */
export const unknownAtom: Atom = { text: "", kind: "unknown" };

/** A value that is wholly known; `text` is what the program receives, quotes removed. */
export function literalAtom(text: string): Atom {
  return { text, kind: "literal" };
}

/** A field with a constant text. */
export function literalField(text: string, place: Place, verbatim = -1): Field {
  return { text, kind: "literal", glob: false, open: false, verbatim, place };
}

/** A path below the home folder that a program knows by itself, such as `~/.gitconfig`. */
export function homeField(text: string, place: Place): Field {
  return { ...literalField(text, place), tilde: true };
}

/** A field of which nothing is known; with `open` it may be any number of words. */
export function unknownField(place: Place, open: boolean, text = ""): Field {
  return { text, kind: "unknown", glob: false, open, verbatim: -1, place };
}

/** A field that stands for every path its glob may match. */
export function patternField(text: string, place: Place): Field {
  return { text, kind: "pattern", glob: true, open: false, verbatim: -1, place };
}

/** The same field with another text, such as the part behind `=`. */
export function withText(field: Field, text: string): Field {
  const shift =
    field.verbatim < 0 || !field.text.endsWith(text) ? -1 : field.verbatim + field.text.length - text.length;
  const changed = { ...field, text, verbatim: shift };
  return field.template === undefined ? changed : { ...changed, ...cutSpelling(field, text) };
}

/**
 * How the end of an unknown word is spelled, where what is cut off is known, or the word with more behind it; as the whole
 * word where neither is so.
 */
function cutSpelling(field: Field, text: string): Pick<Field, "template" | "likely"> {
  const cut = field.text.length - text.length;
  const { template = "", likely } = field;
  if (cut < 0 && text.startsWith(field.text)) {
    const more = text.slice(field.text.length);
    return { template: template + more, ...(likely === undefined ? {} : { likely: likely + more }) };
  }
  const known = field.text.endsWith(text) && knownBeginning(field).length >= cut;
  return {
    template: known ? template.slice(cut) : template,
    ...(likely === undefined ? {} : { likely: known ? likely.slice(cut) : undefined }),
  };
}

/** The word as conditions see it. */
export function wordOf(field: Field): Word {
  return { text: field.text, kind: field.kind };
}
