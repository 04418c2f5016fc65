import type { PathValue } from "../../schema/facts.ts";
import type { Forms } from "../../schema/ports.ts";
import { foldName } from "../tables/case-folding.ts";
import type { Component } from "./pattern.ts";
import {
  literalComponents,
  maxAlternatives,
  mayMeet,
  policyComponents,
  shellComponents,
  surelyCovers,
} from "./pattern.ts";

/** How a path is compared: which forms must hold, and what `~/` in a pattern stands for. */
export interface MatchOptions {
  readonly forms: Forms;
  /** Home folder; empty when unknown, and then `~/x` matches `x` in any folder. */
  readonly home: string;
}

/** A path made ready to be compared with many patterns, and what comparing it came to. */
export interface PreparedPath {
  /** Components of its forms, folded where the volume folds; one and the same list where the forms do not differ. */
  readonly forms: readonly [lexical: Component[], real: Component[]];
  /** Answers of tables of patterns (`row-index.ts`), by the number of the table: two bits for each question. */
  readonly answers: Map<number, number>;
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

/** A path made ready; the same for all values that compare alike. */
export function preparedPath(path: PathValue): PreparedPath {
  const known = prepared.get(path);
  if (known) return known;
  const made = preparedText(path);
  prepared.set(path, made);
  return made;
}

function preparedText(path: PathValue): PreparedPath {
  const { lexical, real, fold, pattern } = path;
  const kind = `${fold ? "f" : ""}${pattern ? "p" : ""}`;
  const text = real === lexical ? `${kind}=${lexical}` : `${kind}${lexical.length}=${lexical}${real}`;
  if (text.length > maxPreparedText) return { forms: componentForms(path), answers: new Map() };
  const known = preparedTexts.get(text);
  if (known) return known;
  const made = { forms: componentForms(path), answers: new Map<number, number>() };
  if (preparedTexts.size >= maxPrepared) preparedTexts.clear();
  preparedTexts.set(text, made);
  return made;
}

/** Components of a path's forms. */
export function formsOf(path: PathValue): FormComponents {
  return preparedPath(path).forms;
}

type FormComponents = PreparedPath["forms"];

function componentForms(path: PathValue): FormComponents {
  const make = path.pattern ? shellComponents : literalComponents;
  const lexical = make(path.fold ? foldName(path.lexical) : path.lexical);
  return [lexical, path.real === path.lexical ? lexical : make(path.fold ? foldName(path.real) : path.real)];
}

/** Holds a test for the forms asked for: `any` may be so for one form, `all` is surely so for both. */
function holds(path: PathValue, forms: Forms, pattern: readonly (readonly Component[])[]): boolean {
  const [lexical, real] = formsOf(path);
  if (forms === "any")
    return pattern.some((list) => mayMeet(lexical, list) || (real !== lexical && mayMeet(real, list)));
  return (
    pattern.some((list) => surelyCovers(lexical, list)) &&
    (real === lexical || pattern.some((list) => surelyCovers(real, list)))
  );
}

/**
 * True if the path is the folder or lies beneath it, compared by component. A folder given as a path is compared in
 * both its forms, since both name one place; folded text and a trailing slash make no difference.
 * Beneath an unknown home any path may lie. With `forms: "any"` one form of the path suffices and a glob path counts
 * if it may lie there; with `all` both must.
 */
export function within(path: PathValue, folder: string | PathValue, options: MatchOptions): boolean {
  if (typeof folder === "string" && folder.startsWith("~") && options.home === "") return options.forms === "any";
  const texts =
    typeof folder === "string"
      ? [untilde(folder, options.home)]
      : folder.real === folder.lexical
        ? [folder.real]
        : [folder.lexical, folder.real];
  return holds(
    path,
    options.forms,
    texts.filter((text) => text !== "").map((text) => beneath(text, path.fold)),
  );
}

/** Folders as patterns for all that lies in them; bounded like `cache`. */
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
 * True if the path matches the glob: `*` and `?` inside a component, `**` across components, `[a-z]`, `{a,b}`,
 * backslash before a literal. A pattern that is not absolute matches in any folder (`*.pem` is `**` + `/*.pem`),
 * `~/` is the home folder, and a trailing `/**` is what lies beneath but not the folder itself.
 * `forms` as for `within`. A pattern over its bound (`globError`) counts as may-match and never as sure match.
 */
export function glob(path: PathValue, pattern: string, options: MatchOptions): boolean {
  const lists = compiled(pattern, options.home, path.fold);
  return lists ? holds(path, options.forms, lists) : options.forms === "any";
}

/** What is wrong with a glob, or undefined. */
export function globError(pattern: string): string | undefined {
  if (pattern === "") return "glob is empty";
  if (pattern.includes("\0")) return "glob holds a NUL character";
  return policyComponents(pattern)
    ? undefined
    : `braces of the glob stand for more than ${maxAlternatives} alternatives`;
}

/** Compiled patterns by text; bounded, and only ever a repetition of the same pure work. */
const cache = new Map<string, readonly (readonly Component[])[] | undefined>();

/** Alternatives of a glob as components from the root on; undefined for one over its bound. */
export function compiled(pattern: string, home: string, fold: boolean): readonly (readonly Component[])[] | undefined {
  const key = `${fold ? 1 : 0}${pattern.startsWith("~") ? home : ""}\0${pattern}`;
  if (cache.has(key)) return cache.get(key);
  if (cache.size > 2_000) cache.clear();
  const rooted = anchored(pattern, home);
  const lists = policyComponents(fold ? foldName(rooted) : rooted);
  cache.set(key, lists);
  return lists;
}

/** The pattern from the root on. */
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
