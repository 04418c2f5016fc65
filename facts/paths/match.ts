import type { PathValue, TreeTakes } from "../../schema/facts.ts";
import type { Forms } from "../../schema/ports.ts";
import { spend, unitsLeft } from "../meter.ts";
import { foldName } from "../tables/case-folding.ts";
import type { Component } from "./pattern.ts";
import {
  literalComponents,
  maxAlternatives,
  mayMeet,
  namingComponents,
  policyComponents,
  shellComponents,
  surelyCovers,
  unknownComponents,
} from "./pattern.ts";
import { tells } from "./telling.ts";
import { mayTake, takesPlace } from "./tree-takes.ts";
import { coversTree, floats, meetsTree, treeOf } from "./whole-trees.ts";

/** How a path is compared: which forms must hold, and the home folder for `~/` in a pattern. */
export interface MatchOptions {
  readonly forms: Forms;
  /** Home folder; empty when unknown, and then `~/x` matches `x` in any folder. */
  readonly home: string;
  /** Folder that a relative glob with a folder in it means first, where a whole tree is compared. */
  readonly workspace?: string;
}

/** A path prepared for comparison with many patterns, with the results of earlier comparisons. */
export interface PreparedPath {
  /** Components of its forms, folded where the volume folds; one and the same list where the forms do not differ. */
  readonly forms: readonly [lexical: Component[], real: Component[]];
  /** True if the path includes everything below it. */
  readonly tree: boolean;
  /** The part of the tree that is taken, if not all of it. */
  readonly takes: TreeTakes | undefined;
  /** Answers of tables of patterns (`row-index.ts`), by the number of the table: two bits for each question. */
  readonly answers: Map<number, number>;
  /**
   * Units that each answer cost, if any. They are spent again at each use of the cached answer, so that a call's cost does not
   * depend on earlier calls.
   */
  readonly costs: Map<number, number>;
}

/** Prepared paths by their value, which one decision compares with many patterns. */
const prepared = new WeakMap<PathValue, PreparedPath>();
/**
 * The same by their text, since a session speaks of the same files again and again; bounded, and only ever a repetition of
 * the same pure work.
 */
const preparedTexts = new Map<string, PreparedPath>();
const maxPrepared = 2_000;
const maxPreparedText = 512;

/** Returns the prepared form of a path; the same object for all values that compare alike. */
export function preparedPath(path: PathValue): PreparedPath {
  spend(1 + ((path.lexical.length + path.real.length) >> 5));
  const known = prepared.get(path);
  if (known) return known;
  const made = preparedText(path);
  prepared.set(path, made);
  return made;
}

/**
 * Returns a short key for a selection (`TreeTakes`): many paths often share one. Long selections get a number of their own,
 * even if two are equal.
 */
export function takesKey(takes: TreeTakes): string {
  const known = takesKeys.get(takes);
  if (known !== undefined) return known;
  const text = JSON.stringify(takes);
  const key = text.length <= longestTakes ? text : `#${nextTakes++}`;
  takesKeys.set(takes, key);
  return key;
}

const takesKeys = new WeakMap<TreeTakes, string>();
const longestTakes = 64;
let nextTakes = 0;

/** A text that is the same for all paths that compare alike. */
export function preparedKey({ lexical, real, fold, pattern, tree, holes, dots, takes }: PathValue): string {
  const kind = `${fold ? "f" : ""}${holes || dots === "folders" ? "h" : dots ? "d" : pattern ? "p" : ""}${tree ? "t" : ""}${takes ? takesKey(takes) : ""}`;
  return real === lexical ? `${kind}=${lexical}` : `${kind}${lexical.length}=${lexical}${real}`;
}

function preparedText(path: PathValue): PreparedPath {
  const text = preparedKey(path);
  if (text.length > maxPreparedText) return made(path);
  const known = preparedTexts.get(text);
  if (known) return known;
  const fresh = made(path);
  if (preparedTexts.size >= maxPrepared) preparedTexts.clear();
  preparedTexts.set(text, fresh);
  return fresh;
}

function made(path: PathValue): PreparedPath {
  const { tree, takes } = path;
  return { forms: componentForms(path), tree: tree === true, takes, answers: new Map(), costs: new Map() };
}

type FormComponents = PreparedPath["forms"];

function componentsOf({ holes, dots, pattern }: PathValue): (text: string) => Component[] {
  if (holes || dots === "folders") return unknownComponents;
  if (dots) return namingComponents;
  return pattern ? shellComponents : literalComponents;
}

