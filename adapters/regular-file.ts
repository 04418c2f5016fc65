import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from "node:fs";

/** The reason why a file was not read; `system` is the system's error code. */
export type Unread = "absent" | "no file" | "too large" | { readonly system: string };

/** A file's content: its bytes and its mode bits. */
export interface RegularFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/**
 * Reads a regular file of at most `limit` bytes, at a path that an agent or a repository may have chosen. Never waits and
 * never throws. Anything but a regular file is not even opened, because opening can have effects: it releases the writer of
 * a pipe, winds a tape, or starts a watchdog that restarts the machine. A file swapped in meanwhile is opened without
 * waiting and checked again. A file that holds more than its size, like those of `/proc`, counts as too large.
 */
export function readRegularFile(path: string, limit: number): RegularFile | Unread {
  return opened(path, (handle, { size, mode }) => {
    if (size > limit) return "too large";
    const bytes = readUpTo(handle, size + 1);
    return bytes.length > size ? "too large" : { bytes, mode };
  });
}

/** Like `readRegularFile`, for the first `limit` bytes of a file of any size. */
export function readHead(path: string, limit: number): RegularFile | Unread {
  return opened(path, (handle, { mode }) => ({ bytes: readUpTo(handle, limit), mode }));
}

function opened(path: string, read: (handle: number, stat: Stats) => RegularFile | Unread): RegularFile | Unread {
  let handle: number | undefined;
  try {
    const before = statSync(path, { throwIfNoEntry: false });
    // A dangling link marks a file that somebody meant to be read.
    if (!before) return lstatSync(path, { throwIfNoEntry: false }) ? "no file" : "absent";
    if (!before.isFile()) return "no file";
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    return stat.isFile() ? read(handle, stat) : "no file";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? "absent" : { system: code ?? String(error) };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function readUpTo(handle: number, limit: number): Uint8Array {
  const buffer = new Uint8Array(limit);
  let length = 0;
  while (length < limit) {
    const read = readSync(handle, buffer, length, limit - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
