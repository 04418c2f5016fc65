import { existsSync } from "node:fs";
import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Imports of a declaration: `from "./a.ts"`, `import("./a.ts")`. */
const taken = /\b(?:from|import)\s*\(?\s*"(\.\.?\/[^"]+)"/g;

/**
 * Removes every declaration below `dist` that no entry reaches, and then empty folders. An entry is the path of a declaration.
 * Rejects if a declaration imports a missing file.
 */
export async function keepDeclarations(dist: string, entries: readonly string[]): Promise<void> {
  const kept = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, to = ""] of (await readFile(file, "utf8")).matchAll(taken))
      waiting.push(resolve(dirname(file), to.replace(/\.[cm]?[jt]s$/, ".d.ts")));
  }
  for (const name of await readdir(dist, { recursive: true })) {
    const file = join(dist, name);
    if (name.endsWith(".d.ts") && !kept.has(file)) await rm(file);
  }
  await removeEmpty(dist);
}

async function removeEmpty(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeEmpty(join(folder, entry.name));
  if (existsSync(folder) && (await readdir(folder)).length === 0) await rmdir(folder);
}
