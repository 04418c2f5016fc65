import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { cliLauncherBundle, cliProgramBundle } from "./bundles.ts";
import { lazyModules } from "./lazy-modules.ts";

/**
 * Writes the command line into a folder: `hookwarden.js`, which begins `hookwarden.<digest>.program` (`cli/launcher.ts`).
 * Gives what went into both.
 */
export async function buildCli(root: string, folder: string): Promise<Metafile> {
  await mkdir(folder, { recursive: true });
  const program = await bundled({
    ...cliProgramBundle(root),
    plugins: [...lazyModules(root, { "import.meta.url": "launched.url" }, ["facts/versions.ts"])],
  });
  // A program that is no module of its own has its launcher import others.
  const body = program.code.replace(/\bimport\((?=["'])/g, "launched.importModule(");
  const text = `(function (require, launched) {"use strict";${body}\n})\n`;
  const name = `hookwarden.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.program`;
  await writeFile(join(folder, name), text, "latin1");
  const launcher = await bundled({ ...cliLauncherBundle(root), define: { programFile: JSON.stringify(name) } });
  const file = join(folder, "hookwarden.js");
  await writeFile(file, launcher.code);
  await chmod(file, 0o755);
  for (const { path, text: legal } of program.legal) await writeFile(join(folder, basename(path)), legal);
  return {
    inputs: { ...program.metafile.inputs, ...launcher.metafile.inputs },
    outputs: { ...program.metafile.outputs, ...launcher.metafile.outputs },
  };
}

interface Bundled {
  readonly code: string;
  readonly legal: readonly { readonly path: string; readonly text: string }[];
  readonly metafile: Metafile;
}

async function bundled(options: BuildOptions): Promise<Bundled> {
  const { outputFiles = [], metafile } = await build({ ...options, write: false, metafile: true });
  const code = outputFiles.find(({ path }) => /\.c?js$/.test(path));
  if (!code || !metafile) throw new Error("esbuild wrote no code");
  const legal = outputFiles.filter(({ path }) => path.endsWith(".LEGAL.txt"));
  return { code: code.text, legal, metafile };
}