function componentForms(path: PathValue): FormComponents {
  const make = componentsOf(path);
  const lexical = make(path.fold ? foldName(path.lexical) : path.lexical);
  return [lexical, path.real === path.lexical ? lexical : make(path.fold ? foldName(path.real) : path.real)];
}

/** Tests the requested forms of a path: `any` holds if one form may match, `all` if both surely match. */
function holds(path: PathValue, forms: Forms, pattern: readonly (readonly Component[])[]): boolean {
  const { forms: own, tree, takes } = preparedPath(path);
  return eachForm(own, forms, (form) => pattern.some((list) => fits(form, list, forms, tree, takes)));
}

/** Judges the forms of a path: one suffices for `any`, and `all` asks for both. */
export function eachForm(
  [lexical, real]: PreparedPath["forms"],
  forms: Forms,
  test: (form: readonly Component[]) => boolean,
): boolean {
  const first = test(lexical);
  return real === lexical || first === (forms === "any") ? first : test(real);
}

/** True if a path, or with `tree` anything below it, may match the pattern; with `all`, if it surely does. */
function fits(
  path: readonly Component[],
  pattern: readonly Component[],
  forms: Forms,
  tree: boolean,
  takes: TreeTakes | undefined,
): boolean {
  if (forms === "any") return mayMeet(path, pattern) || (tree && meetsTaken(path, pattern, takes));
  return tree ? coversTree(path, pattern) : surelyCovers(path, pattern);
}

/** Like `meetsTree`, for a folder that may be taken only in part. */
export function meetsTaken(
  folder: readonly Component[],
  pattern: readonly Component[],
  takes: TreeTakes | undefined,
): boolean {
  return meetsTree(folder, pattern) && (takes === undefined || takesPlace(takes, folder, pattern));
}

/**
 * True if the path is the folder or lies beneath it, compared by component. A folder given as a path is compared in
 * both its forms, since both name one place; folded text and a trailing slash make no difference.
 * Beneath an unknown home any path may lie. With `forms: "any"` one form of the path suffices and a glob path counts
 * if it may lie there; with `all` both must.
 */
export function within(path: PathValue, folder: string | PathValue, options: MatchOptions): boolean {
  if (typeof folder === "string" && folder.startsWith("~") && options.home === "") return options.forms === "any";
  return holds(path, options.forms, folderPatterns(folder, options.home, path.fold));
}

/** Returns the patterns for a folder and everything in it, one for each form. */
export function folderPatterns(
  folder: string | PathValue,
  home: string,
  fold: boolean,
): readonly (readonly Component[])[] {
  const texts =
    typeof folder === "string"
      ? [untilde(folder, home)]
      : folder.real === folder.lexical
        ? [folder.real]
        : [folder.lexical, folder.real];
  return texts.filter((text) => text !== "").map((text) => beneath(text, fold));
}

/** Patterns for everything in a folder, by folder; bounded like `cache`. */
const folders = new Map<string, readonly Component[]>();

function beneath(folder: string, fold: boolean): readonly Component[] {
  const key = (fold ? "1" : "0") + folder;
  const known = folders.get(key);
  if (known) return known;
  const made: Component[] = [...literalComponents(fold ? foldName(folder) : folder), { kind: "deep", hidden: true }];
  if (folders.size >= 500) folders.clear();
  folders.set(key, made);
  return made;
}

/**
 * True if the path matches the glob: `*` and `?` inside a component, `**` across components, `[a-z]`, `{a,b}`, backslash before a
 * literal. A pattern that is not absolute matches in any folder (`*.pem` is `**` + `/*.pem`), `~/` is the home folder. A trailing
 * `/**` matches everything below, and the folder itself if it is taken as a whole. `forms` as for `within`. A pattern over its
 * bound (`globError`) may match, but never surely.
 */
export function glob(path: PathValue, pattern: string, options: MatchOptions): boolean {
  const lists = compiled(pattern, options.home, path.fold);
  if (!lists) return options.forms === "any";
  if (path.content && options.forms === "any") return inContent(path, pattern, lists, options);
  if (holds(path, options.forms, lists)) return true;
  return path.tree === true && options.forms === "any" && meetsPlaced(path, [pattern], options);
}

/**
 * True if a folder, or anything below it, is the first meaning of a relative glob: `migrations/**` matches any folder of that
 * name, but primarily the workspace's.
 */
