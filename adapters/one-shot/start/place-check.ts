import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The file or folder of a place that changed since `install`, and how it differs, in words. */
export interface PlaceFault {
  readonly path: string;
  readonly why: string;
  /** True if the requested program itself is unchanged, in a place that nobody else could change, so that it may begin to refuse. */
  readonly mayBegin?: boolean;
}

/**
 * A line of the file `identity`, which describes one file or folder as `install` left it. Its fields are owner, mode in
 * octal digits, inode, size, whole seconds of its last change, and its path up to the end of the line. A path is relative to
 * the place, or absolute for a Node that could not be linked there; a folder's path ends in a slash. The device is not kept,
 * since many systems renumber devices at boot. Everything below the place must be on its device.
 */
const entry = /^(\d+) ([0-7]+) (\d+) (\d+) (-?\d+) (.+)$/;

/** Makes the line of a file or folder. */
export function identityLine(path: string, { uid, mode, ino, size, mtimeMs }: Stats): string {
  return `${uid} ${(mode & 0o7777).toString(8)} ${ino} ${size} ${Math.floor(mtimeMs / 1_000)} ${path}`;
}

/** Returns the place above a launcher's folder, by its path alone, so that deleting files there cannot disable the check. */
export function placeAbove(bin: string): string | undefined {
  return /[\\/]hookwarden[\\/]\d[\w.+-]*-[0-9a-f]{16}[\\/]dist[\\/]bin$/.test(bin) ? dirname(dirname(bin)) : undefined;
}

/**
 * Finds the first file or folder of a place that changed since `install`, by its file status alone, without reading it. Also
 * checks whether anyone but this user and root could change the place. `program` is the path of a file below the place that
 * the caller wants to begin even so, to have it refuse. `node` is the Node that must belong to the place; undefined for any.
 * Unless `whole`, checks only what a hook loads, listed before the empty line of `identity`, since each check takes
 * microseconds. Never throws.
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
 * True for a folder in which anyone but its owner and root could replace a file. A group with the owner's number counts as
 * the owner's own, since many systems make one for each user. In a folder like `/tmp` (sticky) only owners can delete files.
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
    // If `identity` itself was changed, its lines prove nothing.
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
  // In a user namespace owners have other numbers, so only the present owner is checked (`ownerFault`).
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

/** Turns a fault into the code, message and fix of a refused call. */
export function placeFaultText({ path, why }: PlaceFault): { code: "HW517"; message: string; fix: string } {
  const message = `hookwarden's own file \`${path}\` ${why}`;
  return { code: "HW517", message, fix: "a human must run `hookwarden install` again, in a terminal of their own" };
}

/** Turns a fault into one line of text. */
export function placeFaultLine(fault: PlaceFault): string {
  const { code, message, fix } = placeFaultText(fault);
  return `${code}: ${message}; ${fix}`;
}
