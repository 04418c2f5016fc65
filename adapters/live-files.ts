import { type Dir, type Dirent, lstatSync, opendirSync, readlinkSync } from "node:fs";
import type { Entry, FileSystem, Listing } from "../schema/ports.ts";
import { readRegularFile } from "./regular-file.ts";

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
  const file = readRegularFile(path, maxBytes);
  if (typeof file === "string" || "system" in file) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file.bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Names come as bytes, so that one that is no text is noticed. Bun gives bytes without a kind, and is asked for texts. */
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

/** A name as a text; undefined for one that is none, and for one that may be: Bun writes U+FFFD for what is no text. */
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
 * through one port"). Never throws: what cannot be looked at counts as something that is there (`other`), and text that
 * cannot be read is undefined. Synchronous, since a verdict waits for nothing.
 */
export const liveFiles: FileSystem = { lookup, readText, list };
