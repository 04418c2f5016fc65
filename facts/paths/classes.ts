import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import type { Forms } from "../../schema/ports.ts";
import { besideClasses } from "../glob-classes.ts";
import { spend, unitsLeft } from "../meter.ts";
import {
  agentConfigRows,
  deviceRows,
  engineRows,
  mountRows,
  rootRows,
  secretFolderRows,
  secretRows,
  systemRows,
  tempRows,
  usualRootRows,
} from "./class-rows.ts";
import { aboveEnginePlaces, enginePlaceRows, inEnginePlaces } from "./engine-places.ts";
import { isFixture } from "./fixtures.ts";
import type { MatchOptions } from "./match.ts";
import { eachForm, folderPatterns, preparedKey, preparedPath, within } from "./match.ts";
import { type Component, mayMeet } from "./pattern.ts";
import { placeOf } from "./resolve.ts";
import { inRows, rowPatterns } from "./row-index.ts";
import { spellsName } from "./telling-globs.ts";
import { mayTake } from "./tree-takes.ts";
import { treeOf } from "./whole-trees.ts";

/** Version of the class tables, for plans and audit records. Raised whenever a row changes. */
export const pathClassesVersion = "9";

/** Names of the path classes that `is` knows (language section 2). */
export const pathClasses = [
  "protected_root",
  "secret",
  "agent_config",
  "engine",
  "engine_place",
  "engine_folder",
  "fixture",
  "workspace",
  "home",
  "temp",
  "device",
  "system",
] as const;

/** A name that `is` takes for a path. */
export type PathClass = (typeof pathClasses)[number];

/** The class whose members may be in any folder; the disk is searched for them in a folder that is taken whole. */
export const floatingClass = "secret";

/** Name of that class's test among floating tests. */
export const floatingClassTest = `is: ${floatingClass}`;

/**
 * True if a path is of a class. `forms: "any"` over-approximates: one form suffices, and a glob path counts when it may name
 * something of the class; `all` holds only if both forms surely are. An unknown class name holds for nothing. `secret` includes a
 * folder that is taken whole and contains secrets at a place in the tables; for other places the disk decides. `engine` covers
 * names of hookwarden's own files, and `engine_place`: the places from which it runs on this machine, as the event's surroundings
 * list them. `engine_folder` is a folder above one of those places. `fixture` covers settings of a host that no agent of this
 * session reads, always in both forms. `workspace`, `home`, `temp`, `system` and `device` are the folder and everything below.
 * `protected_root` is one of the places itself; `X/*` there counts as `X`, because it names all of X's content. A path with an
 * unknown beginning counts as a child of `/` only with a name that is usual there.
 */
export function pathClass(name: string, given: PathValue, environment: Environment, forms: Forms): boolean {
  const path = given.dots ? withoutFolders(given, name === floatingClass) : given;
  const options: MatchOptions = { forms, home: placeOf(environment.home) };
  switch (name) {
    case "protected_root":
      return protectedRoot(itself(path), environment, forms);
    case "secret":
      return inSecretRows(itself(path), options) || takesSecrets(path, options) || holdsSecret(path, options);
    case "agent_config":
      return inRows(path, agentConfigRows, options, !named(path));
    case "engine":
      return inRows(itself(path), engineRows, options) || inEnginePlaces(itself(path), environment, options);
    case "engine_place":
      return inEnginePlaces(itself(path), environment, options);
    case "engine_folder":
      return aboveEnginePlaces(itself(path), contents(itself(path)), environment, options);
    case "fixture":
      return isFixture(path, environment);
    case "workspace":
      return environment.workspace !== "" && within(path, placeOf(environment.workspace), options);
    case "home":
      return environment.home !== "" && within(path, options.home, options);
    case "temp":
      return inRows(path, tempRows, options) || inTempVariable(path, environment, options);
    case "device":
      return inRows(path, deviceRows, options);
    case "system":
      return inRows(path, systemRows, options);
    default:
      return false;
  }
}

/**
 * Returns a `find` glob as classes read it: it excludes hidden folders, because nearly every search starts above one that some
 * class names. `spelled` is true if a class tests whether the glob spells a hidden name.
 */
function withoutFolders({ dots: _, ...path }: PathValue, spelled: boolean): PathValue {
  return spelled ? { ...path, dots: "names" } : path;
}

