import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, resolve, sep } from "node:path";

/** What finding a program rests on. */
export interface ProgramPlace {
  /** Folders whose content comes with the repository, hence from anyone. */
  readonly workspaces: readonly string[];
  /** Folders that names are looked up in, as `PATH` writes them. */
  readonly path: string;
  /** Digest that the file must have, `sha256:…`. */
  readonly digest: string | undefined;
}

/** The file to start, with the `PATH` that it gets, or why it may not run. */
export type Located = { readonly file: string; readonly path: string } | { readonly refused: string };

/**
 * Finds the program of a `run` action: an absolute path, a path below the workspace (`scripts/check`), or a name that is
 * looked up in the folders of `PATH`. Folders that are relative or inside a workspace are not looked in, nor are they
 * passed on: what a repository brings along must not stand in for `git`. A file inside a workspace, by its real path,
 * needs a digest. Source: semantics section 2 (`run`).
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
  // The file that was read is the one that is started, whatever a link says by then.
  return { file: real, path };
}

function refuse(refused: string): Located {
  return { refused };
}

/** The file that a name means, in the way of the shell: the first that is there and can be started. */
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

/** Names under which a program may stand; scripts of `cmd.exe` need a shell and are none. */
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

/** Absolute folders of `PATH` that are in no workspace. */
async function trusted(folders: readonly string[], workspaces: readonly string[]): Promise<string[]> {
  const absolute = folders.filter(isAbsolute);
  const real = await Promise.all(absolute.map(realOf));
  return absolute.filter((_, i) => !workspaces.some((folder) => contains(folder, real[i] as string)));
}

/** The real path of a folder; one that is not there is what it says. */
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

/** Bytes of a program whose digest is looked at; no program is larger, but a file with holes may say anything. */
const mostBytes = 1_073_741_824;

/** Opened without waiting, and read only as a file: something else may stand there by now. */
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
