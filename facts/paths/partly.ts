import { Approximation, anyText, type Hole, type Pieces, patternText, type Text } from "../../schema/approximation.ts";
import type { PartlyKnownPath, PathValue } from "../../schema/facts.ts";
import { spend, unitsLeft } from "../meter.ts";

/** Base that a partly known path is resolved against. */
export interface PartlyBase {
  /** Working directory; empty when unknown. */
  readonly cwd: string;
  readonly windows: boolean;
  /** Both forms of a folder that is known. */
  resolve(folder: string): PathValue;
}

/**
 * Resolves a partly known path to its pieces from the root, in both forms. Links are followed in the known part before the first
 * hole. A path that begins with a tail may be any path with that ending, whatever the working directory.
 */
export function partlyKnown(pieces: Pieces, { cwd, windows, resolve }: PartlyBase): PartlyKnownPath {
  spend(4 + pieces.length);
  const told = pieces.filter((piece) => piece !== "");
  const given = windows ? told.map(withSlashes) : told;
  const [first = ""] = given;
  if (typeof first === "object" && first.hole === "tail") return sameForms(given);
  const known = typeof first === "string" ? first : "";
  const rest = typeof first === "string" ? given.slice(1) : given;
  const at = known.lastIndexOf("/");
  if (cwd === "" && !/^[/~]/.test(known))
    return sameForms([{ hole: "tail", of: "the working directory" }, "/", ...given]);
  const folder = known.startsWith("~") ? `./${known.slice(0, at + 1)}` : known.slice(0, at + 1);
  const { lexical, real, pattern } = resolve(folder === "" ? "." : folder);
  if (pattern) return sameForms([{ hole: "tail", of: shownPiece(rest) }]);
  const name = known.slice(at + 1);
  const one = approximated([slashed(lexical) + name, ...rest]);
  return { lexical: one, real: real === lexical ? one : approximated([slashed(real) + name, ...rest]) };
}

function sameForms(pieces: Pieces): PartlyKnownPath {
  const one = approximated(pieces);
  return { lexical: one, real: one };
}

function withSlashes(piece: Pieces[number]): Pieces[number] {
  return typeof piece === "string" ? piece.replaceAll("\\", "/") : piece;
}

function shownPiece(pieces: Pieces): string {
  const hole = pieces.find((piece) => typeof piece === "object");
  return typeof hole === "object" ? hole.of : "…";
}