/** Returns the patterns of a class, to compare with the known part of a path. */
export function classPatterns(
  name: string,
  path: PathValue,
  environment: Environment,
): readonly (readonly Component[])[] {
  const home = placeOf(environment.home);
  const rows = classRows(name, path, environment);
  const folder = name === "workspace" ? placeOf(environment.workspace) : name === "home" ? home : "";
  return [...rowPatterns(rows, home, path.fold), ...folderPatterns(folder, home, path.fold)];
}

function classRows(name: string, path: PathValue, environment: Environment): readonly string[] {
  if (name === "protected_root") return protectedRows(environment, path.loose === true);
  if (name === "engine_place") return enginePlaceRows(environment);
  if (name === "secret" && (path.tree || path.partly?.tree)) return takenSecretRows;
  return rowsByClass.get(name) ?? [];
}

const rowsByClass: ReadonlyMap<string, readonly string[]> = new Map([
  ["secret", secretRows],
  ["agent_config", agentConfigRows],
  ["engine", engineRows],
  ["temp", tempRows],
  ["device", deviceRows],
  ["system", systemRows],
]);

/** Rows by which a folder that is taken whole counts as secret. */
const takenSecretRows: readonly string[] = [...secretRows, ...secretFolderRows];

/** Cache of folders alone, by the path that includes all beneath: many tests ask for the same one. */
const folders = new WeakMap<PathValue, PathValue>();

/** Returns the path without the tree below it, because a folder's content is checked separately. */
function itself(path: PathValue): PathValue {
  if (!path.tree) return path;
  const known = folders.get(path);
  if (known) return known;
  const { tree: _, takes: _takes, content: _content, ...own } = path;
  folders.set(path, own);
  return own;
}

/**
 * True unless the path is a glob whose last component names nothing: `*` in a project may expand to a key file, but
 * so may any folder hold one. Rows with a folder still count (`~/.aws/*`), and so does a glob with a name in it.
 */
function named(path: PathValue): boolean {
  if (!path.pattern || path.holes) return true;
  const last = path.lexical.slice(path.lexical.lastIndexOf("/") + 1);
  return (
    path.lexical === "/**" || last.startsWith(".") || /[A-Za-z0-9_]|[^\x00-\x7f]/.test(besideClasses(last).join(""))
  );
}

/** True if a folder whose content was looked up holds a secret that was found there. */
function holdsSecret({ content }: PathValue, options: MatchOptions): boolean {
  if (options.forms === "all" || !content?.asked.has(floatingClassTest)) return false;
  return content.found.some((one) => inSecretRows(itself(one), options));
}

/** Cached answers about folders and globs, each with its cost; bounded, and only ever a repetition of the same pure work. */
const askedBefore = new Map<string, { readonly asks: boolean; readonly cost: number }>();
const maxAsked = 500;

/** True if only a look at the disk can tell whether a folder, or the expansion of a glob, holds a secret. */
export function asksForSecrets(path: PathValue, environment: Environment): boolean {
  if (path.holes || path.partly || !(path.tree || path.pattern)) return false;
  const home = placeOf(environment.home);
  const key = `${path.pattern ? 1 : 0}${home.length}\0${home}${preparedKey(path)}`;
  const known = askedBefore.get(key);
  if (known) {
    spend(known.cost);
    return known.asks;
  }
  const before = unitsLeft();
  const asks = mayHoldSecrets(path, home);
  if (askedBefore.size >= maxAsked) askedBefore.clear();
  askedBefore.set(key, { asks, cost: before - unitsLeft() });
  return asks;
}

function mayHoldSecrets(given: PathValue, home: string): boolean {
  const path = given.dots ? withoutFolders(given, false) : given;
  const options: MatchOptions = { forms: "any", home };
  if (inSecretRows(itself(path), options) || takesSecrets(path, options)) return false;
  const { forms, tree, takes } = preparedPath(path);
  return rowPatterns(secretRows, home, path.fold).some(
    (list) => mayTake(takes, list) && eachForm(forms, "any", (form) => mayMeet(tree ? treeOf(form) : form, list)),
  );
}

/** True for a path in the rows of secrets; a glob counts by a folder that it names, or by the part of a name that it spells. */
function inSecretRows(path: PathValue, options: MatchOptions): boolean {
  if (!path.pattern || path.holes || path.lexical === "/**") return inRows(path, secretRows, options);
  return inRows(path, secretRows, options, true) || (inRows(path, secretRows, options) && spellsName(path, secretRows));
}

