import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";

/** What one bundle came to: its code, the licences that travel with it by file name, and what went into it. */
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
  // A program that is no module of its own has its launcher import others.
  const body = quickModules(code).replace(/\bimport\((?=["'])/g, "launched.importModule(");
  const text = `(function (require, launched) {"use strict";${body}\n})\n`;
  const file = `${name}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.program`;
  await writeFile(join(folder, file), text, "latin1");
  await writeLicences(folder, legal);
  return file;
}

/** The function by which esbuild begins a module at its first use. */
const begins = /\{try\{return (\w+)\|\|(.{1,80}?),\1\.exports\}catch\((\w+)\)\{throw \1=0,\3\}\}/g;

/**
 * Has a module that began be given without a `try`: each use of an import goes through this function (`lazy-modules.ts`), so
 * that it has to be one that is compiled into its callers. Throws an Error if esbuild writes it in another way.
 */
function quickModules(code: string): string {
  const quick = code.replace(begins, "{if($1)return $1.exports;try{return $2,$1.exports}catch($3){throw $1=0,$3}}");
  if (quick === code) throw new Error("esbuild begins modules in a way that the build does not understand");
  return quick;
}

/** Writes licences beside what they are of. */
export async function writeLicences(folder: string, legal: Bundled["legal"]): Promise<void> {
  for (const { name, text } of legal) await writeFile(join(folder, name), text);
}
