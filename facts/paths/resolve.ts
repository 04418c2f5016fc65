import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { withoutEnd } from "../text/ends.ts";

/** Base that a path is resolved against. `pattern` says that the text holds a glob that a shell would expand. */
export interface PathBase {
  /** Working directory, absolute; empty when unknown. */
  readonly cwd: string;
  readonly home: string;
  /** The volume folds letter case. */
  readonly fold: boolean;
  readonly pattern?: boolean;
}

/**
 * Returns the home folder that `~` and `$HOME` mean to programs of the agent: a project may set another one for them. Policies
 * and classes of paths go by the user's own, `environment.home`.
 */
export function agentHome({ home, variables }: Pick<Environment, "home" | "variables">): string {
  const own = Object.hasOwn(variables, "HOME") ? variables["HOME"] : undefined;
  return own?.startsWith("/") ? own : home;
}

/** Placeholder for an unknown folder: relative paths are resolved beneath it when `cwd` is empty. */
export const unknownFolder = "/?";

/** First names of folders that are not known: the working folder and the home. */
const unknownNames = /^\?(?:home)?$/;

/** No system takes a longer path. */
const maxPath = 32_768;

/** Both forms of a path that may be any path: `any` tests hold for it, `all` tests never do. */
const anywhere = "/**";

/**
 * Resolves the text of a path to a value. `lexical` is cleaned against `cwd` without using the disk; `real` follows symbolic
 * links of every existing part, in the order the system would (so `link/..` is the parent of the target); where `..` after a link
 * makes the two name different files, `lexical` is the real path of the cleaned text. Handled on the way: `~`, `~user`, `file:`
 * URLs, `/proc/<pid>/root` and `cwd`, `/dev/fd`, drive letters. A value that is no path (not a string, a NUL inside, over 32,768
 * characters) may be any path. Over `limits.symlinks` links the system refuses the path as well, so `real` is `lexical`.
 * Variables are not expanded here. Source: language section 4; threats row 11.
 */