/**
 * True where a folder is taken whole that holds secrets at a place that the table of them names, or is the home folder or one
 * above it: `~/.ssh`, `~`, `/`. `X/*` counts as `X`. Tests that loosen look at the folder itself.
 */
function takesSecrets(path: PathValue, options: MatchOptions): boolean {
  if (!path.tree || options.forms === "all") return false;
  const places = contents(itself(path));
  // `/etc/*` is all of `/etc`, and not the one folder of secrets that it also names.
  const judged = places.length > 1 && !named(path) ? places.slice(1) : places;
  return judged.some(
    (each) =>
      inRows(each, secretFolderRows, options, !named(each)) ||
      (options.home !== "" && inRows(each, placesAbove(options.home), options)),
  );
}

/** A folder and all above it, as rows; kept for the homes that were seen. */
const aboveTables = new Map<string, readonly string[]>();

function placesAbove(folder: string): readonly string[] {
  const known = aboveTables.get(folder);
  if (known) return known;
  if (aboveTables.size >= maxPlaces) aboveTables.clear();
  const rows = placesAndParents([folder]);
  aboveTables.set(folder, rows);
  return rows;
}

function inTempVariable(path: PathValue, environment: Environment, options: MatchOptions): boolean {
  return ["TMPDIR", "TEMP", "TMP"].some((name) => {
    const folder = Object.hasOwn(environment.variables, name) ? (environment.variables[name] as string) : "";
    // A variable that names `/` or a home would make everything temporary.
    return (
      folder.startsWith("/") &&
      folder.split("/").filter((part) => part !== "").length > 1 &&
      folder !== environment.home &&
      within(path, folder, options)
    );
  });
}

function protectedRoot(path: PathValue, environment: Environment, forms: Forms): boolean {
  const options: MatchOptions = { forms, home: placeOf(environment.home) };
  const rows = protectedRows(environment, path.loose === true);
  return contents(path).some((each) => inRows(each, rows, options));
}

/** Rows by home and workspace; bounded, and only ever a repetition of the same pure work. */
const protectedTables = new Map<string, readonly string[]>();
const maxPlaces = 16;

/** A path with an unknown beginning counts as a child of `/` only if its last name is the name of one. */
function protectedRows(environment: Environment, loose: boolean): readonly string[] {
  const key = `${environment.home}\0${environment.workspace}\0${loose}`;
  const known = protectedTables.get(key);
  if (known) return known;
  const rows = [
    ...(loose ? usualRootRows : rootRows),
    ...mountRows,
    ...placesAndParents([placeOf(environment.home), placeOf(environment.workspace)]),
  ];
  if (protectedTables.size >= maxPlaces) protectedTables.clear();
  protectedTables.set(key, rows);
  return rows;
}

/** The folders and all their parents up to `/`, as literal globs. */
function placesAndParents(folders: readonly string[]): string[] {
  const places = new Set<string>(["/"]);
  for (const folder of folders) {
    if (!folder.startsWith("/")) continue;
    const parts = folder.split("/").filter((part) => part !== "");
    for (let end = parts.length; end > 0; end--)
      places.add(
        `/${parts
          .slice(0, end)
          .join("/")
          .replace(/[*?[\]{}\\]/g, "\\$&")}`,
      );
  }
  return [...places];
}

/** Returns the path, and the folder whose whole content it means: `X` for `X/*`, `X/.*`, `X/**`. */
function contents(path: PathValue): PathValue[] {
  // A path that may be any path means only itself.
  if (!path.pattern || path.holes || path.lexical === "/**") return [path];
  spend(1 + ((path.lexical.length + path.real.length) >> 4));
  const lexical = withoutWild(path.lexical);
  const real = withoutWild(path.real);
  return lexical === path.lexical && real === path.real ? [path] : [path, { ...path, lexical, real }];
}

function withoutWild(path: string): string {
  const parts = path.split("/").slice(1);
  while (parts.length > 0 && /^(?:\.?[*?]+|\.?\[[^\]]*\]\*+|\.\*|\*\.\*)$/.test(parts.at(-1) as string)) parts.pop();
  return `/${parts.join("/")}`;
}
