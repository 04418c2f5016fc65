import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { launcherBundle, programBundle } from "./bundles.ts";
import { lazyModules } from "./lazy-modules.ts";
import { sha256Module } from "./sha256-wasm.ts";

/**
 * Writes `hookwarden-hook.cjs` and its program (`adapters/one-shot/launcher.ts`) into a folder, and the shell launcher that
 * asks the daemon. Gives what went into both.
 * `minify: false` keeps names and lines, for profiles.
 */
export async function buildLauncher(root: string, folder: string, minify = true): Promise<Metafile> {
  await mkdir(folder, { recursive: true });
  const program = await bundled({ ...programBundle(root), minify }, [
    ...lazyModules(root, { "import.meta.url": "launched.url" }),
    cryptoFrom(root, "launched.crypto"),
  ]);
  const text = `(function (require, launched) {"use strict";${importing(program.text)}\n})\n`;
  const name = `hookwarden-hook.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.program`;
  await writeFile(join(folder, name), text, "latin1");
  const launcher = await bundled(
    { ...launcherBundle(root), define: { programFile: JSON.stringify(name), sha256Wasm: JSON.stringify(wasm()) } },
    [...lazyModules(root, {}), cryptoFrom(root, 'require("./adapters/one-shot/start/crypto.ts").crypto')],
  );
  const file = join(folder, "hookwarden-hook.cjs");
  await writeFile(file, launcher.text);
  await chmod(file, 0o755);
  const shell = join(folder, "hookwarden-hook.sh");
  await copyFile(join(root, "adapters/daemon/hookwarden-hook.sh"), shell);
  await chmod(shell, 0o755);
  for (const { path, text: legal } of [...program.legal, ...launcher.legal]) await writeFile(join(folder, path), legal);
  return {
    inputs: { ...program.metafile.inputs, ...launcher.metafile.inputs },
    outputs: { ...program.metafile.outputs, ...launcher.metafile.outputs },
  };
}

interface Bundled {
  readonly text: string;
  readonly legal: readonly { readonly path: string; readonly text: string }[];
  readonly metafile: Metafile;
}

async function bundled(options: BuildOptions, plugins: readonly Plugin[]): Promise<Bundled> {
  const { outputFiles = [], metafile } = await build({
    ...options,
    write: false,
    metafile: true,
    plugins: [...(options.plugins ?? []), ...plugins],
  });
  const code = outputFiles.find(({ path }) => path.endsWith(".cjs"));
  const legal = outputFiles.filter(({ path }) => path.endsWith(".LEGAL.txt"));
  if (!code || !metafile) throw new Error("esbuild wrote no code");
  return {
    text: code.text,
    legal: legal.map(({ path, text }) => ({ path: path.slice(dirname(path).length + 1), text })),
    metafile,
  };
}

/** A program that is no module of its own has its launcher import others. */
function importing(text: string): string {
  return text.replace(/\bimport\((?=["'])/g, "launched.importModule(");
}

function wasm(): string {
  return Buffer.from(sha256Module()).toString("base64");
}

/** Has every import of `node:crypto` come to an expression, but for that of the module which stands in for it. */
function cryptoFrom(root: string, expression: string): Plugin {
  return {
    name: "crypto",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^node:crypto$/ }, () => ({ path: "node:crypto", namespace: "crypto" }));
      onLoad({ filter: /./, namespace: "crypto" }, () => ({
        contents: `module.exports = ${expression};`,
        resolveDir: root,
      }));
    },
  };
}
