import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { writeNewFile } from "../store/new-file.ts";
import { fileDiagnostic } from "../store/policy-file.ts";
import { whyUnwritten } from "./unwritten.ts";

/**
 * Writes files that must not exist yet, by their path below a folder. If one exists, it writes nothing and returns the
 * obstacle.
 */
export function writeNewFiles(
  folder: string,
  shown: string,
  files: ReadonlyMap<string, string>,
  help: string,
): Diagnostic[] {
  const taken = [...files.keys()].filter((path) => exists(join(folder, path)));
  if (taken.length > 0)
    return taken.map((path) => {
      const name = `${shown}/${path}`;
      return fileDiagnostic("HW702", name, `\`${name}\` is there already`, help);
    });
  for (const [path, text] of files) {
    try {
      writeNewFile(join(folder, path), text);
    } catch (error) {
      const name = `${shown}/${path}`;
      const why = whyUnwritten(error);
      const next = "move away what stands there, or choose a folder that you may write to, and run this there";
      return [fileDiagnostic("HW702", name, `\`${name}\` cannot be written: ${why}`, next)];
    }
  }
  return [];
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
