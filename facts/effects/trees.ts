import type { PathValue, TreeTakes } from "../../schema/facts.ts";
import type { TreeChange } from "../programs/program.ts";
import { beginsUnknown, type Field, isNameless } from "../shell/fields.ts";

/** A folder that a call changes as a whole; `patch` is the file that lists the changes. */
export interface Tree {
  readonly path: PathValue;
  readonly how: TreeChange;
  readonly patch?: string;
  readonly via: string;
  readonly certain: boolean;
  readonly command: number;
}

/**
 * Marks a path as a folder with everything below it. If the beginning or the name is unknown, only `partly` gets the mark,
 * because the guessed texts contain no real files.
 */
export function wholeOf(path: PathValue, field: Field, takes?: TreeTakes): PathValue {
  const { partly } = path;
  const own = partly ? { ...path, partly: { ...partly, tree: true as const } } : path;
  if (beginsUnknown(field) || isNameless(field)) return own;
  return takes ? { ...own, tree: true, takes } : { ...own, tree: true };
}
