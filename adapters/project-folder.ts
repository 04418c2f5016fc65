import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A folder that an agent works in, and the root of its repository; the folder itself where there is none. */
export interface WorkPlace {
  readonly cwd: string;
  readonly workspace: string;
}

/** The nearest folder with policies: an agent that has gone into a subfolder is still under its project's. */
export function projectFolder({ cwd, workspace }: WorkPlace): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".hookwarden"))) return folder;
    if (folder === workspace || dirname(folder) === folder) return workspace;
  }
}
