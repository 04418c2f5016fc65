import type { PathValue, TreeTakes } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { foldName } from "../tables/case-folding.ts";
import {
  type Component,
  literalComponents,
  mayMeet,
  type Part,
  partsMeet,
  policyComponents,
  unknownComponents,
} from "./pattern.ts";
import type { Seen } from "./tree-walk.ts";
import { treeOf } from "./whole-trees.ts";

/** Which entries beneath a folder a call takes. */
export interface Taking {
  /** Folder at which a walk starts, by its real components. */
  readonly root: readonly [lexical: string, real: string];
  readonly takes: (seen: Seen) => boolean;
}

/** Returns which entries a path takes if it has a glob or includes everything below it. */
export function takingOf(path: PathValue): Taking {
  const { takes } = path;
  const own = (seen: Seen): boolean => takes === undefined || takesSeen(takes, seen);
  if (!path.pattern) return { root: [path.lexical, path.real], takes: own };
  const [lexical] = splitGlob(path.lexical);
  const [real, rest] = splitGlob(path.real);
  const named = rest.flatMap((part, i): Component[] => unknownComponents(part).map(asNamed(rest[i - 1] === "**")));
  const wanted = path.tree ? treeOf(named) : named;
  const isNamed = ({ names }: Seen): boolean => {
    const text = names.join("/");
    return mayMeet(literalComponents(path.fold ? foldName(text) : text), wanted);
  };
  return { root: [lexical, real], takes: (seen) => own(seen) && isNamed(seen) };
}

/** A leading wildcard does not match a dot, except where everything beneath is walked. */
function asNamed(beneath: boolean): (one: Component) => Component {
  return (one) => (one.kind === "deep" || beneath ? one : withoutDot(one));
}

function withoutDot(part: Part): Part {
  const first = part.first;
  const spelled = first !== "star" && first?.length === 1 && first[0]?.[0] === 0x2e;
  return { ...part, hidden: spelled };
}

/** The folder before the first wildcard, and the names behind it. */
function splitGlob(path: string): readonly [folder: string, rest: readonly string[]] {
  const parts = path.split("/").filter((part) => part !== "");
  const at = parts.findIndex((part) => /[*?[]/.test(part));
  const end = at < 0 ? parts.length : at;
  return [`/${parts.slice(0, end).join("/")}`, parts.slice(end)];
}

function takesSeen({ what, only, not, notFolders }: TreeTakes, seen: Seen): boolean {
  const { names, kind, hidden, ignored } = seen;
  if (what === "visible" && (hidden || ignored.search)) return false;
  if (what === "tracked" && (ignored.git || names[0] === ".git")) return false;
  const name = names.at(-1) as string;
  const isFolder = kind === "directory";
  if (notFolders && names.slice(0, isFolder ? undefined : -1).some((one) => isNamed(one, notFolders))) return false;
  if (not && !isFolder && isNamed(name, not)) return false;
  // Of a folder whose files are chosen by name nothing is taken but those.
  return only === undefined || (!isFolder && isNamed(name, only));
}

function isNamed(name: string, globs: readonly string[]): boolean {
  const { literals, wild } = sortedNames(globs);
  if (literals.has(name)) return true;
  spend(wild.length >> 2);
  return wild.some((part) => mayMeet(literalComponents(name), [part]));
}

/** The names that globs spell, which one look tells, and those that have wildcards. */
interface SortedNames {
  readonly literals: ReadonlySet<string>;
  readonly wild: readonly Part[];
}

const sortedBefore = new WeakMap<readonly string[], SortedNames>();

function sortedNames(globs: readonly string[]): SortedNames {
  const made = sortedBefore.get(globs);
  if (made) return made;
  const parts = namesOf(globs);
  const literals = new Set(parts.flatMap(({ literal }) => (literal === undefined ? [] : [literal])));
  const sorted = { literals, wild: parts.filter(({ literal }) => literal === undefined) };
  sortedBefore.set(globs, sorted);
  return sorted;
}

/** Globs of names by their list; only ever a repetition of the same pure work. */
const known = new WeakMap<readonly string[], readonly Part[]>();

function namesOf(globs: readonly string[]): readonly Part[] {
  const made = known.get(globs);
  if (made) return made;
  const parts = globs
    .flatMap((glob) => policyComponents(glob) ?? [unknownComponents("*")])
    .flatMap((list) => list.filter((one): one is Part => one.kind === "part"));
  known.set(globs, parts);
  return parts;
}

/** True if the selection may include a name that the pattern matches, independent of the disk. */
export function mayTake(takes: TreeTakes | undefined, pattern: readonly Component[]): boolean {
  if (!takes) return true;
  const last = pattern.at(-1);
  const name = last?.kind === "part" ? last : undefined;
  // Whose ending is not told may be no such file.
  if (takes.what === "sources" && (name === undefined || name.last === "star")) return false;
  if (takes.what === "visible" && namesHidden(pattern)) return false;
  if (takes.not && name?.literal !== undefined && isNamed(name.literal, takes.not)) return false;
  return takes.only === undefined || name === undefined || namesOf(takes.only).some((part) => partsMeet(part, name));
}

/** True for a pattern that names what is hidden alone, once it has begun to name what lies beneath. */
function namesHidden(pattern: readonly Component[]): boolean {
  const deep = pattern.findIndex(({ kind }) => kind === "deep");
  return pattern.slice(deep + 1).some((one) => one.kind === "part" && isDot(one));
}

function isDot({ first }: Part): boolean {
  return (
    first !== undefined && first !== "star" && first.length === 1 && first[0]?.[0] === 0x2e && first[0]?.[1] === 0x2e
  );
}

/** True if a folder takes a fixed place beneath it, which need not be there. */
export function takesPlace(takes: TreeTakes, folder: readonly Component[], place: readonly Component[]): boolean {
  const { what, only, not, notFolders } = takes;
  // The folder lies in the place.
  if (place.length <= folder.length) return true;
  const names = place.slice(folder.length);
  const literals = names.flatMap((one) => (one.kind === "part" && one.literal !== undefined ? [one.literal] : []));
  if (what === "visible" && names.some((one) => one.kind === "part" && isDot(one))) return false;
  const end = place.at(-1);
  const file = end?.kind === "part" ? end.literal : undefined;
  if (not && file !== undefined && isNamed(file, not)) return false;
  if (notFolders && (file === undefined ? literals : literals.slice(0, -1)).some((one) => isNamed(one, notFolders)))
    return false;
  if (what === "sources" && (end?.kind !== "part" || end.last === "star")) return false;
  return only === undefined || end?.kind !== "part" || namesOf(only).some((part) => partsMeet(part, end));
}
