import { type Hole, loosened, type Pieces, patternText, type Text } from "../../schema/approximation.ts";
import type { TreeTakes, Word, WordKind } from "../../schema/facts.ts";
import { type Marked, marked } from "../approximate/marked.ts";
import type { Place, Sequence } from "./syntax.ts";

/** A folded value: a variable, a substitution's output. For `unknown` the text is its constant part. */
export interface Atom {
  readonly text: string;
  readonly kind: WordKind;
  /** Of an unknown value: its text with an unset variable in place of each unknown part, for a nested shell. */
  readonly template?: string;
  /** Of an unknown value: its known pieces. */
  readonly known?: Known;
  /** Origin of the value, if code of such origin must be distinguished from other code. */
  readonly origin?: Origin;
}

/** Known texts of a value with holes between them; valid only for the text `text`. */
export interface Known {
  readonly pieces: Pieces;
  readonly text: string;
}

/** Origins worth following: downloaded by this call, or printed by a decoder. */
export type Origin = "network" | "decoded";

/** Variable that marks an unknown part in a template; no text may set it. */
export const unknownVariable = "__unknown__";

/** One word as the program receives it. */
export interface Field extends Atom {
  /** True when the text holds active glob characters. */
  readonly glob: boolean;
  /** True if the text may expand to several words or none, so that it may also contain options. */
  readonly open: boolean;
  /** Offset of the verbatim text in the outermost text, or -1. */
  readonly verbatim: number;
  readonly place: Place;
  /** True if a leading `~` is the home folder: in a path built into a program, or in a tool's argument. */
  readonly tilde?: boolean;
  /** For `<(…)`, and for a file that the same text writes: its known content; null when that is not known. */
  readonly content?: string | null;
  /** For `>(…)`: the script that reads the text written to it. */
  readonly feeds?: Sequence;
  /** Possible contents of the file, the newest last, where more is known than `content` says. */
  readonly holds?: readonly Atom[];
  /** Set if the file may hold the last of these texts, or an earlier one. */
  readonly varies?: true;
  /** Set if the path represents anything below it, as in a list of files printed by `find`. */
  readonly beneath?: true;
  /** The part of the tree below it that it represents. A command that takes each entry with everything below takes all of it. */
  readonly takes?: TreeTakes;
  /** Its wildcards also match a leading dot of a name, as those of `find` do. */
  readonly dots?: true;
  /** Of an unknown word: its text, if the unknown part is not empty (`$(PWD)`, which not every system has). */
  readonly likely?: string | undefined;
}

const holeText = `\${${unknownVariable}}`;

/** A variable, a substitution or an expansion as its author writes it. */
const reference = /\$(?:\w+|[?#$!@*-]|\{[^{}]*\}|\([^()]*\))|`[^`]*`/g;
/** Longer words are not searched for the variables and substitutions that they hold. */
const longestWord = 256;

/** Returns the known pieces of a word, with holes that carry the author's words; only a hole where nothing is recorded. */
export function piecesOf(field: Field): Pieces {
  if (field.known?.text === field.text) return field.known.pieces;
  const pieces = textsOf(field) ?? ["", ""];
  const raw = "raw" in field.place && typeof field.place.raw === "string" ? field.place.raw : "…";
  const words = raw.length > longestWord ? [] : (raw.match(reference) ?? []);
  const inside = raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1) : raw;
  // A hole in a long text carries only the text's beginning: otherwise each of many holes would repeat the whole text.
  const whole = inside.length > longestWord ? `${inside.slice(0, longestWord)}…` : inside;
  return pieces.flatMap((piece, i): Pieces => {
    const of = words.length === pieces.length - 1 ? (words[i - 1] as string) : whole;
    return i === 0 ? [piece] : [{ hole: "tail", of }, piece];
  });
}

/** Returns the known texts between a word's unknown parts; undefined if the template is missing or is of another text. */
function textsOf(field: Field): readonly string[] | undefined {
  const pieces = field.kind === "unknown" ? field.template?.split(holeText) : undefined;
  return pieces && pieces.length > 1 && pieces.join("") === field.text ? pieces : undefined;
}

/** True for a text whose unknown part may be more code. A name, a number and a usual place cannot. */
export function mayHoldMore(word: Field): boolean {
  const isCode = (piece: string | Hole): boolean =>
    typeof piece === "object" && piece.hole === "tail" && piece.place === undefined;
  return word.kind === "unknown" && piecesOf(word).some(isCode);
}

/** Returns a word as a glob of names, in which each unknown part may be anything. */
export function globOfField(field: Field): string {
  if (field.kind !== "unknown") return field.text;
  const mark = marked(piecesOf(field));
  if (!mark.text.includes("[")) return spelledAny(mark, mark.text);
  // A class with an unknown character may end anywhere.
  return mark.text
    .split(/(\[[^\]/]*\]?)/)
    .map((part) => (part.startsWith("[") && mark.has(part) ? "*" : spelledAny(mark, part)))
    .join("");
}

