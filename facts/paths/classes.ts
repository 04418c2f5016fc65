import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import type { Forms } from "../../schema/ports.ts";
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
import type { MatchOptions } from "./match.ts";
import { within } from "./match.ts";
import { placeOf } from "./resolve.ts";
import { inRows } from "./row-index.ts";
import { spellsName } from "./telling-globs.ts";

/** Version of the class tables, for plans and audit records. Raised whenever a row changes. */
export const pathClassesVersion = "6";

/** Names of the path classes that `is` knows (language section 2). */
export const pathClasses = [
  "protected_root",
  "secret",
  "secret_folder",
  "agent_config",
  "engine",
  "workspace",
  "home",
  "temp",
  "device",
  "system",
] as const;

/** A name that `is` takes for a path. */
export type PathClass = (typeof pathClasses)[number];

/**
 * True if a path is of a class. `forms: "any"` over-approximates: one form suffices, and a glob path counts when it
 * may name something of the class; `all` holds only if both forms surely are. An unknown class name holds for nothing.
 * `secret_folder` is a folder that exists to hold secrets, or one of the home folder that holds some, or lies above it.
 * `workspace`, `home`, `temp`, `system` and `device` are the folder and all beneath; `protected_root` is one of the
 * places by itself, and `X/*` there counts as `X`, since it names all that X holds; a path whose beginning is not known is
 * a child of `/` only by a name that those usually have.
 */
export function pathClass(name: string, path: PathValue, environment: Environment, forms: Forms): boolean {
  const options: MatchOptions = { forms, home: placeOf(environment.home) };
  switch (name) {
    case "protected_root":
      return protectedRoot(path, environment, forms);
    case "secret":
      return inSecretRows(path, options);
    case "secret_folder":
      return secretFolder(path, options);
    case "agent_config":
      return inRows(path, agentConfigRows, options, !named(path));
    case "engine":
      return inRows(path, engineRows, options);
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
 * True unless the path is a glob whose last component names nothing: `*` in a project may expand to a key file, but
 * so may any folder hold one. Rows with a folder still count (`~/.aws/*`), and so does a glob with a name in it.
 */
function named(path: PathValue): boolean {
  if (!path.pattern) return true;
  const last = path.lexical.slice(path.lexical.lastIndexOf("/") + 1);
  return (
    path.lexical === "/**" || last.startsWith(".") || /[A-Za-z0-9_]|[^\x00-\x7f]/.test(last.replace(/\[[^\]]*\]/g, ""))
  );
}

/** A glob is of the class by a folder that it names, or by what it spells of a name. */
function inSecretRows(path: PathValue, options: MatchOptions): boolean {
  if (!path.pattern || path.lexical === "/**") return inRows(path, secretRows, options);
  return inRows(path, secretRows, options, true) || (inRows(path, secretRows, options) && spellsName(path, secretRows));
}

/**
 * True for a folder that holds secrets at a place that the table of them names, and for the home folder and all folders
 * above it: `~/.ssh`, `~`, `/`. Who reads it with all beneath reads them too. `X/*` counts as `X`.
 */
function secretFolder(path: PathValue, options: MatchOptions): boolean {
  const places = contents(path);
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

/** Of a path whose beginning is not known, a name at its end makes a child of `/` only where one has that name. */
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

/** The path, and the folder that it stands for all the content of: `X` for `X/*`, `X/.*`, `X/**`. */
function contents(path: PathValue): PathValue[] {
  // A path that may be any stands for itself alone.
  if (!path.pattern || path.lexical === "/**") return [path];
  const lexical = withoutWild(path.lexical);
  const real = withoutWild(path.real);
  return lexical === path.lexical && real === path.real ? [path] : [path, { ...path, lexical, real }];
}

function withoutWild(path: string): string {
  const parts = path.split("/").slice(1);
  while (parts.length > 0 && /^(?:\.?[*?]+|\.?\[[^\]]*\]\*+|\.\*|\*\.\*)$/.test(parts.at(-1) as string)) parts.pop();
  return `/${parts.join("/")}`;
}
