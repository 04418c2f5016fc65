import { readdirSync, statSync } from "node:fs";
import { basename, join, parse } from "node:path";
import { limits } from "../../schema/limits.ts";
import { readRegularFile } from "../regular-file.ts";
import { type ModuleFolders, type ProfileName, profiles } from "./profiles.ts";

/** When a discovered hook is meant to run, from its folder `pre` or `post`. An extension registers its events itself. */
export type HookType = "pre" | "post" | "extension";

/** One file in a hooks folder. */
export interface HookFile {
  readonly type: HookType;
  /** The tool the file is for: its name without extension. `*` for an extension. */
  readonly tool: string;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly level: "project" | "user";
}

/** A file with its provider. If another file won its key, `shadowedBy` is the path of that file. */
export interface DiscoveredHook extends HookFile {
  readonly provider: string;
  readonly key: string;
  readonly shadowedBy?: string;
}

/** A place where hooks are found. Higher priority comes first and wins. */
export interface HookProvider {
  readonly name: string;
  readonly priority: number;
  list(cwd: string, home: string): readonly HookFile[];
}

/** Where the modules of each profile are found; the folders are the profile's own data. */
export const hookProviders: Readonly<Record<ProfileName, readonly HookProvider[]>> = {
  pi: profiles.pi.moduleFolders.map(providerOf),
  "omp-hookapi": profiles["omp-hookapi"].moduleFolders.map(providerOf),
  omp: profiles.omp.moduleFolders.map(providerOf),
};

/** The project's modules, then the user's: load order is precedence. */
function providerOf({ provider, priority, layout, project, user }: ModuleFolders): HookProvider {
  const inFolder = layout === "hooks" ? hooksIn : extensionsIn;
  const under = (base: string, folders: readonly string[], level: HookFile["level"]): HookFile[] =>
    folders.flatMap((folder) => inFolder(join(base, folder), level));
  return {
    name: provider,
    priority,
    list: (cwd, home) => [...under(cwd, project, "project"), ...under(home, user, "user")],
  };
}

function hooksIn(folder: string, level: HookFile["level"]): HookFile[] {
  return (["pre", "post"] as const).flatMap((type) => filesOf(join(folder, type), type, level));
}

/** Modules in a folder, and folders in it with a manifest or an index (hosts page, section 2, "Loading"). */
function extensionsIn(folder: string, level: HookFile["level"]): HookFile[] {
  return sortedNames(folder)
    .flatMap((entry) => extensionsOf(join(folder, entry)))
    .map((path) => ({ type: "extension", tool: "*", name: basename(path), path, level }));
}

const moduleName = /\.[cm]?[jt]s$/;

/** Lists the modules of one entry in an extensions folder: the file itself, or a folder's manifest entries or index. */
function extensionsOf(path: string): string[] {
  if (isFile(path)) return moduleName.test(path) ? [path] : [];
  const named = manifestEntries(join(path, "package.json")).map((entry) => join(path, entry));
  if (named.length > 0) return named;
  const index = ["index.ts", "index.js", "index.mts", "index.mjs"].map((name) => join(path, name)).find(isFile);
  return index === undefined ? [] : [index];
}

/** Lists `omp.extensions` or else `pi.extensions` of a manifest, which both hosts read; empty if it cannot be read. */
function manifestEntries(path: string): string[] {
  try {
    const read = readRegularFile(path, limits.hookModuleBytes);
    if (typeof read !== "object" || !("bytes" in read)) return [];
    const manifest = JSON.parse(Buffer.from(read.bytes).toString("utf8")) as Record<
      string,
      { extensions?: unknown } | undefined
    >;
    const entries = manifest["omp"]?.extensions ?? manifest["pi"]?.extensions;
    return Array.isArray(entries) ? entries.filter((entry) => typeof entry === "string") : [];
  } catch {
    return [];
  }
}

/** Lists the files of one folder in byte order, the same on every file system (the seed leaves the order to `readdir`). */
function filesOf(folder: string, type: HookType, level: HookFile["level"]): HookFile[] {
  return sortedNames(folder)
    .filter((name) => isFile(join(folder, name)))
    .map((name) => ({ type, tool: parse(name).name, name, path: join(folder, name), level }));
}

function sortedNames(folder: string): string[] {
  return namesOf(folder)
    .filter((name) => !name.startsWith("."))
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Lists all hook files by the priority of their provider. The first file with a key `${type}:${tool}:${name}` wins, and
 * the others are marked as shadowed. Extensions shadow nothing, because hosts load all of them.
 * Source: seed omp-hooks, "Discovery-level ordering".
 */
export function discoverHooks(
  cwd: string,
  home: string,
  providers: readonly HookProvider[] = hookProviders["omp-hookapi"],
): DiscoveredHook[] {
  const winners = new Map<string, string>();
  const byPriority = [...providers].sort((left, right) => right.priority - left.priority);
  return byPriority.flatMap((provider) =>
    provider.list(cwd, home).map((file) => {
      const key = `${file.type}:${file.tool}:${file.type === "extension" ? file.path : file.name}`;
      const winner = winners.get(key);
      if (winner === undefined) winners.set(key, file.path);
      return { ...file, provider: provider.name, key, ...(winner === undefined ? {} : { shadowedBy: winner }) };
    }),
  );
}
