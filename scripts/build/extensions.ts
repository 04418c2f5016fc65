import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { extensionBundle } from "./bundles.ts";

/** Hosts that load a module of ours into their own process, and get it as one file; with the name of that module. */
export const extensionModules = { pi: "entry", omp: "entry", gastown: "entry", opencode: "plugin" } as const;

/** Name of such a host. */
export type ExtensionHost = keyof typeof extensionModules;

/**
 * Writes the extension of a host into a folder, in place of the module that `tsc` wrote there: `<module>.cjs` has all of it, and the module passes on
 * what that exports. Finding two hundred modules takes a host longer than running them, all the more where it translates
 * each by itself before it runs, as pi's loader does with what is no CommonJS. Gives what went into it.
 */
export async function buildExtension(root: string, host: ExtensionHost, folder: string): Promise<Metafile> {
  const module = extensionModules[host];
  const { metafile } = await build({ ...extensionBundle(root, host, module, folder), metafile: true });
  const names = await exportsOf(join(root, "adapters", host, `${module}.ts`));
  const passed = names.map((name) => `export ${name === "default" ? name : `const ${name} =`} entry.${name};`);
  const lines = [
    'import { createRequire } from "node:module";',
    `const entry = createRequire(import.meta.url)("./${module}.cjs");`,
    ...passed,
    "",
  ];
  await writeFile(join(folder, `${module}.js`), lines.join("\n"));
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