function slashed(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

function approximated(pieces: Pieces): Approximation {
  const [only, ...more] = pieces;
  if (typeof only === "object" && more.length === 0) return new Approximation(only.place ? "pattern" : "any", [[only]]);
  const text = patternText(pieces);
  return typeof text === "string" ? new Approximation("few", [[text]]) : text;
}

/** Returns the pieces of a word that holds a glob, with a hole for each wildcard. */
export function withoutGlobs(pieces: Pieces): Pieces {
  return pieces.flatMap((piece): Pieces => {
    if (typeof piece !== "string" || !/[*?[]/.test(piece)) return [piece];
    const found: (string | Hole)[] = [];
    for (const part of piece.split(/(\*+|\?|\[[^\]/]*\]?)/)) {
      if (!/^[*?[]/.test(part)) found.push(part);
      else found.push({ hole: part.startsWith("**") ? "tail" : "name", of: part });
    }
    return found;
  });
}

/** One name of a path: known texts with holes. */
type Name = (string | Hole)[];

/**
 * Returns the paths that a partly known path may be, as globs with wildcards for its unknown parts. `may`, for tests that
 * restrict: an unknown part stays in its name or beneath the part before it, and variables lead where they usually do. `sure`,
 * for tests that loosen: it may lead anywhere, and only the part behind the last tail is known.
 */
export function readings(path: PathValue, form: Approximation, how: "may" | "sure"): readonly PathValue[] {
  let known = read.get(path);
  if (!known) {
    known = { may: new Map(), sure: new Map() };
    read.set(path, known);
  }
  const found = known[how].get(form);
  if (found) {
    spend(found.cost);
    return found.paths;
  }
  const before = unitsLeft();
  const paths = readingsOf(path, form, how);
  known[how].set(form, { paths, cost: before - unitsLeft() });
  return paths;
}

interface Read {
  readonly paths: readonly PathValue[];
  readonly cost: number;
}

/** Cached readings of a path by its forms, with their cost: many tests ask for the same ones. */
const read = new WeakMap<PathValue, Readonly<Record<"may" | "sure", Map<Approximation, Read>>>>();

function readingsOf(path: PathValue, form: Approximation, how: "may" | "sure"): readonly PathValue[] {
  spend(2 * form.members.length);
  return form.members.map((pieces) => {
    if (pieces.every((piece) => typeof piece === "string")) return exactly(path, pieces.join(""));
    const names = namesOf(how === "may" ? pieces.map(placed) : pieces);
    return reading(path, how === "may" ? names.flatMap(beneath) : ending(names));
  });
}

/** True where every text of a path's form is known. */
export function isExact(pieces: Pieces): boolean {
  return pieces.every((piece) => typeof piece === "string");
}

function placed(piece: Pieces[number]): Pieces[number] {
  return typeof piece === "object" && piece.place !== undefined ? piece.place : piece;
}

function exactly({ partly, ...path }: PathValue, text: string): PathValue {
  const { loose: _, ...own } = path;
  return { ...own, lexical: text, real: text, pattern: false, ...(partly?.tree ? { tree: true } : {}) };
}

function reading({ partly, ...path }: PathValue, parts: readonly string[]): PathValue {
  const text = `/${parts.join("/")}`;
  return { ...path, lexical: text, real: text, pattern: true, holes: true, ...(partly?.tree ? { tree: true } : {}) };
}

/** The names of a path, cleaned of empty ones, `.` and `..`. The first one of a path that begins with a tail is that tail. */
export function namesOf(pieces: Pieces): readonly Name[] {
  const names: Name[] = [[]];
  for (const piece of pieces) {
    if (typeof piece === "object") {
      (names.at(-1) as Name).push(piece);
      continue;
    }
    const [head = "", ...more] = piece.split("/");
    if (head !== "") (names.at(-1) as Name).push(head);
    for (const part of more) names.push(part === "" ? [] : [part]);
  }
  let clean: Name[] = [];
  for (const name of names) {
    spend(1);
    const [only] = name;
    if (name.length === 0 || (name.length === 1 && only === ".")) continue;
    if (name.length !== 1 || only !== "..") clean.push(name.map(asTail(name)));
    else if (clean.some(hasTail)) clean = [[{ hole: "tail", of: ".." }]];
    else clean.pop();
  }
  return clean;
}

/** Returns a mapping that turns holes into tails if all else in the name is dots, because the name may then be `.` or `..`. */
function asTail(name: Name): (piece: string | Hole) => string | Hole {
  const dots = name.some((piece) => typeof piece === "string");
  const risky = dots && name.every((piece) => typeof piece === "object" || /^\.*$/.test(piece));
  return (piece) => (risky && typeof piece === "object" ? { ...piece, hole: "tail" } : piece);
}

function hasTail(name: Name): boolean {
  return name.some((piece) => typeof piece === "object" && piece.hole === "tail");
}

/** Returns the parts of a name before its first tail and after its last one. */
function endsOf(name: Name): readonly [string, string] {
  const isTail = (piece: string | Hole): boolean => typeof piece === "object" && piece.hole === "tail";
  return [spelled(name.slice(0, name.findIndex(isTail))), spelled(name.slice(name.findLastIndex(isTail) + 1))];
}

function spelled(name: readonly (string | Hole)[]): string {
  return name.map((piece) => (typeof piece === "string" ? piece.replace(/[*?[\]\\]/g, "\\$&") : "*")).join("");
}

/**
 * Returns the reading in which a tail stays below the part before it. Between two known parts of a name it stays in that name;
 * after a known part it may continue below.
 */
function beneath(name: Name): string[] {
  if (!hasTail(name)) return [spelled(name)];
  const [start, end] = endsOf(name);
  if (start === "") return end === "" ? ["**"] : ["**", `*${end}`];
  return end === "" ? [`${start}*`, "**"] : [`${start}*${end}`];
}

/** Returns the path's components that are sure where a tail may lead anywhere: only those at its end. */
function ending(names: readonly Name[]): string[] {
  const last = names.findLastIndex(hasTail);
  if (last < 0) return names.map(spelled);
  const [, end] = endsOf(names[last] as Name);
  return ["**", ...(/^\.{0,2}$/.test(end) ? [] : [`*${end}`]), ...names.slice(last + 1).map(spelled)];
}

/** Returns the last name of a path as a text, or its known parts. */
export function lastNameOf(pieces: Pieces): Text {
  const last = namesOf(pieces).at(-1) ?? [];
  const tail = last.findLastIndex((piece) => typeof piece === "object" && piece.hole === "tail");
  if (tail < 0) return patternText(last);
  const end = last.slice(tail + 1);
  if (end.every((piece) => typeof piece === "string" && /^\.*$/.test(piece))) return anyText(shownPiece(last));
  return patternText(last.slice(tail));
}
