import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./folders.ts";

/**
 * Makes the folder for session state, mode 0700, or removes other users' access to an existing one. Throws if it is a symbolic
 * link, no folder, or another user's.
 */
export function ownFolder(path: string): void {
  // The folder nearly always exists, and an attempt to make it costs several times as much as a look.
  let stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) {
    makeFolder(path, 0o700);
    stat = lstatSync(path);
  }
  if (!stat.isDirectory()) throw new Error(`\`${path}\` is no folder of its own`);
  const user = process.getuid?.();
  if (user !== undefined && stat.uid !== user) throw new Error(`\`${path}\` belongs to another user`);
  if (user !== undefined && (stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Opens a regular file for reading, never through a symbolic link; undefined if there is none. Throws for anything else. */
export function openOwn(path: string): { readonly file: number; readonly size: number } | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  let file: number;
  try {
    file = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw code === "ELOOP" ? new Error(`\`${path}\` is a symbolic link`) : error;
  }
  const stat = fstatSync(file);
  if (stat.isFile()) return { file, size: stat.size };
  closeSync(file);
  throw new Error(`\`${path}\` is not a regular file`);
}

/** Reads the bytes of one of our files; undefined when it is missing or larger than `maxBytes`. Throws as `openOwn`. */
export function readOwn(path: string, maxBytes: number): Uint8Array | undefined {
  const opened = openOwn(path);
  if (!opened) return undefined;
  try {
    if (opened.size > maxBytes) return undefined;
    const bytes = new Uint8Array(opened.size);
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(opened.file, bytes, done, bytes.length - done, done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(opened.file);
  }
}

/** Replaces a file of ours atomically, mode 0600: a temporary file beside it, then a rename. `sync` syncs both to the disk. */
export function writeOwn(path: string, text: string, sync: boolean): void {
  const temporary = join(dirname(path), `.${randomBytes(9).toString("hex")}.tmp`);
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, text);
      if (sync) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    if (sync) syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Syncs a folder, which brings its renames to the disk; where folders cannot be opened, the system does so itself. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
