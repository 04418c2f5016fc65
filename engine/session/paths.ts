import { limits } from "../../schema/limits.ts";
import { addAll } from "./bounds.ts";

/** Labels of files and folders, by real path, oldest first. */
export type PathLabels = Map<string, string[]>;

/**
 * Labels a file. Over the bound, the oldest label moves to the folder of its file and applies to everything in it, so that memory
 * is bounded and no label is lost.
 */
export function labelPath(paths: PathLabels, path: string, labels: readonly string[]): void {
  put(paths, fitting(path), labels);
  while (paths.size > limits.labelledPaths) {
    const [oldest, held] = paths.entries().next().value as [string, string[]];
    paths.delete(oldest);
    put(paths, folderOf(oldest), held);
  }
}

/** Labels of a path and of every folder above it. */
export function labelsOfPath(paths: ReadonlyMap<string, readonly string[]>, path: string): readonly string[] {
  const found = new Set<string>();
  for (let at = fitting(path); ; at = folderOf(at)) {
    for (const label of paths.get(at) ?? []) found.add(label);
    if (at === root) return [...found];
  }
}

const root = "/";

function put(paths: PathLabels, path: string, labels: readonly string[]): void {
  const held = paths.get(path) ?? [];
  addAll(held, labels);
  paths.set(path, held);
}

/** The folder of a path; the root is its own. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? root : path.slice(0, slash);
}

/** Returns the path; for one too long for any system, the longest folder that a system could open. */
function fitting(path: string): string {
  const plain = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  return plain.length <= limits.labelledPath ? plain || root : folderOf(plain.slice(0, limits.labelledPath + 1));
}
