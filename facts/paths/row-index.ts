import type { PathValue, TreeTakes } from "../../schema/facts.ts";
import type { Forms } from "../../schema/ports.ts";
import { spend, unitsLeft, unmetered } from "../meter.ts";
import {
  compiled,
  eachForm,
  glob,
  type MatchOptions,
  meetsPlaced,
  meetsTaken,
  type PreparedPath,
  preparedPath,
} from "./match.ts";
import type { Component, Part } from "./pattern.ts";
import { endOf, mayMeet, mayMeetAt, partCovered, partsMeet, surelyCovers, surelyCoversAt } from "./pattern.ts";
import { coversTree } from "./whole-trees.ts";

/** One alternative of a row. `anywhere` tells that the row names no folder. */
interface Alternative {
  readonly list: readonly Component[];
  readonly anywhere: boolean;
  /** Index of its only `**`; -1 if it has none, undefined if it has several. */
  readonly deep: number | undefined;
}

/** Alternatives that hold one literal name, which a path must hold too. */
interface Named {
  readonly name: Part;
  readonly alternatives: Alternative[];
}

/** Rows by a literal name that each must have; those in `rest` have none, and are indexed by the end of their last name. */
interface Side {
  readonly all: Alternative[];
  readonly byName: Map<string, Named>;
  readonly rest: Alternative[];
  /** Rows of `rest` whose last name ends in a literal character, by that character. */
  readonly byEnd: Map<number, Alternative[]>;
  /** The other rows of `rest`. */
  readonly open: Alternative[];
}

/** Rows of a class prepared for one home: the paths they give, and the exclusions of its `!` rows. */
interface RowIndex {
  readonly number: number;
  readonly gives: Side;
  readonly takes: Side;
  /** Patterns that the rows give. */
  readonly patterns: readonly (readonly Component[])[];
}

/** Tables by their rows; only ever a repetition of the same pure work, and bounded in homes. */
const indexes = new WeakMap<readonly string[], Map<string, RowIndex>>();
const maxHomes = 16;

/**
 * True if a path is in some row and in no `!` row. Each form is judged separately, so that an exclusion of one form cannot clear
 * the other. A row that ends in `/` is the folder and everything below it. `foldersOnly` leaves out rows without a folder.
 */
export function inRows(
  path: PathValue,
  rows: readonly string[],
  options: MatchOptions,
  foldersOnly: boolean = false,
): boolean {
  const { forms, home } = options;
  const index = indexOf(rows, home, path.fold);
  const prepared = preparedPath(path);
  const question = (forms === "any" ? 0 : 1) + (foldersOnly ? 2 : 0);
  const known = remembered(prepared, index.number, question);
  if (known !== undefined) return known;
  const before = unitsLeft();
  const answer = isInRows(prepared, index, forms, foldersOnly);
  return keep(prepared, index.number, question, answer, before - unitsLeft());
}

/** Number of the newest table. Cached answers are found by table number, so that they keep no table alive. */
let tables = 0;

/** Returns the cached answer for a path. Each of the four questions has two bits: whether it was answered, and the answer. */
function remembered({ answers, costs }: PreparedPath, table: number, question: number): boolean | undefined {
  const bits = (answers.get(table) ?? 0) >> (2 * question);
  if ((bits & 1) === 0) return undefined;
  if (costs.size > 0) spend(costs.get(4 * table + question) ?? 0);
  return (bits & 2) !== 0;
}

/** Cached answers for one path: more than a plan has tables. */
const maxAnswers = 512;

function keep(
  { answers, costs }: PreparedPath,
  table: number,
  question: number,
  answer: boolean,
  cost: number,
): boolean {
  if (answers.size >= maxAnswers) {
    answers.clear();
    costs.clear();
  }
  if (cost > 0) costs.set(4 * table + question, cost);
  answers.set(table, (answers.get(table) ?? 0) | ((answer ? 3 : 1) << (2 * question)));
  return answer;
}

function isInRows(
  { forms: own, tree, takes: taken }: PreparedPath,
  { gives, takes }: RowIndex,
  forms: Forms,
  foldersOnly: boolean,
): boolean {
  const opposite = forms === "any" ? "all" : "any";
  return eachForm(
    own,
    forms,
    (form) =>
      fitsSide(form, gives, forms, foldersOnly, tree, taken) && !fitsSide(form, takes, opposite, false, tree, taken),
  );
}

