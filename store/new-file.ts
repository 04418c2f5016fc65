import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "./folders.ts";

/**
 * Writes a file that must not be there yet, whole or not at all, with the folders above it. Throws what the file system
 * throws; `EEXIST` when there is anything of that name, which stays as it is.
 */
export function writeNewFile(path: string, text: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  const temporary = join(folder, `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", 0o644);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
