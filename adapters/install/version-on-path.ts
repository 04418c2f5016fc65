import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** Folders above a program in which its package may stand. */
const mostParents = 6;

/** Bytes of a manifest that are read: those of hosts are short. */
const manifestBytes = 65_536;

/**
 * The version of a host as files say it, `1.2.3`: nothing is run. The program that a name leads to on `PATH` stands in a
 * package, whose manifest has it, or in a folder or file that is named by it. Undefined where neither says anything.
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

/** True for a version that is at least another. */
export function atLeast(version: string, least: readonly [number, number, number]): boolean {
  const parts = version.split(".").map(Number);
  const at = least.findIndex((number, i) => parts[i] !== number);
  return at < 0 || (parts[at] ?? 0) > (least[at] ?? 0);
}