export function resolvePath(text: unknown, base: PathBase, files: FileSystem): PathValue {
  if (typeof text !== "string") return anyPath("", base.fold);
  spend(4 + ((text.length + base.cwd.length) >> 4));
  const usual = usualPath(text, base, files);
  if (usual !== undefined) return { kind: "path", text, lexical: usual, real: usual, pattern: false, fold: base.fold };
  const named = text.length + base.cwd.length > maxPath ? undefined : (fileUrl(text) ?? text);
  if (named === undefined || named.includes("\0")) return anyPath(text, base.fold);
  const windows = isWindows(base);
  const listed = parts(root(named, base, windows), windows);
  // The long name behind a short one is not known: it may be any.
  const short = windows && listed.some((part) => shortName.test(part));
  const list = short ? listed.map((part) => (shortName.test(part) ? "*" : part)) : listed;
  const pattern = short || (base.pattern === true && /[*?[]/.test(text));
  const climbs = list.includes("..");
  const cleaned = climbs || isVirtual(list) ? walk(list, base, pattern) : list;
  const lexical = join(cleaned);
  const real = followLinks(list, base, files, windows, pattern) ?? lexical;
  // Many tools clean `..` before they open; where a link makes that another file, both files must be judged.
  const cleanedReal = climbs ? (followLinks(cleaned, base, files, windows, pattern) ?? lexical) : real;
  return { kind: "path", text, lexical: cleanedReal === real ? lexical : cleanedReal, real, pattern, fold: base.fold };
}

/** Parts of an absolute path that need cleaning: empty names, `.` and `..`. */
const unclean = /\/\.{0,2}(?:\/|$)/;
/** Matches beginnings with a special meaning: a home, a drive, an address, and virtual folders whose names lead elsewhere. */
const special = /^(?:~|[A-Za-z]:|file:|\/(?:proc|dev)(?:\/|$))/i;

/** Units of asking the disk for an entry. */
const lookingUp = 24;

/**
 * Returns the one text of both forms, where they cannot differ: the path is clean, below a known folder, names nothing special,
 * and no part of it is a link. This is the usual case, and a shortcut for everything below.
 */
function usualPath(text: string, { cwd, home, pattern }: PathBase, files: FileSystem): string | undefined {
  if (special.test(text) || text.length + cwd.length > maxPath || isWindows({ cwd, home })) return undefined;
  if (text.includes("\0") || (pattern === true && /[*?[]/.test(text))) return undefined;
  const isAbsolute = text.startsWith("/");
  if (!isAbsolute && !cwd.startsWith("/")) return undefined;
  const path = isAbsolute ? text : `${cwd}/${text}`;
  if (unclean.test(path) || (!isAbsolute && special.test(path))) return undefined;
  for (let end = path.indexOf("/", 1); ; end = path.indexOf("/", end + 1)) {
    spend(lookingUp + ((end < 0 ? path.length : end) >> 5));
    const { kind } = files.lookup(end < 0 ? path : path.slice(0, end));
    if (kind === "symlink") return undefined;
    if (kind === "absent" || end < 0) return path;
  }
}

/** The path that may be any path. */
function anyPath(text: string, fold: boolean): PathValue {
  return { kind: "path", text, lexical: anywhere, real: anywhere, pattern: true, fold };
}

/** The short form that Windows keeps beside a long name: `PROGRA~1`, `SSH~1.TXT`. */
const shortName = /^[^.~]{1,7}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** True where `..` leads nowhere else: an unknown folder, and on Windows the root of a drive or of a share. */
function isTop(stack: readonly string[], base: PathBase): boolean {
  const [first = ""] = stack;
  if (stack.length === 1 && unknownNames.test(first)) return true;
  if (!isWindows(base)) return false;
  return first === "UNC" ? stack.length <= shareRoot : stack.length === 1 && /^[A-Z]:$/.test(first);
}

/** Parts of the root of a share: `UNC`, the server and the share. */
const shareRoot = 3;

/** True where the session's folders are named as Windows names them, by a drive or a share. */
export function isWindows({ cwd, home }: Pick<PathBase, "cwd" | "home">): boolean {
  return isDrive(cwd) || isDrive(home) || isShare(cwd) || isShare(home);
}

/** True for `\\\\server\\share`. */
function isShare(path: string): boolean {
  return path.charCodeAt(0) === backslash && path.charCodeAt(1) === backslash && path.length > 2;
}

/** Returns a configured folder in our form of paths: `C:\Users\dev` is `/C:/Users/dev`. */
export function placeOf(path: string): string {
  return path.startsWith("/") ? path : folder(path, path);
}

/** True for `C:`, `C:\x` and the form `/C:/x` in which drives are kept here. */
function isDrive(path: string): boolean {
  const colon = path.charCodeAt(0) === slash ? 2 : 1;
  return path.charCodeAt(colon) === 58 && /^\/?[A-Za-z]:(?:[\\/]|$)/.test(path);
}

const slash = 47;
const backslash = 92;

/** The text as an absolute path, `/`-separated but not yet cleaned. */
function root(path: string, base: PathBase, windows: boolean): string {
  // In a session of another system a letter with a colon alone is a name.
  if (isDrive(path) && !path.startsWith("/") && (windows || path.length > 2))
    return `/${path[0]?.toUpperCase()}:${path.slice(2).replaceAll("\\", "/")}`;
  const cwd = folder(base.cwd, unknownFolder);
  // `C:x` is below the working folder of its drive: ours, or an unknown one, for which the root is used.
  if (windows && /^[A-Za-z]:/.test(path)) {
    const drive = `/${path[0]?.toUpperCase()}:`;
    return `${volume(cwd) === drive ? cwd : drive}/${path.slice(2).replaceAll("\\", "/")}`;
  }
  const plain = windows ? withoutDevice(path) : path;
  // A share keeps a root of its own, also when it is resolved again.
  if (windows && /^\/\/[^/]/.test(plain)) return `/UNC/${plain.slice(2)}`;
  // So do an unknown folder, whose name no file of Windows can have, and a drive.
  if (windows && /^\/(?:UNC|\?(?:home)?)(?:\/|$)/.test(plain)) return plain;
  if (windows && plain.startsWith("/")) return isDrive(plain) ? folder(plain, plain) : `${volume(cwd)}${plain}`;
  if (plain.startsWith("/")) return plain;
  if (plain.startsWith("~")) return tilde(plain, base, cwd);
  return `${cwd}/${plain}`;
}

/**
 * Returns a Windows path with slashes and without its device prefix: `//?/C:/x`, `//./C:/x` and `//localhost/c$/x` are `/C:/x`,
 * and so is `/c/x`, as the shells of Windows write drives; `//?/UNC/server/share` is `//server/share`. Any other device is one
 * of `//?/`.
 */
function withoutDevice(path: string): string {
  const named = path.replaceAll("\\", "/").replace(/^(?:\/\/[?.]|\/\?\?)\/+/, "//?/");
  const plain = named.replace(/^\/\/\?\/UNC\/+(?=[^/])/i, "//");
  const drive =
    /^\/\/\?\/([A-Za-z]):(?=\/|$)/.exec(plain) ??
    /^\/\/(?:localhost|127\.0\.0\.1|\[::1\])\/+([A-Za-z])\$(?=\/|$)/i.exec(plain) ??
    /^\/([A-Za-z])(?=\/|$)/.exec(plain);
  return drive ? `/${drive[1]?.toUpperCase()}:${plain.slice(drive[0].length)}` : plain;
}

/** Returns the drive or share of a folder in our form. */
function volume(path: string): string {
  const names = path.split("/");
  return names.slice(0, names[1] === "UNC" ? shareRoot + 1 : 2).join("/");
}

/** A configured folder in our form; `otherwise` when it is empty or relative. */
function folder(path: string, otherwise: string): string {
  if (isShare(path)) return withoutDevice(path).replace(/^\/\/+/, "/UNC/");
  if (isDrive(path))
    return `/${path
      .replace(/^\//, "")
      .replace(/^[a-z]/, (c) => c.toUpperCase())
      .replaceAll("\\", "/")}`;
  return path.startsWith("/") ? path : otherwise;
}

function tilde(path: string, base: PathBase, cwd: string): string {
  const slash = path.indexOf("/");
  const user = path.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? "" : path.slice(slash);
  const home = folder(base.home, `${unknownFolder}home`);
  if (user === "") return home + rest;
  if (user === "+") return cwd + rest;
  const windows = isWindows(base);
  if (user === "root" && !windows) return `/root${rest}`;
  // A home that is all of a drive or a share has no folder above it.
  const homes = windows && volume(home) === home ? home : home.slice(0, home.lastIndexOf("/"));
  if (/^[a-z_][\w.-]*$/i.test(user)) return `${homes}/${user}${rest}`;
  return user === "-" ? unknownFolder + rest : `${cwd}/${path}`;
}

/** Path of a `file:` URL, percent-decoded; undefined for other text. */
function fileUrl(text: string): string | undefined {
  const match = /^file:(?:\/\/(?:localhost)?(?=\/)|\/\/(?=[A-Za-z]:)|(?=\/(?!\/)))([^?#]*)/i.exec(text);
  if (!match) return undefined;
  try {
    return decodeURIComponent(match[1] as string);
  } catch {
    return match[1];
  }
}

function parts(path: string, windows: boolean): string[] {
  const list: string[] = [];
  spend(1 + (path.length >> 3));
  for (const part of path.split("/")) if (part !== "" && part !== ".") list.push(part);
  // Windows drops trailing dots and blanks of a name, and the name of a data stream after a colon.
  return windows
    ? list.map((part) =>
        /^(?:\.\.|[A-Za-z]:)$/.test(part) ? part : withoutEnd(part.replace(/:.*$/s, ""), ". ") || part,
      )
    : list;
}

function join(stack: readonly string[]): string {
  return `/${stack.join("/")}`;
}

/** True below `/proc` and `/dev`, whose names may lead to other places. */
function isVirtual(list: readonly string[]): boolean {
  return list[0] === "proc" || list[0] === "dev";
}

/** Components cleaned of `..` and of the aliases that `/proc` and `/dev` give to other places. */
function walk(list: readonly string[], base: PathBase, pattern: boolean): string[] {
  let stack: string[] = [];
  spend(list.length);
  for (const part of list) stack = enter(stack, part, base, pattern);
  return stack;
}

function enter(stack: string[], part: string, base: PathBase, pattern: boolean): string[] {
  if (part === "..") {
    if (!isTop(stack, base)) stack.pop();
    return stack;
  }
  stack.push(part);
  return isVirtual(stack) ? alias(stack, base, pattern) : stack;
}

/** Replaces `/proc/<pid>/root`, `/proc/<pid>/cwd` and file descriptors, also below `task/<tid>`. */
function alias(stack: string[], base: PathBase, pattern: boolean): string[] {
  // No name that leads to another place has more parts.
  if (stack.length > 5) return stack;
  if (stack[0] === "dev") {
    const stream = stack.length === 2 ? ["stdin", "stdout", "stderr"].indexOf(stack[1] as string) : -1;
    if (stream >= 0) return ["dev", "fd", String(stream)];
    return stack[1] === "fd" && stack.length === 4 ? ["?", stack[3] as string] : stack;
  }
  const names = stack[2] === "task" ? [stack[0], stack[1], ...stack.slice(4)] : stack;
  const process = names[1] ?? "";
  if (names.length !== 3 || !(/^(?:self|thread-self|\d+)$/.test(process) || (pattern && /[*?[]/.test(process))))
    return stack;
  if (names[2] === "root") return [];
  if (names[2] === "cwd")
    return process === "1"
      ? []
      : folder(base.cwd, unknownFolder)
          .split("/")
          .filter((part) => part !== "");
  return names[2] === "fd" ? ["dev", "fd"] : stack;
}

/** Returns the target of a link in a folder on Windows as an absolute path: by a drive, a share, from the root or from that folder. */
function targetOnWindows(target: string, folder: string, base: PathBase): string {
  const named = target.startsWith("~") ? `./${target}` : target;
  return root(named, { ...base, cwd: folder }, true);
}

/** Components with symbolic links followed; undefined over the bound. Below an absent part or a glob nothing is looked up. */
function followLinks(
  list: readonly string[],
  base: PathBase,
  files: FileSystem,
  windows: boolean,
  pattern: boolean,
): string | undefined {
  const pending = [...list].reverse();
  let stack: string[] = [];
  let links = 0;
  let missing = Number.POSITIVE_INFINITY;
  let climbs = list.includes("..");
  while (pending.length > 0) {
    const part = pending.pop() as string;
    spend(1);
    const depth = stack.length;
    const entered = enter(stack, part, base, pattern);
    if (entered !== stack) {
      // A name that leads to another place acts as a link; that place may exist even if the name does not.
      links += 1;
      if (links > limits.symlinks) return undefined;
      pending.push(...entered.reverse());
      stack = [];
      missing = Number.POSITIVE_INFINITY;
      continue;
    }
    if (stack.length < missing) missing = Number.POSITIVE_INFINITY;
    if (stack.length !== depth + 1 || missing < stack.length) continue;
    spend(lookingUp + stack.length);
    const entry = pattern && /[*?[]/.test(part) ? ({ kind: "absent" } as const) : files.lookup(join(stack));
    if (entry.kind === "absent") {
      missing = stack.length;
      // The rest of the path cannot leave the missing entry, so it needs no look-up.
      if (!climbs && !isVirtual(stack)) return join([...stack, ...pending.reverse()]);
    }
    if (entry.kind !== "symlink") continue;
    links += 1;
    if (links > limits.symlinks) return undefined;
    stack.pop();
    const target = windows ? targetOnWindows(entry.target, join(stack), base) : entry.target;
    if (target.startsWith("/")) stack = [];
    const inner = parts(target, windows);
    climbs ||= inner.includes("..");
    for (const next of inner.reverse()) pending.push(next);
  }
  return join(stack);
}
