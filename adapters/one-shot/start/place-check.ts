import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** What of a place is not as `install` left it: a file or folder, and how it differs, in words. */
export interface PlaceFault {
  readonly path: string;
  readonly why: string;
  /** True if the program that was asked about is as it was, in a place that nobody else could change: so it may refuse. */
  readonly mayBegin?: boolean;
}

/**
 * One file or folder as `install` left it, a line of the file `identity`: owner, mode in octal digits, inode, size, whole
 * seconds of its last change, and its path to the end of the line. A path is below the place, or absolute for a Node that
 * could not be linked there; that of a folder ends in a slash. The device is not kept, since many systems number theirs anew
 * when they start: what is below the place is on the device of the place.
 */
const entry = /^(\d+) ([0-7]+) (\d+) (\d+) (-?\d+) (.+)$/;

/** The line of a file or folder. */
export function identityLine(path: string, { uid, mode, ino, size, mtimeMs }: Stats): string {
  return `${uid} ${(mode & 0o7777).toString(8)} ${ino} ${size} ${Math.floor(mtimeMs / 1_000)} ${path}`;
}

/** True for a launcher's folder in a place, by its path alone: what is taken away there must not end the check. */
export function placeAbove(bin: string): string | undefined {
  return /[\\/]hookwarden[\\/]\d[\w.+-]*-[0-9a-f]{16}[\\/]dist[\\/]bin$/.test(bin) ? dirname(dirname(bin)) : undefined;
}

/**
 * The first thing in a place that is not as `install` left it, by what the file system says of it and nothing read; and
 * whether others than this user and root could change the place. `program` is the path of a file below the place that the
 * caller wants to begin all the same, to have it refuse. `node` is the one that must be the place's; undefined for any.
 * Unless `whole`, only what a hook loads is looked at, which stands before the empty line of `identity`: a look at a file
 * takes some microseconds. Never throws.
 */
export function placeFault(
  place: string,
  asked: { readonly node: string | undefined; readonly program?: string; readonly whole?: boolean },
): PlaceFault | undefined {
  try {
    return parentFault(place) ?? entryFault(place, asked);
  } catch (error) {
    return { path: place, why: `cannot be looked at (${(error as NodeJS.ErrnoException).code ?? String(error)})` };
  }
}

function parentFault(place: string): PlaceFault | undefined {
  for (let at = dirname(place); ; at = dirname(at)) {
    const stat = lstatSync(at);
    if (!stat.isDirectory()) return { path: at, why: "is no folder any more" };
    if (othersMayReplace(stat)) return { path: at, why: "may be written by others than its owner" };
    if (dirname(at) === at) return undefined;
  }
}

/**
 * True for a folder in which others than its owner and root could put another file in place of one. A group that is named
 * like its only member has its number, on the systems that make one for each user; of a folder like `/tmp` only owners
 * take files away.
 */
export function othersMayReplace({ mode, uid, gid }: Stats): boolean {
  if (process.getuid === undefined || (mode & 0o1000) !== 0) return false;
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid);
}

function entryFault(
  place: string,
  { node, program, whole = false }: Parameters<typeof placeFault>[1],
): PlaceFault | undefined {
  const path = join(place, "identity");
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return { path, why: "is not there" };
  const owner = ownerFault(stat);
  if (owner !== undefined) return { path, why: owner };
  if (stat.size > 1_048_576) return { path, why: "is larger than it can be" };
  let found: PlaceFault | undefined;
  let hasNode = node === undefined;
  let mayBegin = false;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line === "" && !whole) break;
    if (line === "") continue;
    const name = entry.exec(line)?.[6];
    if (name === undefined) return { path, why: "holds a line that `install` does not write" };
    const file = isAbsolute(name) ? name : join(place, name);
    const why = differs(file, line, name, isAbsolute(name) ? undefined : stat.dev);
    // A note that was changed vouches for nothing.
    if (why !== undefined && file === path) return { path, why };
    if (why !== undefined) found ??= { path: file, why };
    else if (name === program) mayBegin = true;
    hasNode ||= file === node;
  }
  if (!hasNode) found ??= { path: node ?? place, why: "is not the Node that this place was filled for" };
  return found && { ...found, mayBegin };
}

function differs(file: string, line: string, name: string, device: number | undefined): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return "is not there";
  if (stat.isSymbolicLink()) return "has become a link";
  const owner = ownerFault(stat);
  if (owner !== undefined) return owner;
  if (device !== undefined && stat.dev !== device) return "has something mounted over it";
  // In a namespace of users owners have other numbers, so of them only those count who own it now.
  const now = identityLine(name, stat).split(" ");
  const then = line.split(" ");
  const field = then.findIndex((text, i) => i > 0 && i < 5 && text !== now[i]);
  return field < 0 ? undefined : `is not as it was installed (${fields[field]})`;
}

const fields = ["owner", "mode", "inode", "size", "time"] as const;

function ownerFault({ uid, gid, mode }: Stats): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return "belongs to another user";
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== uid)
    ? "may be written by others than its owner"
    : undefined;
}

/** A fault as what is told of a call that is refused by it. */
export function placeFaultText({ path, why }: PlaceFault): { code: "HW517"; message: string; fix: string } {
  const message = `hookwarden's own file \`${path}\` ${why}`;
  return { code: "HW517", message, fix: "a human must run `hookwarden install` again, in a terminal of their own" };
}

/** The same in one line. */
export function placeFaultLine(fault: PlaceFault): string {
  const { code, message, fix } = placeFaultText(fault);
  return `${code}: ${message}; ${fix}`;
}
