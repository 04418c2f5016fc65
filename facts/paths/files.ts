import type { Entry, FileSystem, Listing } from "../../schema/ports.ts";

const absent: Entry = { kind: "absent" };

/**
 * The file system that an event describes in `environment.files`: `{ "/a/b": { "symlink": "/x" }, "/a/run.sh": { "text": "…" },
 * "/a/c": { "directory": true } }`. Parents of listed entries are directories; everything else is absent. Without a list
 * everything is absent, but the content of folders is unknown. Entries of another shape count as files without text. Source:
 * events page.
 */
export function hermeticFiles(files: Readonly<Record<string, unknown>> | undefined): FileSystem {
  if (files === undefined) return emptyWorld;
  const entries = new Map<string, Entry>();
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(files)) {
    const path = clean(name);
    const given = entry(value);
    entries.set(path, given);
    const text = own(value, "text");
    if (typeof text === "string") texts.set(path, text);
    addParents(path, entries);
  }
  let folders: ReadonlyMap<string, Listing["entries"]> | undefined;
  return {
    list: (folder, most) => {
      folders ??= byFolder(entries);
      const listed = folders.get(folder) ?? [];
      return listed.length > most ? { entries: listed.slice(0, most), missing: "more" } : { entries: listed };
    },
    lookup: (path) => entries.get(path) ?? absent,
    readText: (path, maxBytes) => {
      const text = texts.get(path);
      return text !== undefined && Buffer.byteLength(text) <= maxBytes ? text : undefined;
    },
  };
}

/** Groups names by their folder. */
function byFolder(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Listing["entries"]> {
  const folders = new Map<string, { name: string; kind: Entry["kind"] }[]>();
  for (const [path, { kind }] of entries) {
    if (path === "/") continue;
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, at) || "/";
    const known = folders.get(folder);
    if (known) known.push({ name: path.slice(at + 1), kind });
    else folders.set(folder, [{ name: path.slice(at + 1), kind }]);
  }
  return folders;
}

const emptyWorld: FileSystem = { lookup: () => absent, readText: () => undefined };

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function entry(value: unknown): Entry {
  const target = own(value, "symlink");
  if (typeof target === "string") return { kind: "symlink", target };
  return { kind: own(value, "directory") === true ? "directory" : "file" };
}

function clean(path: string): string {
  return `/${path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`;
}

function addParents(path: string, entries: Map<string, Entry>): void {
  for (let end = path.lastIndexOf("/"); end >= 0; end = path.lastIndexOf("/", end - 1)) {
    const parent = end === 0 ? "/" : path.slice(0, end);
    // Folders above one that is known are known as well.
    if (entries.has(parent)) return;
    entries.set(parent, { kind: "directory" });
    if (end === 0) return;
  }
}
