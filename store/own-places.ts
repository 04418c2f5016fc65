import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { limits } from "../schema/limits.ts";
import { placeOfPath } from "./place-folder.ts";
import { readOwn } from "./session-file.ts";

/** The running process: Node, its start file, and the resolver of real paths. */
export interface RunningProcess {
  readonly execPath: string;
  /** The program as it was called, which may be a link. */
  readonly argv0: string;
  /** The script that was started; of a host's process it is not ours. */
  readonly script: string | undefined;
  /** Address of this module, which tells the package that an application has loaded. */
  readonly module?: string;
  readonly realpath: (path: string) => string;
}

/** Surroundings in which places are searched. */
export interface OwnSurroundings {
  /** Home folder of the user whose policies judge. */
  readonly home: string;
  /** Folder of the trail, the keys and the caches; with it come the files that `install` noted there. */
  readonly state?: string;
  /** Policies and folders that a command line names, and other places of our running code. */
  readonly further?: readonly string[];
  readonly running?: RunningProcess;
}

const ownScripts = /^hookwarden(?:-[\w-]+)?\.c?js$/;
/** Matches the URL of a built file of ours. In another application's bundle, this module has the URL of that bundle. */
const ownModule = /^(file:.*\/dist)\/bin\/hookwarden[\w.-]*\.c?js$/;

/** The process of this code. */
const thisProcess: RunningProcess = {
  execPath: process.execPath,
  argv0: process.argv0,
  script: process.argv[1],
  // Made from a path in a bundle, which most hooks need not do.
  get module() {
    return import.meta.url;
  },
  realpath: realOf,
};

/**
 * Lists the files and folders from which hookwarden runs or is called on this machine, for the class `engine`
 * (`environment.engine`). These are Node, the folder of all places or the built modules with the launcher, the regex addon if npm
 * put it beside the package, the state folder, and `further`. They also include the host files that `install` wired, and what
 * their lines use: the daemon's socket, the package from which the place was filled, and its Node. Each is listed as written and
 * as its real path.
 *
 * Places inside another, and those that a row of the class already names, are left out, so that the usual records stay small.
 * Parent folders are not listed: the class `engine_folder` covers them. Never throws.
 */
export function ownPlaces(given: OwnSurroundings): readonly string[] {
  const { home, state, further = [], running = thisProcess } = given;
  const noted = state === undefined ? "" : changeOf(join(state, "installs"));
  const key = [home, state, noted, ...further].join("\0");
  const known = kept.get(running)?.get(key);
  if (known) return known;
  const made = placesOf(home, [...further, ...(state === undefined ? [] : [state, ...notedPlaces(state)])], running);
  const byKey = kept.get(running) ?? new Map<string, readonly string[]>();
  if (byKey.size >= keptLists) byKey.clear();
  kept.set(running, byKey.set(key, made));
  return made;
}

/** Neither a process nor its files move while it runs; a daemon answers for many command lines, and while one installs. */
const kept = new WeakMap<RunningProcess, Map<string, readonly string[]>>();
const keptLists = 64;

function changeOf(folder: string): string {
  try {
    return String(statSync(folder, { bigint: true }).mtimeNs);
  } catch {
    return "";
  }
}

function placesOf(home: string, further: readonly string[], running: RunningProcess): readonly string[] {
  const { execPath, argv0, script, realpath } = running;
  const isOwn = script !== undefined && ownScripts.test(basename(script));
  const modules = isOwn ? modulesOf(script, realpath) : loadedModules(running.module);
  const named = [execPath, argv0, ...modules, ...further].filter((path) => isAbsolute(path));
  const found = named.flatMap((path) => [path, realpath(path)]).map(wholePlaces);
  // If a home folder counted as a folder of policies, no file in it could be changed any more.
  const places = [...new Set(found)].filter((path) => !isAt(home, path)).sort();
  return places.filter((path, i) => !isNamed(path, home) && !places.slice(0, i).some((one) => isAt(path, one)));
}

/** Returns the folder that holds all places, for a path in one of them: hosts that were wired earlier run from the other places. */
function wholePlaces(path: string): string {
  const place = placeOfPath(path);
  return place === undefined ? path : dirname(place);
}

/** Returns the folder of the built modules that an application has loaded; none if this code is part of a bundle. */
function loadedModules(module = ""): string[] {
  const folder = ownModule.exec(module)?.[1];
  return folder === undefined ? [] : [fileURLToPath(folder)];
}

/** Returns the folder of the built modules, `dist`, or the launcher's own folder, and the files loaded from beside the package. */
function modulesOf(script: string, realpath: RunningProcess["realpath"]): string[] {
  const folder = dirname(realpath(script));
  const modules = basename(folder) === "bin" && basename(dirname(folder)) === "dist" ? dirname(folder) : folder;
  const packages = dirname(dirname(modules));
  return [dirname(script), modules, ...(basename(packages) === "node_modules" ? [join(packages, "./re2")] : [])];
}

function isAt(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Folders that rows of the class `engine` name (`facts/paths/class-rows.ts`); a test holds the two together. */
function isNamed(place: string, home: string): boolean {
  const own = ["share", "state"].map((name) => `${home}/.local/${name}/hookwarden`);
  return (
    [...own, `${home}/.config/hookwarden`, "/etc/hookwarden"].some((folder) => isAt(place, folder)) ||
    /\/(?:node_modules\/hookwarden|\.hookwarden)(?:\/|$)/.test(place)
  );
}

/** Note that `install` made of one file of a host. */
interface Note {
  readonly path: string;
  readonly uses: readonly string[];
}

/** Files of hosts that `install` noted when it wrote them. Never throws: a note that cannot be read names none. */
export function wiredFiles(state: string): readonly string[] {
  return notes(state).map(({ path }) => path);
}

function notedPlaces(state: string): readonly string[] {
  return notes(state).flatMap(({ path, uses }) => [path, ...uses]);
}

function notes(state: string): readonly Note[] {
  const folder = join(state, "installs");
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => noteIn(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

function noteIn(record: string): Note | undefined {
  try {
    const bytes = readOwn(record, limits.policyBytes);
    const value: unknown = bytes && JSON.parse(Buffer.from(bytes).toString("utf8"));
    const { path, uses } = (value ?? {}) as { path?: unknown; uses?: unknown };
    if (typeof path !== "string") return undefined;
    return { path, uses: Array.isArray(uses) ? uses.filter((one) => typeof one === "string") : [] };
  } catch {
    return undefined;
  }
}

/** Returns the real path of an entry; for a missing one, its path below the real parent. Never throws. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}
