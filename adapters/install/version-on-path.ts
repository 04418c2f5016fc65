import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** Number of folders above a program that are searched for its package. */
const mostParents = 6;

/** Maximum bytes read of a manifest: those of hosts are short. */
const manifestBytes = 65_536;

/**
 * Returns the version of a host from files alone, `1.2.3`: nothing is run. The program that a name leads to on `PATH` is in
 * a package or in a folder. The version is in the package's manifest, or in the name of the file or a folder. Undefined if
 * neither gives one.
 */
export function versionOnPath(path: string | undefined, program: string, named: RegExp): string | undefined {
  const file = (path ?? "")
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, program))
    .find(isProgram);
  if (file === undefined) return undefined;
  let at = realpathSync(file);
  for (let i = 0; i < mostParents; i++, at = dirname(at)) {
    if (/^\d+\.\d+\.\d+$/.test(basename(at))) return basename(at);
    const version = manifestVersion(join(at, "package.json"), named);
    if (version !== undefined) return version;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function manifestVersion(path: string, named: RegExp): string | undefined {
  try {
    if (!statSync(path).isFile() || statSync(path).size > manifestBytes) return undefined;
    const { name, version } = JSON.parse(readFileSync(path, "utf8")) as { name?: unknown; version?: unknown };
    const known = typeof name === "string" && named.test(name) && typeof version === "string";
    return known ? /^\d+\.\d+\.\d+/.exec(version)?.[0] : undefined;
  } catch {
    return undefined;
  }
}

/** True if a version is at least another. */
export function atLeast(version: string, least: readonly [number, number, number]): boolean {
  const parts = version.split(".").map(Number);
  const at = least.findIndex((number, i) => parts[i] !== number);
  return at < 0 || (parts[at] ?? 0) > (least[at] ?? 0);
}