/** A part of a marked text with a star for each hole. */
function spelledAny(mark: Marked, part: string): string {
  return mark
    .pieces(part)
    .map((piece) => (typeof piece === "string" ? piece : "*"))
    .join("");
}

/** True for a path with an unknown beginning and a known end: `$X/name`, and `/$X/name` as well. */
export function beginsUnknown(field: Field): boolean {
  const pieces = textsOf(field);
  return pieces !== undefined && /^\/*$/.test(pieces[0] as string) && /[^/.]/.test(pieces.at(-1) as string);
}

/** True for a path without a known name: `$X`, `$X/`, `$X/*`. */
export function isNameless(field: Field): boolean {
  return field.kind === "unknown" && /^[/.*]*$/.test(field.text) && !knownBeginning(field).startsWith("/");
}

/** Returns the known beginning of a word, up to its first unknown part. */
export function knownBeginning(field: Field): string {
  return textsOf(field)?.[0] ?? "";
}

/** Returns the known pieces of an unknown value, or one hole where none are recorded; `of` is the author's word for it. */
export function knownOf(value: Atom, of: string): Pieces {
  if (value.known?.text === value.text) return value.known.pieces;
  const texts = value.template?.split(holeText) ?? [];
  if (texts.length < 2 || texts.join("") !== value.text) return [{ hole: "tail", of }];
  return texts.flatMap((text, i): Pieces => (i === 0 ? [text] : [{ hole: "tail", of }, text]));
}

/** Makes an unknown value without a `/`, such as a file's name. `text` is used for it where something must be assumed. */
export function unknownName(of: string, text = ""): Atom {
  return unknownPart({ hole: "name", of }, text);
}

/** Makes an unknown number. `text` is used for it where something must be assumed. */
export function unknownNumber(of: string, text = ""): Atom {
  return unknownPart({ hole: "name", of, number: true }, text);
}

function unknownPart(hole: Hole, text: string): Atom {
  return { text, kind: "unknown", known: { pieces: [hole], text } };
}

/** A wholly unknown value, such as the output of a program. */
export const unknownAtom: Atom = { text: "", kind: "unknown" };

/** Makes a wholly known value; `text` is the word as the program receives it, quotes removed. */
export function literalAtom(text: string): Atom {
  return { text, kind: "literal" };
}

/** A field with a constant text. */
export function literalField(text: string, place: Place, verbatim = -1): Field {
  return { text, kind: "literal", glob: false, open: false, verbatim, place };
}

/** Returns a path below the home folder that is built into a program, such as `~/.gitconfig`. */
export function homeField(text: string, place: Place): Field {
  return { ...literalField(text, place), tilde: true };
}

/** Makes a wholly unknown field; with `open` it may be any number of words. */
export function unknownField(place: Place, open: boolean, text = ""): Field {
  return { text, kind: "unknown", glob: false, open, verbatim: -1, place };
}

/** Makes a field that means every path its glob may match. */
export function patternField(text: string, place: Place): Field {
  return { text, kind: "pattern", glob: true, open: false, verbatim: -1, place };
}

/** The same field with another text, such as the part behind `=`. */
export function withText(field: Field, text: string): Field {
  const shift =
    field.verbatim < 0 || !field.text.endsWith(text) ? -1 : field.verbatim + field.text.length - text.length;
  const changed = { ...field, text, verbatim: shift };
  return field.template === undefined ? changed : { ...changed, ...cutSpelling(field, text), ...cutKnown(field, text) };
}

/** Returns a field with a changed text; its unknown parts move with the text. */
export function rewritten(field: Field, change: (text: string) => string): Field {
  const text = change(field.text);
  if (field.kind !== "unknown") return withText(field, text);
  const mark = marked(piecesOf(field));
  return { ...withText(field, text), known: { pieces: mark.pieces(change(mark.text)), text } };
}

/** Joins two fields; each may be partly known. */
export function together(one: Field, other: Field): Field {
  const text = one.text + other.text;
  if (one.kind !== "unknown" && other.kind !== "unknown") return withText(one, text);
  const pieces = [one, other].flatMap((field) => (field.kind === "unknown" ? piecesOf(field) : [field.text]));
  return { ...withText(one, text), kind: "unknown", open: one.open || other.open, known: { pieces, text } };
}

/** True for a word whose beginning is unknown: it may be an address as well as a path. */
export function mayBeAddress(field: Field): boolean {
  const first = field.kind === "unknown" ? piecesOf(field).find((piece) => piece !== "") : "";
  return typeof first === "object" && first.hole === "tail";
}

/** Returns the text of a field with a word in place of each unknown part, for tests of its shape. */
export function shapeOf(field: Field): string {
  return field.kind === "unknown" ? marked(piecesOf(field)).text : field.text;
}

/** True for a word that may be any number of words, so that the command's words cannot be counted. */
export function mayBeMore(field: Field): boolean {
  return field.open && field.kind === "unknown";
}

/** Returns the author's words for the unknown part of a field. */
export function wordShown(field: Field): string {
  return piecesOf(field).find((piece) => typeof piece === "object")?.of ?? "…";
}

/** Returns the text of a field, or its known parts. A field that may be several words is sure of nothing. */
export function textOfField(field: Field): Text {
  if (field.kind !== "unknown") return field.text;
  const text = patternText(piecesOf(field));
  return field.open ? loosened(text) : text;
}

/** Returns the known pieces of an unknown word after its known beginning was cut, or after a known text was appended. */
function cutKnown(field: Field, text: string): { readonly known?: Known } {
  const pieces = field.known?.text === field.text ? field.known.pieces : undefined;
  const [first, ...rest] = pieces ?? [];
  if (pieces === undefined) return {};
  const cut = field.text.length - text.length;
  if (cut < 0 && text.startsWith(field.text))
    return { known: { pieces: [...pieces, text.slice(field.text.length)], text } };
  if (typeof first !== "string" || first.length < cut || !field.text.endsWith(text)) return {};
  return { known: { pieces: [first.slice(cut), ...rest], text } };
}

/**
 * Returns the spelling of an unknown word after its known beginning was cut, or after text was appended; otherwise that of the
 * whole word.
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

/** A text that is one of a few, without telling which. Code that does not ask treats it as unknown. */
export interface Choice extends Atom {
  readonly kind: "unknown";
  readonly choices: readonly Atom[];
}

/** Returns a text that may be any of these. */
export function oneOf(...choices: readonly Atom[]): Choice {
  return { text: "", kind: "unknown", choices };
}

/** True for a text that is one of a few, as opposed to a known text or one that may be anything. */
export function isChoice(atom: Atom): atom is Choice {
  return "choices" in atom;
}
