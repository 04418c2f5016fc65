import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Script } from "node:vm";
import { type CachedCode, type CodePlace, cachedCode, keepCode } from "./code-cache.ts";
import type { Launched, Program } from "./program-file.ts";

/** How the compiled code of a program is cached. */
export interface Keeping {
  /** Owner of the code, if not a hook. Others run other parts of the same program, which would make a hook's code larger. */
  readonly owner?: string;
  /** Number of processes that add the functions they had to compile to the cache: each runs other parts of a program. */
  readonly generations: number;
  /**
   * False if this process ran parts of the program that later ones seldom run; its code is then not kept, because each start
   * loads all cached code. Called at exit.
   */
  isUsual?(): boolean;
  /** Returns our state folder, where code is kept; undefined if none may be kept. May throw. */
  state(): string | undefined;
}

/**
 * Starts the program in `file` with the compiled code that earlier processes cached (`code-cache.ts`). The build names the
 * file by its content: `<name>.<digest>.program`. Errors of the file system and of the program are thrown; without a cache
 * it only takes longer.
 */
export function beginProgram(file: string, require: NodeJS.Require, launched: Launched, keeping: Keeping): void {
  const memory = readFileSync(file);
  const source = memory.toString("latin1");
  const place = placeOf(file, keeping);
  const known = place && cachedCode(place, memory);
  const script = new Script(source, { filename: file, ...(known && { cachedData: known.bytes }) });
  const program = script.runInThisContext() as Program;
  program(require, launched);
  if (place) process.on("exit", () => keep(place, script, known, keeping));
}

/** Updates the cache at exit, after the program's answer, because the program's listeners were added first. */
function keep(place: CodePlace, script: Script, known: CachedCode | undefined, keeping: Keeping): void {
  if (keeping.isUsual?.() === false) return;
  const { generations } = keeping;
  const usable = known && script.cachedDataRejected !== true;
  if (!usable || known.generation < generations)
    keepCode(place, script.createCachedData(), usable ? known.generation + 1 : 1);
}

/** Returns the place of the code. V8 rejects code made by other versions or flags, so each combination has its own place. */
function placeOf(file: string, keeping: Keeping): CodePlace | undefined {
  try {
    const state = keeping.state();
    if (state === undefined) return undefined;
    const flags = numberOf(JSON.stringify([process.execArgv, process.env["NODE_OPTIONS"] ?? ""]));
    const digest = basename(file).split(".").at(-2);
    const owner = keeping.owner === undefined ? "" : `-${keeping.owner}`;
    return { state, tag: `${digest}-${process.version}-${process.arch}-${flags.toString(16)}${owner}` };
  } catch {
    return undefined;
  }
}

/** Hashes a text (FNV-1a), only to tell places apart: a digest takes longer. */
function numberOf(text: string): number {
  let number = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193);
  return number >>> 0;
}
