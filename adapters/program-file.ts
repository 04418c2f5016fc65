import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Inputs of the search for a program. */
export interface ProgramPlace {
  /** Folders whose content comes with the repository, hence from anyone. */
  readonly workspaces: readonly string[];
  /** Folders to search for names, in the form of `PATH`. */
  readonly path: string;
  /** Required digest of the file, `sha256:…`. */
  readonly digest: string | undefined;
}

/** The file to start, with its `PATH`, or the reason why it may not run. */
export type Located = { readonly file: string; readonly path: string } | { readonly refused: string };

/**
 * Finds the program of a `run` action: an absolute path, a path below the workspace (`scripts/check`), or a name to search
 * in the folders of `PATH`. Folders that are relative or inside a workspace are neither searched nor passed on: a
 * repository's file must not replace `git`. A file inside a workspace, by its real path, needs a digest. Source: semantics
 * section 2 (`run`).
 */
export async function locateProgram(name: string, place: ProgramPlace): Promise<Located> {
  if (name === "") return refuse("the command is empty");
  const workspaces = await Promise.all(place.workspaces.map(realOf));
  const folders = await trusted(place.path.split(delimiter), workspaces);
  const file = await find(name, folders, place.workspaces[0]);
  if (file === undefined) return refuse(`program \`${name}\` is not there, or is no file`);
  const real = await realpath(file);
  const path = folders.join(delimiter);
  if (!(await isRunnable(real))) return refuse(`program \`${name}\` is not executable`);
  const isInside = workspaces.some((folder) => contains(folder, real));
  if (place.digest === undefined)
    return isInside ? refuse(`program \`${name}\` is inside the workspace and has no digest`) : { file, path };
  const found = await digestOf(real);
  if (found === undefined) return refuse(`program \`${name}\` cannot be read whole: it is no file, or too large`);
  if (found !== place.digest.toLowerCase()) return refuse(`program \`${name}\` has another digest: ${found}`);
  // The file that was read is the one that starts, whatever a link points to by then.
  return { file: real, path };
}

function refuse(refused: string): Located {
  return { refused };
}

/** Finds the file of a name as the shell does: the first that exists and can be started. */
async function find(
  name: string,
  folders: readonly string[],
  workspace: string | undefined,
): Promise<string | undefined> {
  if (isAbsolute(name)) return fileAt(name);
  if (name.includes("/") || name.includes(sep))
    return workspace === undefined ? undefined : fileAt(resolve(workspace, name));
  for (const folder of folders) {
    const file = await fileAt(join(folder, name));
    if (file !== undefined && (await isRunnable(file))) return file;
  }
  return undefined;
}

/** Endings of program names; scripts of `cmd.exe` need a shell and do not count. */
const endings = process.platform === "win32" ? ["", ".exe", ".com"] : [""];

async function fileAt(path: string): Promise<string | undefined> {
  for (const ending of endings) {
    try {
      if ((await stat(path + ending)).isFile()) return path + ending;
    } catch {
      // Nothing there, or nothing we may look at.
    }
  }
  return undefined;
}

async function isRunnable(file: string): Promise<boolean> {
  if (process.platform === "win32") return /\.(?:exe|com)$/i.test(file);
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the absolute folders of `PATH` that are in no workspace. */
async function trusted(folders: readonly string[], workspaces: readonly string[]): Promise<string[]> {
  const absolute = folders.filter(isAbsolute);
  const real = await Promise.all(absolute.map(realOf));
  return absolute.filter((_, i) => !workspaces.some((folder) => contains(folder, real[i] as string)));
}

/** Returns the real path of a folder, or the path as given if it does not exist. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

/** Maximum size of a program to digest, in bytes; no program is larger, but a sparse file may report any size. */
const mostBytes = 1_073_741_824;

/** Digests a file. It is opened without waiting, and read only if it is a file: the path may hold something else by now. */
async function digestOf(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > mostBytes) return undefined;
    const hash = createHash("sha256");
    for await (const chunk of file.createReadStream({ end: mostBytes, autoClose: false })) hash.update(chunk as Buffer);
    return `sha256:${hash.digest("hex")}`;
  } finally {
    await file.close();
  }
}
