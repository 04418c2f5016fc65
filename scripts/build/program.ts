import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

/** Result of one bundle: its code, its licence files by name, and its metafile. */
export interface Bundled {
  readonly code: string;
  readonly legal: readonly { readonly name: string; readonly text: string }[];
  readonly metafile: Metafile;
}

/** Bundles without writing. Rejects with what esbuild says. */
export async function bundled(options: BuildOptions): Promise<Bundled> {
  const { outputFiles = [], metafile } = await build({ ...options, write: false, metafile: true });
  const code = outputFiles.find(({ path }) => /\.c?js$/.test(path));
  if (!code || !metafile) throw new Error("esbuild wrote no code");
  const legal = outputFiles.filter(({ path }) => path.endsWith(".LEGAL.txt"));
  return { code: code.text, legal: legal.map(({ path, text }) => ({ name: basename(path), text })), metafile };
}

/**
 * Writes a program, which a launcher begins (`start/program-file.ts`), into a folder, with its licences. Gives the name of
 * its file, `<name>.<digest>.program`.
 */
export async function writeProgram(folder: string, name: string, { code, legal }: Bundled): Promise<string> {
  // A program that is not a separate module imports through its launcher.
  const body = quickModules(code).replace(/\bimport\((?=["'])/g, "launched.importModule(");
  const text = `(function (require, launched) {"use strict";${body}\n})\n`;
  const file = `${name}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.program`;
  await writeFile(join(folder, file), text, "latin1");
  await writeLicences(folder, legal);
  return file;
}

/** The function by which esbuild starts a module on first use. */
const begins = /\{try\{return (\w+)\|\|(.{1,80}?),\1\.exports\}catch\((\w+)\)\{throw \1=0,\3\}\}/g;

/**
 * Returns code in which a started module is found without a `try`. Every use of an import calls this function
 * (`lazy-modules.ts`), so it must be cheap. Throws an Error if esbuild writes the function in another way.
 */
function quickModules(code: string): string {
  const quick = code.replace(begins, "{if($1)return $1.exports;try{return $2,$1.exports}catch($3){throw $1=0,$3}}");
  if (quick === code) throw new Error("esbuild starts modules in a way that the build does not understand");
  return quick;
}

/** Writes licences beside the programs that they belong to. */
export async function writeLicences(folder: string, legal: Bundled["legal"]): Promise<void> {
  for (const { name, text } of legal) await writeFile(join(folder, name), text);
}
