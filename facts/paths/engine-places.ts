import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { besideClasses } from "../glob-classes.ts";
import { spendText } from "../meter.ts";
import type { MatchOptions } from "./match.ts";
import { placeOf } from "./resolve.ts";
import { inRows } from "./row-index.ts";

/** Tables of one list of places: the places with all beneath them, and the folders above them. */
interface PlaceRows {
  readonly places: readonly string[];
  readonly above: readonly string[];
}

/** Tables by their list, and by its text where each event brings a list of its own; only ever a repetition of pure work. */
const byList = new WeakMap<readonly string[], PlaceRows>();
const byText = new Map<string, PlaceRows>();
const maxLists = 16;

/**
 * True if a path is, or lies below, one of the files and folders that the engine runs from on this machine
 * (`environment.engine`). A glob counts if its known part points to them (`isTelling`).
 */
export function inEnginePlaces(path: PathValue, environment: Environment, options: MatchOptions): boolean {
  const rows = rowsOf(environment.engine);
  return rows !== undefined && isTelling(path, environment) && inRows(path, rows.places, options);
}

/**
 * True if a path is a folder above one of those places: moving, deleting or replacing it takes the engine with it. The root is
 * left out, since every path begins there. `contents` are the path, and the folder whose whole content it means.
 */
export function aboveEnginePlaces(
  path: PathValue,
  contents: readonly PathValue[],
  environment: Environment,
  options: MatchOptions,
): boolean {
  const rows = rowsOf(environment.engine);
  if (rows === undefined || rows.above.length === 0 || !isTelling(path, environment)) return false;
  return contents.some((each) => inRows(each, rows.above, options));
}

/** Rows of those places. */
export function enginePlaceRows({ engine }: Environment): readonly string[] {
  return rowsOf(engine)?.places ?? [];
}

function rowsOf(places: readonly string[] | undefined): PlaceRows | undefined {
  if (places === undefined || places.length === 0) return undefined;
  const same = byList.get(places);
  if (same) return same;
  const key = places.join("\0");
  spendText(4 * key.length);
  const made = byText.get(key) ?? tablesOf(places);
  if (byText.size >= maxLists) byText.clear();
  byText.set(key, made);
  byList.set(places, made);
  return made;
}

function tablesOf(places: readonly string[]): PlaceRows {
  const listed: string[] = [];
  const above = new Set<string>();
  for (const place of places) {
    const parts = placeOf(place)
      .split("/")
      .filter((part) => part !== "")
      .map((part) => part.replace(/[*?[\]{}\\!]/g, "\\$&"));
    if (parts.length === 0) continue;
    listed.push(`/${parts.join("/")}/`);
    for (let end = parts.length - 1; end > 0; end--) above.add(`/${parts.slice(0, end).join("/")}`);
  }
  return { places: listed, above: [...above] };
}

/**
 * True but for a glob that says nothing of where it aims: `*` in a project or a home folder may name anything there, while
 * `~/.nv*`, `n*` and `/opt/tools/*` spell a part of the way.
 */
function isTelling(path: PathValue, { home, workspace }: Environment): boolean {
  if (!path.pattern || path.holes) return true;
  if (path.lexical === "/**") return false;
  return tells(path.lexical, home, workspace) || (path.real !== path.lexical && tells(path.real, home, workspace));
}

function tells(glob: string, home: string, workspace: string): boolean {
  const parts = glob.split("/").slice(1);
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  if (parts.slice(Math.max(first, 0)).some((part) => /[\p{L}\p{N}]/u.test(besideClasses(part).join("")))) return true;
  const fixed = `/${parts.slice(0, first).join("/")}`;
  return fixed !== "/" && ![home, workspace].some((folder) => `${placeOf(folder)}/`.startsWith(`${fixed}/`));
}
