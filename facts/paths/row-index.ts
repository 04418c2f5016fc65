import type { PathValue } from "../../schema/facts.ts";
import type { Forms } from "../../schema/ports.ts";
import { compiled, formsOf, type MatchOptions } from "./match.ts";
import type { Component, Part } from "./pattern.ts";
import { mayMeet, partCovered, partsMeet, surelyCovers } from "./pattern.ts";

/** One alternative of a row. `anywhere` tells that the row names no folder. */
interface Alternative {
  readonly list: readonly Component[];
  readonly anywhere: boolean;
}

/** Alternatives that hold one literal name, which a path must hold too. */
interface Named {
  readonly name: Part;
  readonly alternatives: Alternative[];
}

/** Rows by a literal name that each must have; `rest` has none. */
interface Side {
  readonly all: Alternative[];
  readonly byName: Map<string, Named>;
  readonly rest: Alternative[];
}

/** Rows of a class made ready for one home: what they give, and what the `!` rows take away. */
interface RowIndex {
  readonly gives: Side;
  readonly takes: Side;
}

/** Tables by their rows; only ever a repetition of the same pure work, and bounded in homes. */
const indexes = new WeakMap<readonly string[], Map<string, RowIndex>>();
const maxHomes = 16;

/**
 * True if a path is in some row and in no `!` row. Each form is judged by itself, so that one form's exclusion cannot
 * clear the other. A row that ends in `/` is the folder and all beneath. `foldersOnly` leaves out rows without a folder.
 */
export function inRows(
  path: PathValue,
  rows: readonly string[],
  options: MatchOptions,
  foldersOnly: boolean = false,
): boolean {
  const { gives, takes } = indexOf(rows, options.home, path.fold);
  const [lexical, real] = formsOf(path);
  const { forms } = options;
  const opposite = forms === "any" ? "all" : "any";
  const first = inSide(lexical, gives, forms, foldersOnly) && !inSide(lexical, takes, opposite, false);
  if (real === lexical || first === (forms === "any")) return first;
  return inSide(real, gives, forms, foldersOnly) && !inSide(real, takes, opposite, false);
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
  const made: RowIndex = { gives: emptySide(), takes: emptySide() };
  for (const row of rows) {
    if (row.startsWith("!")) addRow(made.takes, row.slice(1), home, fold);
    else addRow(made.gives, row, home, fold);
  }
  if (byHome.size >= maxHomes) byHome.clear();
  byHome.set(key, made);
  return made;
}

function emptySide(): Side {
  return { all: [], byName: new Map(), rest: [] };
}

function addRow(side: Side, row: string, home: string, fold: boolean): void {
  const folder = row.endsWith("/") && row !== "/" ? row.slice(0, -1) : undefined;
  const anywhere = !row.includes("/");
  for (const glob of folder === undefined ? [row] : [folder, `${folder}/**`])
    for (const list of compiled(glob, home, fold) ?? []) add(side, { list, anywhere });
}

function add(side: Side, alternative: Alternative): void {
  side.all.push(alternative);
  const name = alternative.list.findLast((c): c is Part => c.kind === "part" && c.literal !== undefined);
  if (name?.literal === undefined) {
    side.rest.push(alternative);
    return;
  }
  const known = side.byName.get(name.literal);
  if (known) known.alternatives.push(alternative);
  else side.byName.set(name.literal, { name, alternatives: [alternative] });
}

function inSide(path: readonly Component[], side: Side, forms: Forms, foldersOnly: boolean): boolean {
  const any = forms === "any";
  // A `**` in the path may stand for any name.
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
  return someFits(path, side.rest, any, foldersOnly);
}

/** As `someCovers`, for a path without `**`: its last component must be the last of the row, which is looked at first. */
function someFits(
  path: readonly Component[],
  alternatives: readonly Alternative[],
  any: boolean,
  foldersOnly: boolean,
): boolean {
  const end = path.at(-1) as Part | undefined;
  for (const { list, anywhere } of alternatives) {
    if (foldersOnly && anywhere) continue;
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
  for (const { list, anywhere } of alternatives) {
    if (foldersOnly && anywhere) continue;
    if (any ? mayMeet(path, list) : surelyCovers(path, list)) return true;
  }
  return false;
}
