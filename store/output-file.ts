import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Error for an existing file that must not be overwritten. */
export class OutputRefused extends Error {}

/**
 * Writes a whole file or nothing: a temporary file beside it, synced, then renamed. With `isOurs`, an existing file is
 * only replaced when that says its text is ours; a folder, link or device never is. A file keeps its permissions. Throws `OutputRefused`, or what the
 * file system throws.
 */
export function writeAtomically(path: string, text: string, isOurs?: (text: string) => boolean): void {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before && !before.isFile() && !(before.isSymbolicLink() && isOurs === undefined))
    throw new OutputRefused("it exists and is no regular file");
  if (before && isOurs && !isOurs(readFileSync(path, "utf8")))
    throw new OutputRefused("it exists and hookwarden did not write it");
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", 0o644);
    try {
      if (before?.isFile()) fchmodSync(file, before.mode & 0o777);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
