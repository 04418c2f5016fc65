import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../store/folders.ts";
import { locked } from "../../store/lock.ts";
import { wiredFiles } from "../../store/own-places.ts";
import { isPlaceName, placeFiles } from "../../store/place-folder.ts";
import { identityLine, othersMayReplace, placeFault } from "../one-shot/start/place-check.ts";
import type { HookProgram } from "./command.ts";
import type { InstallProblem } from "./files.ts";
import { type PlacePlan, programIn } from "./place-plan.ts";
import { nodeOf, placeState } from "./place-state.ts";

/** Time to wait for another `install`, in milliseconds: it copies some forty megabytes. */
const patience = 60_000;

/**
 * Does work while no other process fills or removes places. Makes the folder of all places, and removes it again if it is
 * empty afterwards. Returns a problem, without doing the work, if the folder cannot be used.
 */
export function withPlaces<T>(places: string, work: (places: string) => T): T | InstallProblem {
  const real = usableFolder(places);
  if (typeof real !== "string") return real;
  try {
    return locked(join(real, ".lock"), () => work(real), patience);
  } catch (error) {
    return problemOf(real, error);
  } finally {
    leaveIfEmpty(real);
  }
}

function leaveIfEmpty(places: string): void {
  try {
    rmdirSync(places);
  } catch {
    // It is not empty, or somebody else has removed it.
  }
}

/** Returns the real path of the folder of all places, and makes it if needed; or the reason why nothing may be put into it. */
function usableFolder(places: string): string | InstallProblem {
  try {
    makeFolder(places, 0o755);
    const real = realpathSync(places);
    const user = process.getuid?.();
    if (user === undefined) return real;
    const top = lstatSync("/").uid;
    for (let at = real; ; at = dirname(at)) {
      const stat = lstatSync(at);
      if (stat.uid !== user && stat.uid !== 0 && (at === real || stat.uid !== top))
        return {
          path: at,
          message: "it belongs to another user, who could put another program there",
          help: "have it given to you, or set XDG_DATA_HOME to a folder of yours; nothing was written",
        };
      if (othersMayReplace(stat))
        return {
          path: at,
          message: "others may write there, and could put another program in place of ours",
          help: `take that right away, \`chmod go-w '${at}'\`, or set XDG_DATA_HOME to a folder of yours; nothing was written`,
        };
      if (dirname(at) === at) return real;
    }
  } catch (error) {
    return problemOf(places, error);
  }
}

/** Next steps by error code of the file system. */
const helps: Readonly<Record<string, string>> = {
  ENOSPC: "make room, and run this again; nothing was wired",
  EDQUOT: "make room in your quota, and run this again; nothing was wired",
  EROFS: "set XDG_DATA_HOME to a folder that can be written, and run this again; nothing was wired",
  EACCES: "make it a folder that you may write to, or set XDG_DATA_HOME to one; nothing was wired",
  EPERM: "make it a folder that you may write to, or set XDG_DATA_HOME to one; nothing was wired",
  ENOTDIR: "a file stands where a folder would be: move it away; nothing was wired",
  EEXIST: "a file stands where a folder would be: move it away; nothing was wired",
};

function problemOf(path: string, error: unknown): InstallProblem {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const help = helps[code] ?? "look at the folder, and run this again; nothing was wired";
  return { path, message: `hookwarden's own place cannot be made there: ${message}`, help };
}

/**
 * Fills a place, unless it is complete. It fills a folder beside it and renames that, so nobody ever sees half of one.
 * Returns the program of the place. If it cannot, it returns a problem, and the former content is still there. Call only
 * within `withPlaces`.
 */
export function fillPlace({ folder, files, node, digests }: PlacePlan): HookProgram | InstallProblem {
  const known = existsSync(folder) ? placeState(folder) : undefined;
  if (known?.node !== undefined && known.faults.length === 0) return programIn(folder, known.node);
  const places = dirname(folder);
  const mark = randomBytes(9).toString("hex");
  const filling = join(places, `.filling-${mark}`);
  const former = join(places, `.former-${mark}`);
  try {
    for (const { path, from } of files) copyInto(from, join(filling, path), path);
    writeFileSync(join(filling, placeFiles.digests), digests, { mode: 0o444 });
    const linked = linkNode(node.from, join(filling, placeFiles.node));
    settle(filling, linked ? undefined : node.from);
    if (known) renameSync(folder, former);
    renameSync(filling, folder);
    chmodSync(folder, 0o555);
    removeFolder(former);
    const program = programIn(folder, linked ? join(folder, placeFiles.node) : node.from);
    const fault = placeFault(folder, { node: program.node, whole: true });
    if (!fault) return program;
    removeFolder(folder);
    const help = "mend that, and run this again; nothing was wired";
    return { path: fault.path, message: `hooks would refuse everything, because it ${fault.why}`, help };
  } catch (error) {
    removeFolder(filling);
    if (existsSync(former) && !existsSync(folder)) renameSync(former, folder);
    return problemOf(places, error);
  }
}

