import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync } from "node:fs";
import type { Entry, FileSystem, Listing } from "../schema/ports.ts";
import { readRegularFile } from "./regular-file.ts";

/** Errors that mean that a path does not exist; any other error means that it exists, unreadable for us. */
const absentCodes: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function lookup(path: string): Entry {
  try {
    // Most requested paths do not exist, and a thrown error costs more than the lookup.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return { kind: "absent" };
    if (stat.isSymbolicLink()) return { kind: "symlink", target: readlinkSync(path) };
    return { kind: stat.isDirectory() ? "directory" : stat.isFile() ? "file" : "other" };
  } catch (error) {
    return { kind: absentCodes.has(codeOf(error)) ? "absent" : "other" };
  }
}

function readText(path: string, maxBytes: number): string | undefined {
  const file = readRegularFile(path, maxBytes);
  if (typeof file === "string" || "system" in file) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Encoding of names. Bytes reveal a name that is no text. Bun returns bytes without a kind, and is asked for texts. */
const namesAs = process.versions.bun === undefined ? "buffer" : "utf8";

function list(folder: string, most: number): Listing | undefined {
  let open: Dir;
  try {
    open = opendirSync(folder, { encoding: namesAs as BufferEncoding });
  } catch {
    return undefined;
  }
  const entries: { name: string; kind: Entry["kind"] }[] = [];
  let strange = false;
  try {
    for (;;) {
      const entry = open.readSync();
      if (!entry) return strange ? { entries, missing: "unreadable names" } : { entries };
      if (entries.length >= most) return { entries, missing: "more" };
      const name = nameOf(entry.name as unknown as Uint8Array | string);
      if (name === undefined) strange = true;
      entries.push({ name: name ?? "", kind: kindOf(entry) });
    }
  } catch {
    return undefined;
  } finally {
    open.closeSync();
  }
}

/** Returns a name as text; undefined if it is no text, or may not be: Bun writes U+FFFD for invalid text. */
function nameOf(name: Uint8Array | string): string | undefined {
  if (typeof name === "string") return name.includes("\uFFFD") ? undefined : name;
  try {
    return decoder.decode(name);
  } catch {
    return undefined;
  }
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isSymbolicLink()) return "symlink";
  return entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other";
}

/**
 * The real machine behind the `FileSystem` port, for adapters (events page: "adapters answer from the real file system
 * through one port"). Never throws: a path that cannot be examined counts as existing (`other`), and unreadable text is
 * undefined. Synchronous, since a verdict waits for nothing.
 */
export const liveFiles: FileSystem = { lookup, readText, list };
