import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";

/** Most parent folders that are searched. */
const foldersAbove = 24;
/** Units of work of one look at the file system. */
const lookupUnits = 4;

/** Returns the top of the repository of a folder: the folder with `.git`, otherwise the folder itself. */
export function repositoryOf(folder: string, files: Pick<FileSystem, "lookup">): string {
  let at = folder;
  for (let i = 0; i < foldersAbove && at !== ""; i++, at = at.slice(0, at.lastIndexOf("/"))) {
    spend(lookupUnits);
    if (files.lookup(`${at}/.git`).kind !== "absent") return at;
  }
  return folder;
}
