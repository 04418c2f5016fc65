import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder with the missing ones above it, one by one, each with `mode`; existing folders stay as they are. Node's own
 * recursive form tries for ever where a file system says that an existing folder is missing, as `/proc` does. Throws what the
 * file system throws.
 */
export function makeFolder(path: string, mode: number = 0o777): void {
  const missing: string[] = [];
  for (let at = path; !isFolder(at); at = dirname(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
  }
  for (const each of missing.reverse()) make(each, mode);
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster. An existing entry that is not a folder is the caller's error.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(path)) throw error;
  }
}

/** False also for an entry that cannot be inspected: the attempt to make it reports why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
