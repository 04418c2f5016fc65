import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the installed package: the nearest one above this module whose `package.json` is ours. */
export function packageRoot(from: string = import.meta.url): string | undefined {
  return foldersAbove(from).find((folder) => manifest(folder)?.name === "hookwarden");
}

/** Version of the installed package; `0.0.0` when its `package.json` is gone. */
export function packageVersion(): string {
  const root = packageRoot();
  const version = root === undefined ? undefined : manifest(root)?.version;
  return typeof version === "string" ? version : "0.0.0";
}

/** The folder of the shipped packs: `policies/` at the root of the sources, `dist/policies/` in a build. */
export function packsFolder(from: string = import.meta.url): string | undefined {
  const root = packageRoot(from);
  if (root === undefined) return undefined;
  const folders = foldersAbove(from).filter((folder) => folder.length >= root.length);
  return folders.map((folder) => join(folder, "policies")).find((folder) => existsSync(folder));
}

/** Names of the shipped packs, sorted: each folder of `policies/` that holds a `policy.yaml`. */
export function packNames(folder: string | undefined = packsFolder()): string[] {
  if (folder === undefined) return [];
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return entries
      .map((entry) => entry.name)
      .filter((name) => existsSync(packPath(folder, name)))
      .sort();
  } catch {
    return [];
  }
}

/** Returns the path of a shipped pack; undefined if there is none of that name. */
export function packFile(name: string, folder: string | undefined = packsFolder()): string | undefined {
  // One look and no list: a hook asks for every event.
  if (folder === undefined || !/^[\w-]+$/.test(name)) return undefined;
  const own = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return own?.isDirectory() && existsSync(packPath(folder, name)) ? packPath(folder, name) : undefined;
}

function packPath(folder: string, name: string): string {
  return join(folder, name, "policy.yaml");
}

function foldersAbove(module: string): string[] {
  const folders = [dirname(fileURLToPath(module))];
  for (let last = folders[0] as string; dirname(last) !== last; folders.push(last)) last = dirname(last);
  return folders;
}

function manifest(folder: string): { name?: unknown; version?: unknown } | undefined {
  if (!existsSync(join(folder, "package.json"))) return undefined;
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { name?: unknown; version?: unknown };
  } catch {
    return undefined;
  }
}
