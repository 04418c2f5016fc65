import { isAbsolute, join } from "node:path";
import { userHome } from "./user-home.ts";

/**
 * The places of hookwarden: folders that `install` fills, one for each version and content, from which hosts start it. They are
 * below `${XDG_DATA_HOME:-~/.local/share}/hookwarden`; they are only added and removed whole, never changed.
 */
export function placesFolder(env: Readonly<Record<string, string | undefined>>, home: string = userHome()): string {
  const data = env["XDG_DATA_HOME"];
  return join(data !== undefined && isAbsolute(data) ? data : join(home, ".local", "share"), "hookwarden");
}

/** Name of a place: version, and the beginning of the digest of its content. */
const placeName = /^\d[\w.+-]*-[0-9a-f]{16}$/;

/** True for a name that a place has. */
export function isPlaceName(name: string): boolean {
  return placeName.test(name);
}

/** Returns the place that is or contains a path; undefined for any other path. Uses only the text, not the disk. */
export function placeOfPath(path: string): string | undefined {
  const found = /^(.*[\\/]hookwarden[\\/](\d[\w.+-]*-[0-9a-f]{16}))(?:[\\/]|$)/.exec(path);
  return found?.[1];
}

/** Files of a place that have a name of their own; all paths are below the place. */
export const placeFiles = {
  /** Owner, mode, inode, size, time and device of every file (`place-identity.ts`). */
  identity: "identity",
  /** SHA-256 of every file. */
  digests: "digests",
  /** The Node for hooks, as a hard link. */
  node: process.platform === "win32" ? "node.exe" : "node",
} as const;

/** Name of the addon for regular expressions in a place, beside the launcher: it tells its version. */
export function addonName(version: string): string {
  return `re2-${version}.node`;
}