export function meetsPlaced(path: PathValue, patterns: readonly string[], { workspace }: MatchOptions): boolean {
  if (!workspace) return false;
  const { forms, takes } = preparedPath(path);
  return patterns.some((pattern) => {
    if (!/^(?:\.\/)*[^/*?[\]{}\\~!]+\//.test(pattern)) return false;
    const lists = compiled(`${escaped(workspace)}/${pattern.replace(/^(?:\.\/)+/, "")}`, "", path.fold) ?? [];
    return eachForm(forms, "any", (form) => lists.some((list) => meetsTaken(form, list, takes)));
  });
}

/**
 * The same for a folder or glob whose content was looked up: a floating test holds for the found paths, and for those that the
 * path itself names.
 */
function inContent(
  path: PathValue,
  pattern: string,
  lists: readonly (readonly Component[])[],
  options: MatchOptions,
): boolean {
  const { content, ...own } = path;
  if (!content?.asked.has(pattern)) return glob(own, pattern, options);
  const { forms, tree, takes } = preparedPath(path);
  const holdsHere = (form: readonly Component[], list: readonly Component[]): boolean =>
    floats(list) ? namesSurely(path, form, list) : fits(form, list, "any", tree, takes);
  if (eachForm(forms, "any", (form) => lists.some((list) => holdsHere(form, list)))) return true;
  // Where the disk does not tell, the first meaning of a relative glob counts as present (decision 22).
  if (tree && !path.pattern && content.unseen !== undefined && meetsPlaced(path, [pattern], options)) return true;
  return content.found.some((one) => glob(one, pattern, options));
}

/** True if a path names by its own words what the pattern names: a glob surely, or by a character that tells. */
function namesSurely(path: PathValue, form: readonly Component[], list: readonly Component[]): boolean {
  const { tree, takes } = preparedPath(path);
  if (!path.pattern) return mayMeet(form, list) || (tree && meetsTaken(form, list, takes));
  return surelyCovers(form, list) || tells(form, list, tree);
}

/** True if only a look at the disk can tell whether a restricting test holds for a folder, or for the matches of a glob. */
export function asksDisk(path: PathValue, pattern: string, { home }: MatchOptions): boolean {
  if (path.holes || path.partly || !(path.tree || path.pattern)) return false;
  const { forms, tree, takes } = preparedPath(path);
  return (compiled(pattern, home, path.fold) ?? []).some(
    (list) =>
      floats(list) &&
      mayTake(takes, list) &&
      eachForm(forms, "any", (form) => mayMeet(tree ? treeOf(form) : form, list)) &&
      !eachForm(forms, "any", (form) => namesSurely(path, form, list)),
  );
}

/** Returns what is wrong with a glob, or undefined. */
export function globError(pattern: string): string | undefined {
  if (pattern === "") return "glob is empty";
  if (pattern.includes("\0")) return "glob holds a NUL character";
  return policyComponents(pattern)
    ? undefined
    : `braces of the glob stand for more than ${maxAlternatives} alternatives`;
}

/** Compiled patterns by text; bounded, and only ever a repetition of the same pure work. */
const cache = new Map<string, Globbed>();

/** Alternatives of a glob, and the units that making them cost: spent again where they are known already. */
interface Globbed {
  readonly lists: readonly (readonly Component[])[] | undefined;
  readonly cost: number;
}

/** Returns the alternatives of a glob as components from the root; undefined for a glob over its bound. */
export function compiled(pattern: string, home: string, fold: boolean): readonly (readonly Component[])[] | undefined {
  const key = `${fold ? 1 : 0}${pattern.startsWith("~") ? home : ""}\0${pattern}`;
  const known = cache.get(key);
  if (known) {
    spend(known.cost);
    return known.lists;
  }
  const before = unitsLeft();
  const rooted = anchored(pattern, home);
  const lists = policyComponents(fold ? foldName(rooted) : rooted);
  if (cache.size > 2_000) cache.clear();
  cache.set(key, { lists, cost: before - unitsLeft() });
  return lists;
}

/** Returns the pattern as an absolute one. */
function anchored(pattern: string, home: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/, "");
  if (plain.startsWith("/") || plain.startsWith("**")) return plain;
  if (plain === "~" || plain.startsWith("~/")) return untilde(plain, escaped(home));
  const drive = /^([A-Za-z]):[\\/]/.exec(plain);
  return drive ? `/${drive[1]?.toUpperCase()}:/${plain.slice(3).replaceAll("\\", "/")}` : `**/${plain}`;
}

function untilde(text: string, home: string): string {
  if (text !== "~" && !text.startsWith("~/")) return text;
  return home === "" ? `**${text.slice(1)}` : home + text.slice(1);
}

/** A literal folder inside a pattern. */
function escaped(folder: string): string {
  return folder.replace(/[*?[\]{}\\]/g, "\\$&");
}
