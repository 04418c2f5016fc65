import { limits } from "../../schema/limits.ts";
import type { Entry, FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { type IgnoreLines, ignoredBy, isIgnoreFile, withIgnoreFiles } from "./ignore-files.ts";

/** One thing that lies beneath the root of a walk. */
export interface Seen {
  /** Its names below the root. */
  readonly names: readonly string[];
  readonly kind: Entry["kind"];
  /** A name of it begins with a dot. */
  readonly hidden: boolean;
  /** Ignore files leave it out, or a folder above it. */
  readonly ignored: { readonly search: boolean; readonly git: boolean };
}

/** Scope of a walk through a folder. */
export interface Walk {
  /** The folder, real. */
  readonly root: string;
  /** True if some path takes hidden entries. */
  readonly hidden: boolean;
  /** True if some path takes ignored entries; otherwise ignored folders are not entered. */
  readonly ignored: boolean;
  /** Ignore files are read. */
  readonly ignores: boolean;
  /** Names of folders that are entered although they are usually not, since a test names them. */
  readonly entered: ReadonlySet<string>;
}

/**
 * Folders with many files made by others: they count by their names alone, unless the walk begins there. Source: the usual
 * `.gitignore` of each language.
 */
const closed: ReadonlySet<string> = new Set(
  [
    ".git .hg .svn node_modules bower_components .pnpm-store .venv venv .tox .nox __pycache__ .mypy_cache .pytest_cache",
    ".ruff_cache target .gradle .next .nuxt .turbo .parcel-cache .terraform",
  ].flatMap((line) => line.split(" ")),
);

interface Folder {
  readonly path: string;
  readonly names: readonly string[];
  readonly hidden: boolean;
  readonly ignored: Seen["ignored"];
  readonly lines: IgnoreLines;
}

/**
 * Walks a folder breadth first, by names alone, without following links, over at most `limits.treeEntries` entries. `visit` gets
 * each entry and returns whether to continue. Returns why the walk is incomplete; undefined if it saw all entries or `visit`
 * stopped it. Source: reach page, "Asking the disk".
 */
export function walkTree(walk: Walk, files: FileSystem, visit: (seen: Seen) => boolean): string | undefined {
  const { list } = files;
  if (!list) return "the disk is not known";
  const { kind } = files.lookup(walk.root);
  if (kind === "absent" || kind === "file") return undefined;
  if (kind !== "directory") return "what stands there cannot be looked at";
  const nothing = { search: false, git: false };
  const open: Folder[] = [{ path: walk.root, names: [], hidden: false, ignored: nothing, lines: [] }];
  let left: number = limits.treeEntries;
  let ignoreFiles: number = limits.ignoreFiles;
  let missing: string | undefined;
  for (const folder of open) {
    if (left === 0) return tooMany;
    const listed = list.call(files, folder.path, left);
    if (!listed) missing ??= `${shown(folder.names)} cannot be read`;
    if (listed?.missing === "unreadable names") missing ??= `${shown(folder.names)} has names that are no text`;
    const entries = [...(listed?.entries ?? [])].filter(({ name }) => name !== "").sort(byName);
    left -= listed?.entries.length ?? 0;
    const present = walk.ignores ? entries.filter(({ name }) => isIgnoreFile(name)).map(({ name }) => name) : [];
    ignoreFiles -= present.length;
    const lines =
      present.length === 0 || ignoreFiles < 0
        ? folder.lines
        : withIgnoreFiles(folder.lines, folder.path, present, folder.names.length, files);
    for (const { name, kind } of entries) {
      spend(2 + (folder.names.length >> 2) + (name.length >> 4));
      const names = [...folder.names, name];
      const hidden = folder.hidden || name.startsWith(".");
      const own = lines.length === 0 ? nothing : ignoredBy(lines, names, kind === "directory");
      const ignored = { search: folder.ignored.search || own.search, git: folder.ignored.git || own.git };
      if (!visit({ names, kind, hidden, ignored })) return undefined;
      if (kind !== "directory" || (hidden && !walk.hidden) || (ignored.search && ignored.git && !walk.ignored))
        continue;
      if (closed.has(name) && !walk.entered.has(name)) continue;
      open.push({ path: `${folder.path === "/" ? "" : folder.path}/${name}`, names, hidden, ignored, lines });
    }
    if (listed?.missing === "more") return tooMany;
  }
  return missing;
}

const tooMany = `it has more than ${limits.treeEntries} entries`;

function shown(names: readonly string[]): string {
  return names.length === 0 ? "it" : names.join("/");
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
