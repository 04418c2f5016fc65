import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { limits } from "../schema/limits.ts";
import { type Discovery, discoverRoots } from "../store/discover.ts";
import { fileDiagnostic } from "../store/policy-file.ts";

/** An agent's working folder, and the root of its repository; the working folder itself if there is none. */
export interface WorkPlace {
  readonly cwd: string;
  readonly workspace: string;
}

/** Finds the policies of the project in which an agent works. */
export function projectPolicies(place: WorkPlace): Discovery {
  const folder = projectFolder(place);
  if (folder !== undefined) return discoverRoots({ project: join(folder, ".hookwarden") }, folder);
  const message = `the agent works more than ${limits.projectFolders} folders below its project`;
  const name = join(place.workspace, ".hookwarden");
  return { files: [], diagnostics: [fileDiagnostic("HW013", name, message, "let it work further up")] };
}

/**
 * Returns the nearest folder with policies: an agent in a subfolder is still under its project's. Undefined if the folder is
 * so deep that not every folder above is examined; a host may name a folder of thousands of levels.
 */
function projectFolder(place: WorkPlace): string | undefined {
  const folders = foldersOf(place);
  return folders && (folders.find((folder) => existsSync(join(folder, ".hookwarden"))) ?? place.workspace);
}

/** Returns the working folder and the folders above it in its repository; undefined if there are too many. */
export function foldersOf({ cwd, workspace }: WorkPlace): readonly string[] | undefined {
  if (cwd.length > longestPath) return undefined;
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folders.length === limits.projectFolders) return undefined;
    folders.push(folder);
    if (folder === workspace || dirname(folder) === folder || !isAbsolute(folder)) return folders;
  }
}

/** Maximum length of a path, in UTF-16 units; no system that we know opens a longer one. */
const longestPath = 32_768;
