import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { launcherBundle } from "./bundles.ts";
import { type BuiltProgram, buildProgram } from "./layers.ts";
import { bundled, writeLicences } from "./program.ts";
import { sha256Module } from "./sha256-wasm.ts";

/** The launcher of hooks as it was written, and its program. */
export interface BuiltLauncher {
  readonly program: BuiltProgram;
  readonly launcher: Metafile;
}

/**
 * Writes `hookwarden-hook.cjs` and its program (`adapters/one-shot/launcher.ts`) into a folder, and the shell files that start
 * it. Returns the bundles written.
 */
export async function buildLauncher(root: string, folder: string): Promise<BuiltLauncher> {
  await mkdir(folder, { recursive: true });
  const program = await buildProgram(root, folder, "hook", {
    plugins: [cryptoFrom(root, "launched.crypto")],
    minify: true,
  });
  // Flat, because Node compiles it for each event, and reads code inside a function twice.
  const launcher = await bundled({
    ...launcherBundle(root),
    define: { programFile: JSON.stringify(program.file), sha256Wasm: JSON.stringify(wasm()) },
    plugins: [cryptoFrom(root, 'require("./adapters/one-shot/start/crypto.ts").crypto')],
  });
  await writeLicences(folder, launcher.legal);
  const file = join(folder, "hookwarden-hook.cjs");
  await writeFile(file, launcher.code);
  await chmod(file, 0o755);
  for (const shell of ["daemon/hookwarden-hook.sh", "one-shot/hookwarden-client.sh"]) {
    const copy = join(folder, basename(shell));
    await copyFile(join(root, "adapters", shell), copy);
    await chmod(copy, 0o755);
  }
  return { program, launcher: launcher.metafile };
}

function wasm(): string {
  return Buffer.from(sha256Module()).toString("base64");
}

/** Plugin that replaces each import of `node:crypto` by an expression, except in the module that wraps it. */
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
