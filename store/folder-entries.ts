import { type Dirent, opendirSync } from "node:fs";
import { limits } from "../schema/limits.ts";

/**
 * Entries of a folder that may hold policies, in no order, or undefined where there are more than `limits.policyEntries`: a
 * repository can hold millions, and what lists them all takes as long. Throws what the file system throws.
 */
export function policyEntries(path: string): readonly Dirent[] | undefined {
  const folder = opendirSync(path);
  try {
    const entries: Dirent[] = [];
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length === limits.policyEntries) return undefined;
      entries.push(entry);
    }
    return entries;
  } finally {
    folder.closeSync();
  }
}
