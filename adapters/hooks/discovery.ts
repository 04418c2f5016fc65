import { readdirSync, statSync } from "node:fs";
import { join, parse } from "node:path";

/** When a discovered hook is meant to run; the folder it lies in. */
export type HookType = "pre" | "post";

/** One file in a hooks folder. */
export interface HookFile {
  readonly type: HookType;
  /** The tool the file is for: its name without extension. */
  readonly tool: string;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly level: "project" | "user";
}

/** A file with its provider; `shadowedBy` is the path of the one that won its key. */
export interface DiscoveredHook extends HookFile {
  readonly provider: string;
  readonly key: string;
  readonly shadowedBy?: string;
}

/** A place where hooks are found. Higher priority comes first and wins. */
export interface HookProvider {
  readonly name: string;
  readonly priority: number;
  list(cwd: string, home: string): readonly HookFile[];
}

/** Source: seed omp-hooks, "Important legacy mismatch" (the folders) and "Discovery-level ordering". */
export const hookProviders: readonly HookProvider[] = [
  folderProvider("omp", 100, ".omp"),
  folderProvider("claude", 80, ".claude"),
];

/** A provider of `<folder>/hooks/{pre,post}` in the project, then in the home. */
function folderProvider(name: string, priority: number, folder: string): HookProvider {
  const under = (base: string, level: HookFile["level"]): HookFile[] =>
    (["pre", "post"] as const).flatMap((type) => filesOf(join(base, folder, "hooks", type), type, level));
  return { name, priority, list: (cwd, home) => [...under(cwd, "project"), ...under(home, "user")] };
}

/** The files of one folder in byte order, which no file system changes (the seed leaves the order to `readdir`). */
function filesOf(folder: string, type: HookType, level: HookFile["level"]): HookFile[] {
  return namesOf(folder)
    .filter((name) => !name.startsWith(".") && isFile(join(folder, name)))
    .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    .map((name) => ({ type, tool: parse(name).name, name, path: join(folder, name), level }));
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * All hook files, by priority of their provider; of each key `${type}:${tool}:${name}` the first wins and the others
 * are marked as shadowed. Source: seed omp-hooks, "Discovery-level ordering".
 */
export function discoverHooks(
  cwd: string,
  home: string,
  providers: readonly HookProvider[] = hookProviders,
): DiscoveredHook[] {
  const winners = new Map<string, string>();
  const byPriority = [...providers].sort((left, right) => right.priority - left.priority);
  return byPriority.flatMap((provider) =>
    provider.list(cwd, home).map((file) => {
      const key = `${file.type}:${file.tool}:${file.name}`;
      const winner = winners.get(key);
      if (winner === undefined) winners.set(key, file.path);
      return { ...file, provider: provider.name, key, ...(winner === undefined ? {} : { shadowedBy: winner }) };
    }),
  );
}
