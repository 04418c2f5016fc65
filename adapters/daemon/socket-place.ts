import { lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../store/folders.ts";

/**
 * Makes the folder of a daemon's socket, mode 0700, or checks that an existing one is this user's alone. The daemon answers
 * whoever can reach the socket. An existing folder is not changed. Throws if it may not be used.
 */
export function socketFolder(socket: string): void {
  const folder = dirname(socket);
  makeFolder(folder, 0o700);
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`\`${folder}\` is no folder of its own`);
  if (stat.uid !== process.getuid?.()) throw new Error(`\`${folder}\` belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new Error(`\`${folder}\` is open to others; make it one of mode 0700`);
}

/**
 * Returns the lock beside a socket, which names the process that answers there. An existing file must be this user's and
 * writable by nobody else, because its writer decides who is asked. Throws for anything else.
 */
export function lockPlace(socket: string): string {
  const lock = `${socket}.lock`;
  const stat = lstatSync(lock, { throwIfNoEntry: false });
  if (!stat) return lock;
  if (!stat.isFile()) throw new Error(`\`${lock}\` is there and is no file; remove it`);
  if (stat.uid !== process.getuid?.()) throw new Error(`\`${lock}\` belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new Error(`\`${lock}\` is open to others; remove it`);
  return lock;
}

/** Returns the default socket of a user's daemon. */
export function usualSocket(state: string): string {
  return join(state, "daemon", "hook.sock");
}

/** Removes a socket that has no listener any more. Throws for anything but a socket. */
export function removeSocket(socket: string): void {
  const stat = lstatSync(socket, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.uid !== process.getuid?.()) throw new Error(`\`${socket}\` belongs to another user`);
  if (!stat.isSocket()) throw new Error(`\`${socket}\` is there and is no socket`);
  rmSync(socket, { force: true });
}
