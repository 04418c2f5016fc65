import type { Entry, FileSystem } from "../../schema/ports.ts";

const absent: Entry = { kind: "absent" };

/**
 * The file system that an event describes in `environment.files`: `{ "/a/b": { "symlink": "/x" }, "/a/run.sh":
 * { "text": "…" }, "/a/c": { "directory": true } }`. Parents of what is listed are directories; all else is absent,
 * and without a list everything is. Entries of another shape count as files without text. Source: events page.
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
  return {
    lookup: (path) => entries.get(path) ?? absent,
    readText: (path, maxBytes) => {
      const text = texts.get(path);
      return text !== undefined && Buffer.byteLength(text) <= maxBytes ? text : undefined;
    },
  };
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
    if (!entries.has(parent)) entries.set(parent, { kind: "directory" });
    if (end === 0) return;
  }
}