function copyInto(from: string, to: string, path: string): void {
  makeFolder(dirname(to), 0o755);
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, isProgram(path) ? 0o555 : 0o444);
}

/** True if a file may be started by its name; every other file is only read. */
function isProgram(path: string): boolean {
  return /^dist\/bin\/hookwarden[\w-]*\.(?:sh|js|cjs)$/.test(path);
}

/** Links the Node and has it print its version. A link that cannot run, for example for lack of permission, is removed. */
function linkNode(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch {
    return false;
  }
  const told = spawnSync(to, ["-p", "process.version"], { env: {}, encoding: "utf8", timeout: 30_000 });
  if (told.status === 0 && told.stdout.trim() === process.version) return true;
  rmSync(to, { force: true });
  return false;
}

/**
 * Makes a filled folder read-only and records its content. All times are set to one whole second in the past, so that a
 * later change has another time. A linked Node keeps its own time.
 */
function settle(filling: string, node: string | undefined): void {
  const identity = join(filling, placeFiles.identity);
  writeFileSync(identity, "", { mode: 0o444 });
  const time = Math.floor(Date.now() / 1_000) - 1;
  const paths = contentsOf(filling);
  for (const path of paths) {
    const full = join(filling, path);
    if (path.endsWith("/") && path !== "./") chmodSync(full, 0o555);
    if (path !== placeFiles.node) utimesSync(full, time, time);
  }
  const line = (path: string): string =>
    path === "./" ? topLine(filling) : identityLine(path, lstatSync(join(filling, path)));
  const noted = paths.filter((path) => path !== placeFiles.identity);
  const loaded = noted.filter(isLoaded).map(line);
  if (node !== undefined) loaded.push(identityLine(node, lstatSync(node)));
  const others = noted.filter((path) => !isLoaded(path)).map(line);
  chmodSync(identity, 0o600);
  writeFileSync(identity, withOwnLine(lstatSync(identity), time, [...loaded, "", ...others]));
  chmodSync(identity, 0o444);
  utimesSync(identity, time, time);
}

/** Returns the text of `identity` with a line for itself, which gives the size of the text that contains it. */
function withOwnLine(stat: Stats, time: number, lines: readonly string[]): string {
  const rest = lines.map((line) => `${line}\n`).join("");
  for (let size = 0; ; ) {
    const own = `${stat.uid} 444 ${stat.ino} ${size} ${time} ${placeFiles.identity}\n`;
    const whole = Buffer.byteLength(own) + Buffer.byteLength(rest);
    if (whole === size) return own + rest;
    size = whole;
  }
}

/**
 * True for files that a hook loads or uses to find its files; each hook compares all of them. Licences and the command
 * line's launcher are not among them.
 */
function isLoaded(path: string): boolean {
  const folders = ["./", "dist/", "dist/bin/", "dist/policies/"];
  if (folders.includes(path) || path === placeFiles.node || path.endsWith("/policy.yaml")) return true;
  return /^dist\/bin\/[^/]+$/.test(path) && !/\.txt$|\/hookwarden\.js$/.test(path);
}

/** Returns the line of the folder itself, which is made read-only after the rename: some systems do not rename a read-only folder. */
function topLine(filling: string): string {
  const words = identityLine("./", lstatSync(filling)).split(" ");
  return [words[0], "555", ...words.slice(2)].join(" ");
}

/** Lists every file and folder below one. A folder has a slash at its end and comes after its content. */
function contentsOf(folder: string, below = "."): readonly string[] {
  const found = readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === "." ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? contentsOf(folder, path) : [path];
  });
  return [...found.sort(), `${below}/`];
}

/**
 * Removes every place that no wiring names, except `keep`, and remains of an interrupted `install`. Wirings are the files
 * that `install` noted in the state folder, and `more`. Returns the removed paths. Never throws.
 */
export function prunePlaces(
  places: string,
  { state, keep, more = [] }: { readonly state: string; readonly keep?: string; readonly more?: readonly string[] },
): readonly string[] {
  const names = namesIn(places);
  const texts = [...new Set([...wiredFiles(state), ...more])].flatMap((path) => textOf(path) ?? []);
  const isNamed = (name: string): boolean => texts.some((text) => text.includes(name));
  return names.flatMap((name) => {
    const folder = join(places, name);
    const isLeft = /^\.(?:filling|former)-[0-9a-f]{18}$/.test(name);
    if (!isLeft && (!isPlaceName(name) || folder === keep || isNamed(name))) return [];
    return removeFolder(folder) ? [folder] : [];
  });
}

function namesIn(places: string): readonly string[] {
  try {
    return readdirSync(places);
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return lstatSync(realpathSync(path)).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a read-only folder. True if it was there and is gone. */
function removeFolder(folder: string): boolean {
  try {
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    open(folder);
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** Makes folders writable again so that they can be emptied; does not follow links. */
function open(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) open(join(folder, entry.name));
}

/** Returns the program of an existing place; undefined if there is none. */
export function standingProgram(folder: string): HookProgram | undefined {
  const node = nodeOf(folder);
  return node === undefined ? undefined : programIn(folder, node);
}
