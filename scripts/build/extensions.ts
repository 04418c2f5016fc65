import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { extensionBundle } from "./bundles.ts";

/** Hosts that load a module of ours into their own process, and get it as one file. */
export const extensions = ["pi"] as const;

/**
 * Writes the extension of a host into a folder, in place of the module that `tsc` wrote there: `entry.cjs` has all of it, and the module passes on
 * what that exports. Finding two hundred modules takes a host longer than running them, all the more where it translates
 * each by itself before it runs, as pi's loader does with what is no CommonJS. Gives what went into it.
 */
export async function buildExtension(
  root: string,
  host: (typeof extensions)[number],
  folder: string,
): Promise<Metafile> {
  const { metafile } = await build({ ...extensionBundle(root, host, folder), metafile: true });
  const names = await exportsOf(join(root, "adapters", host, "entry.ts"));
  const passed = names.map((name) => `export ${name === "default" ? name : `const ${name} =`} entry.${name};`);
  const lines = [
    'import { createRequire } from "node:module";',
    'const entry = createRequire(import.meta.url)("./entry.cjs");',
    ...passed,
    "",
  ];
  await writeFile(join(folder, "entry.js"), lines.join("\n"));
  return metafile;
}

/** Names of what a module exports, without its types. */
async function exportsOf(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    external: ["*"],
    format: "esm",
    platform: "node",
    write: false,
    outdir: ".",
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ exports }) => exports);
}