/** Like `inSide`; with `tree` also for everything below the path. */
function fitsSide(
  path: readonly Component[],
  side: Side,
  forms: Forms,
  foldersOnly: boolean,
  tree: boolean,
  takes: TreeTakes | undefined,
): boolean {
  if (!tree) return inSide(path, side, forms, foldersOnly);
  if (forms === "any" && inSide(path, side, forms, foldersOnly)) return true;
  spend(side.all.length);
  const test = forms === "any" ? meetsTaken : coversTree;
  return side.all.some(({ list, anywhere }) => !(foldersOnly && anywhere) && test(path, list, takes));
}

function indexOf(rows: readonly string[], home: string, fold: boolean): RowIndex {
  let byHome = indexes.get(rows);
  if (!byHome) {
    byHome = new Map();
    indexes.set(rows, byHome);
  }
  const key = (fold ? "1" : "0") + home;
  const known = byHome.get(key);
  if (known) return known;
  const [gives, takes] = [emptySide(), emptySide()];
  unmetered(() => {
    for (const row of rows) {
      if (row.startsWith("!")) addRow(takes, row.slice(1), home, fold);
      else addRow(gives, row, home, fold);
    }
  });
  const made: RowIndex = { number: tables++, gives, takes, patterns: gives.all.map(({ list }) => list) };
  if (byHome.size >= maxHomes) byHome.clear();
  byHome.set(key, made);
  return made;
}

/** Returns the rows of a class as patterns; exclusions by its `!` rows are left out. */
export function rowPatterns(rows: readonly string[], home: string, fold: boolean): readonly (readonly Component[])[] {
  return indexOf(rows, home, fold).patterns;
}

/** Globs made ready for one home. */
interface Globs {
  readonly number: number;
  readonly side: Side;
  readonly unbounded: boolean;
}

/** A list of globs made ready, for the homes that were seen. */
export class GlobIndex {
  readonly #globs: readonly string[];
  readonly #made = new Map<string, Globs>();

  /** `globs` as policies write them (`glob` in `match.ts`). */
  constructor(globs: readonly string[]) {
    this.#globs = globs;
  }

  /** True if a path matches any of the globs, with any form or with both, as `forms` requires. */
  matches(path: PathValue, options: MatchOptions): boolean {
    const answer = this.#matchesNamed(path, options);
    const { content } = path;
    if (!content || options.forms !== "any") return answer;
    // The disk's answer only narrows the paths that may match, unless it found one.
    const mayHold = answer || content.found.some((one) => this.matches(one, options));
    return mayHold && this.#globs.some((one) => glob(path, one, options));
  }

