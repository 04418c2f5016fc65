import type { PathValue, TreeTakes } from "../../schema/facts.ts";
import type { TreeChange } from "../programs/program.ts";
import { beginsUnknown, type Field, isNameless } from "../shell/fields.ts";

/** A folder whose content a call changes as a whole; `patch` is the file that says which of it. */
export interface Tree {
  readonly path: PathValue;
  readonly how: TreeChange;
  readonly patch?: string;
  readonly via: string;
  readonly certain: boolean;
  readonly command: number;
}

/**
 * Returns the path as a folder with all that lies beneath it. For a path with an unknown beginning, or without a known name,
 * only `partly` is marked so: its guessed texts lie above nothing real.
 */
export function wholeOf(path: PathValue, field: Field, takes?: TreeTakes): PathValue {
  const { partly } = path;
  const own = partly ? { ...path, partly: { ...partly, tree: true as const } } : path;
  if (beginsUnknown(field) || isNameless(field)) return own;
  return takes ? { ...own, tree: true, takes } : { ...own, tree: true };
}
