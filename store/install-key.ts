import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folders.ts";

const keyBytes = 32;

/**
 * Returns the key of this installation, 32 random bytes in `<state>/keys/install.key` (mode 0600), made at first use. It seals a
 * human's decisions, so that a foreign file does not count as one. Any process of the same user can read it, so it does not
 * protect against such an attacker. Throws if it cannot be read, is a link, or others may read it.
 */
export function installKey(state: string): Buffer {
  const folder = join(state, "keys");
  const path = join(folder, "install.key");
  const known = last?.path === path && identity(path) === last.is ? last : undefined;
  if (known) return Buffer.from(known.key);
  const key = readKey(path) ?? makeKey(folder, path);
  last = { path, is: identity(path), key: Buffer.from(key) };
  return key;
}

/** The key that this process read last: an event asks for it several times. Kept as long as its file is unchanged. */
let last: { readonly path: string; readonly is: string | undefined; readonly key: Buffer } | undefined;

function identity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && [stat.dev, stat.ino, stat.mode, stat.uid, stat.size, stat.mtimeNs, stat.ctimeNs].join(" ");
}

function readKey(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size !== keyBytes) throw new Error(`\`${path}\` is not a key of hookwarden`);
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0)
      throw new Error(`\`${path}\` may be read by others; set its mode to 0600`);
    const key = Buffer.alloc(keyBytes);
    readSync(file, key, 0, keyBytes, 0);
    return key;
  } finally {
    closeSync(file);
  }
}

/** Makes the key atomically: of several processes that start at once, one makes it and the others read it. */
function makeKey(folder: string, path: string): Buffer {
  makeFolder(folder, 0o700);
  const temporary = join(folder, `.${randomBytes(6).toString("hex")}.tmp`);
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, randomBytes(keyBytes));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = readKey(path);
  if (!key) throw new Error(`\`${path}\` cannot be made`);
  return key;
}