  /** The same for the path itself, without its looked-up content. */
  #matchesNamed(path: PathValue, options: MatchOptions): boolean {
    const { home, forms } = options;
    const { number, side, unbounded } = this.#for(home, path.fold);
    // A glob over its bound may match anything, and nothing for sure.
    if (unbounded && forms === "any") return true;
    const prepared = preparedPath(path);
    const question = forms === "any" ? 0 : 1;
    const known = remembered(prepared, number, question);
    const before = unitsLeft();
    const answer =
      known ??
      eachForm(prepared.forms, forms, (form) => fitsSide(form, side, forms, false, prepared.tree, prepared.takes));
    if (known === undefined) keep(prepared, number, question, answer, before - unitsLeft());
    return answer || (prepared.tree && forms === "any" && meetsPlaced(path, this.#globs, options));
  }

  #for(home: string, fold: boolean): Globs {
    const key = (fold ? "1" : "0") + home;
    const known = this.#made.get(key);
    if (known) return known;
    const lists = unmetered(() => this.#globs.map((glob) => compiled(glob, home, fold)));
    const side = emptySide();
    for (const list of lists) for (const one of list ?? []) add(side, alternativeOf(one, false));
    const made = { number: tables++, side, unbounded: lists.includes(undefined) };
    if (this.#made.size >= maxHomes) this.#made.clear();
    this.#made.set(key, made);
    return made;
  }
}

function emptySide(): Side {
  return { all: [], byName: new Map(), rest: [], byEnd: new Map(), open: [] };
}

function addRow(side: Side, row: string, home: string, fold: boolean): void {
  const folder = row.endsWith("/") && row !== "/" ? row.slice(0, -1) : undefined;
  const anywhere = !row.includes("/");
  for (const glob of folder === undefined ? [row] : [folder, `${folder}/**`])
    for (const list of compiled(glob, home, fold) ?? []) add(side, alternativeOf(list, anywhere));
}

function alternativeOf(list: readonly Component[], anywhere: boolean): Alternative {
  const deep = list.findIndex(({ kind }) => kind === "deep");
  const only = list.findLastIndex(({ kind }) => kind === "deep") === deep;
  return { list, anywhere, deep: only ? deep : undefined };
}

function add(side: Side, alternative: Alternative): void {
  side.all.push(alternative);
  const name = alternative.list.findLast((c): c is Part => c.kind === "part" && c.literal !== undefined);
  if (name?.literal === undefined) {
    side.rest.push(alternative);
    addByEnd(side, alternative);
    return;
  }
  const known = side.byName.get(name.literal);
  if (known) known.alternatives.push(alternative);
  else side.byName.set(name.literal, { name, alternatives: [alternative] });
}

function addByEnd(side: Side, alternative: Alternative): void {
  const last = alternative.list.at(-1);
  const end = last?.kind === "part" ? endOf(last) : undefined;
  const known = end === undefined ? side.open : side.byEnd.get(end);
  if (known) known.push(alternative);
  else side.byEnd.set(end as number, [alternative]);
}

function inSide(path: readonly Component[], side: Side, forms: Forms, foldersOnly: boolean): boolean {
  const any = forms === "any";
  spend(path.length >> 2);
  // A `**` in the path may match any name.
  let wild = 0;
  for (const part of path) {
    if (part.kind === "deep") return someCovers(path, side.all, any, foldersOnly);
    if (part.literal === undefined) wild += 1;
  }
  if (wild > 1) return someFits(path, side.all, any, foldersOnly);
  for (const part of path as readonly Part[]) {
    if (part.literal !== undefined) {
      const named = side.byName.get(part.literal);
      if (named && someFits(path, named.alternatives, any, foldersOnly)) return true;
      continue;
    }
    for (const { name, alternatives } of side.byName.values())
      if ((any ? partsMeet(part, name) : partCovered(part, name)) && someFits(path, alternatives, any, foldersOnly))
        return true;
  }
  return inRest(path, side, any, foldersOnly);
}

/** The rows without a literal name: those that end as a literal path does, and those that may end in anything. */
function inRest(path: readonly Component[], side: Side, any: boolean, foldersOnly: boolean): boolean {
  if (side.rest.length === 0) return false;
  const last = path.at(-1);
  const end = last?.kind === "part" && last.literal !== undefined ? endOf(last) : undefined;
  if (end === undefined) return someFits(path, side.rest, any, foldersOnly);
  const alike = side.byEnd.get(end);
  return (
    (alike !== undefined && someFits(path, alike, any, foldersOnly)) || someFits(path, side.open, any, foldersOnly)
  );
}

/** As `someCovers`, for a path without `**`: its last component must be the last of the row, which is looked at first. */
function someFits(
  path: readonly Component[],
  alternatives: readonly Alternative[],
  any: boolean,
  foldersOnly: boolean,
): boolean {
  const end = path.at(-1) as Part | undefined;
  for (const { list, anywhere, deep } of alternatives) {
    spend(path.length >> 4);
    if (foldersOnly && anywhere) continue;
    if (deep !== undefined) {
      if (any ? mayMeetAt(path, list, deep) : surelyCoversAt(path, list, deep)) return true;
      continue;
    }
    const last = list.at(-1);
    if (last?.kind === "part" && (!end || !(any ? partsMeet(end, last) : partCovered(end, last)))) continue;
    if (any ? mayMeet(path, list) : surelyCovers(path, list)) return true;
  }
  return false;
}

function someCovers(
  path: readonly Component[],
  alternatives: readonly Alternative[],
  any: boolean,
  foldersOnly: boolean,
): boolean {
  const [only] = path;
  // A path that may be any may be in every row, as the walk over each of them would find.
  if (any && path.length === 1 && only?.kind === "deep" && only.hidden)
    return alternatives.some(({ anywhere }) => !(foldersOnly && anywhere));
  for (const { list, anywhere } of alternatives) {
    spend(path.length >> 4);
    if ((foldersOnly && anywhere) || beginsApart(path, list, any)) continue;
    if (any ? mayMeet(path, list) : surelyCovers(path, list)) return true;
  }
  return false;
}

/** True if components that stand opposite each other, before any `**`, rule a row out: the usual case, told at once. */
function beginsApart(path: readonly Component[], list: readonly Component[], any: boolean): boolean {
  for (let i = 0; i < path.length && i < list.length; i++) {
    const [own, other] = [path[i] as Component, list[i] as Component];
    if (own.kind === "deep" || other.kind === "deep") return false;
    if (!(any ? partsMeet(own, other) : partCovered(own, other))) return true;
  }
  return false;
}
