import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Makes the folder of a daemon's socket, mode 0700, or looks whether one that is there is this user's alone: who can reach
 * the socket is whom the daemon answers. An existing folder is not changed. Throws when it may not be used.
 */
export function socketFolder(socket: string): void {
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new Error(`\`${folder}\` is no folder of its own`);
  if (stat.uid !== process.getuid?.()) throw new Error(`\`${folder}\` belongs to another user`);
  if ((stat.mode & 0o077) !== 0) throw new Error(`\`${folder}\` is open to others; make it one of mode 0700`);
}

/** Where the daemon of a user answers who names no other place. */
export function usualSocket(state: string): string {
  return join(state, "daemon", "hook.sock");
}

/** Removes a socket that nobody listens at any more. Throws for anything but a socket. */
export function removeSocket(socket: string): void {
  const stat = lstatSync(socket, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) throw new Error(`\`${socket}\` is there and is no socket`);
  rmSync(socket, { force: true });
}
