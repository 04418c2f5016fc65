import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { addonDefine, cliLauncherBundle, cliProgramBundle } from "./bundles.ts";
import { lazyModules } from "./lazy-modules.ts";
import { bundled, joined, writeProgram } from "./program.ts";

/**
 * Writes the command line into a folder: `hookwarden.js`, which begins `hookwarden.<digest>.program` (`cli/launcher.ts`).
 * Gives what went into both.
 */
export async function buildCli(root: string, folder: string): Promise<Metafile> {
  await mkdir(folder, { recursive: true });
  const program = await bundled({
    ...cliProgramBundle(root),
    plugins: [
      ...lazyModules(root, { "import.meta.url": "launched.url", ...addonDefine(root, ".") }, ["facts/versions.ts"]),
    ],
  });
  const name = await writeProgram(folder, "hookwarden", program);
  const launcher = await bundled({ ...cliLauncherBundle(root), define: { programFile: JSON.stringify(name) } });
  const file = join(folder, "hookwarden.js");
  await writeFile(file, launcher.code);
  await chmod(file, 0o755);
  return joined(program, launcher);
}
