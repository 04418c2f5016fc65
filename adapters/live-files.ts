import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { Entry, FileSystem } from "../schema/ports.ts";

/** Errors that say that nothing stands at a path; any other error means that something does, unreadable for us. */
const absentCodes: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function lookup(path: string): Entry {
  try {
    // Most that is asked for is not there, and an error that is thrown costs more than the look.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return { kind: "absent" };
    if (stat.isSymbolicLink()) return { kind: "symlink", target: readlinkSync(path) };
    return { kind: stat.isDirectory() ? "directory" : stat.isFile() ? "file" : "other" };
  } catch (error) {
    return { kind: absentCodes.has(codeOf(error)) ? "absent" : "other" };
  }
}

function readText(path: string, maxBytes: number): string | undefined {
  let handle: number | undefined;
  try {
    // Not blocking, so that a named pipe cannot hang a verdict; the check for a file follows on the open handle.
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const bytes = readUpTo(handle, maxBytes + 1);
    if (bytes.length > maxBytes) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** At most `limit` bytes from the start of an open file; a file that grows meanwhile is cut there. */
function readUpTo(handle: number, limit: number): Uint8Array {
  const buffer = new Uint8Array(Math.min(limit, fstatSync(handle).size + 1));
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(handle, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/**
 * The real machine behind the `FileSystem` port, for adapters (events page: "adapters answer from the real file system
 * through one port"). Never throws: what cannot be looked at counts as something that is there (`other`), and text that
 * cannot be read is undefined. Synchronous, since a verdict waits for nothing.
 */
export const liveFiles: FileSystem = { lookup, readText };
