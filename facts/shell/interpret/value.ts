import { type Pieces, patternText } from "../../../schema/approximation.ts";
import { limits } from "../../../schema/limits.ts";
import { spend, spendText } from "../../meter.ts";
import { type Atom, literalAtom, unknownAtom } from "../fields.ts";

/** The elements of an array, or positional parameters. */
export type List = readonly Atom[];

/** One possible value of a variable: a text, a list, or unset. */
export type Candidate = Atom | List | typeof notSet;

/**
 * Possible values of a variable: one of the candidates or, with `open`, anything else. An open value keeps its candidates,
 * because they are still likely.
 */
export interface Value {
  readonly candidates: readonly Candidate[];
  readonly open: boolean;
}

/** Candidate of a variable that is not set. */
export const notSet = { unset: true } as const;

/** A wholly unknown value. */
export const anyValue: Value = { candidates: [], open: true };

/** The value of a variable that is surely not set. */
export const noValue: Value = { candidates: [notSet], open: false };

/** Returns a value with this candidate only. */
export function exactly(candidate: Candidate): Value {
  return isBare(candidate) ? anyValue : { candidates: [candidate], open: false };
}

/** Returns a value with this text only. */
export function exactText(text: string): Value {
  return { candidates: [literalAtom(text)], open: false };
}

/** Returns the value as an open one. */
export function opened(value: Value): Value {
  return value.open ? value : { candidates: value.candidates, open: true };
}

/** Lists the candidates of a value; for an open value also the unknown one. */
export function alternativesOf(value: Value): readonly Candidate[] {
  return value.open ? [...value.candidates, unknownAtom] : value.candidates;
}

/** Returns the only candidate of a value; undefined if there are several. */
export function singleOf(value: Value): Candidate | undefined {
  return value.open || value.candidates.length !== 1 ? undefined : value.candidates[0];
}

/** True for a value with several candidates, at least one of them known. */
export function isFew(value: Value): boolean {
  return value.candidates.length + (value.open ? 1 : 0) > 1;
}

/** True for a list. */
export function isList(candidate: Candidate): candidate is List {
  return Array.isArray(candidate);
}

/** True for a text, not a list or an unset variable. */
export function isText(candidate: Candidate): candidate is Atom {
  return candidate !== notSet && !Array.isArray(candidate);
}

/** Returns the constant text of a value; undefined if it is none. */
export function constantOf(value: Value | undefined): string | undefined {
  const one = value && singleOf(value);
  return one && isText(one) && one.kind === "literal" ? one.text : undefined;
}

/** Joins several values. If there are too many candidates, only their common beginning and end are kept. */
export function eitherOf(values: readonly Value[]): Value {
  const [first] = values;
  if (first && values.every((value) => value === first)) return first;
  const found: Candidate[] = [];
  let open = false;
  for (const value of values) {
    open ||= value.open;
    for (const one of value.candidates) {
      spend(1 + found.length);
      if (isBare(one)) open = true;
      else if (!found.some((other) => sameCandidate(other, one))) found.push(one);
    }
  }
  if (found.length <= limits.alternatives) return { candidates: found, open };
  const pattern = commonOf(found);
  return open || !pattern ? { candidates: found.slice(0, limits.alternatives), open: true } : exactly(pattern);
}

/** Returns one text for several candidates, with their common beginning and end; undefined if one is a list or not set. */
export function commonOf(candidates: readonly Candidate[]): Atom | undefined {
  const texts: string[] = [];
  for (const one of candidates) {
    if (!isText(one) || one.kind === "pattern") return undefined;
    if (one.kind === "unknown") return unknownAtom;
    texts.push(one.text);
    spendText(one.text.length);
  }
  const pieces = endsOf(texts);
  return { text: pieces.filter((piece) => typeof piece === "string").join(""), kind: "unknown", ...knownAs(pieces) };
}

function knownAs(pieces: Pieces): Pick<Atom, "known"> {
  const text = pieces.filter((piece) => typeof piece === "string").join("");
  return typeof patternText(pieces) === "string" ? {} : { known: { pieces, text } };
}

function endsOf(texts: readonly string[]): Pieces {
  const [first = ""] = texts;
  const shortest = Math.min(...texts.map(({ length }) => length));
  let start = 0;
  while (start < shortest && texts.every((text) => text[start] === first[start])) start++;
  let end = 0;
  while (end < shortest - start && texts.every((text) => text.at(-1 - end) === first.at(-1 - end))) end++;
  return [first.slice(0, start), { hole: "tail", of: "…" }, end === 0 ? "" : first.slice(-end)];
}

/** True if two values are equal. */
export function sameValue(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one.open !== other.open || one.candidates.length !== other.candidates.length) return false;
  spend(one.candidates.length);
  return one.candidates.every((candidate) => other.candidates.some((each) => sameCandidate(candidate, each)));
}

function sameCandidate(one: Candidate, other: Candidate): boolean {
  if (one === other) return true;
  if (one === notSet || other === notSet) return false;
  if (isList(one) || isList(other)) {
    if (!isList(one) || !isList(other) || one.length !== other.length) return false;
    spend(one.length);
    return one.every((item, i) => sameAtom(item, other[i] as Atom));
  }
  return isText(one) && isText(other) && sameAtom(one, other);
}

function sameAtom(one: Atom, other: Atom): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.text.length !== other.text.length || one.origin !== other.origin) return false;
  spendText(one.text.length);
  if (one.text !== other.text) return false;
  return one.kind !== "unknown" || (one.template === other.template && holesOf(one) === holesOf(other));
}

/** Returns the holes of an unknown text, with those marked that hold only a name. */
function holesOf({ known }: Atom): string {
  if (!known) return "";
  return known.pieces
    .map((piece) => (typeof piece === "string" ? piece : `\0${piece.hole}${piece.place ?? ""}`))
    .join("\0");
}

/** True for an unknown text of unknown origin. */
function isBare(candidate: Candidate): boolean {
  if (!isText(candidate) || candidate.kind !== "unknown") return false;
  const { text, template, known, origin } = candidate;
  return text === "" && template === undefined && known === undefined && origin === undefined;
}
