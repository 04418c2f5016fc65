import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { Script } from "node:vm";
import { type CachedCode, type CodePlace, cachedCode, keepCode } from "./code-cache.ts";
import type { Launched, Program } from "./program-file.ts";

/** How the code of a program is kept. */
export interface Keeping {
  /** Whose code it is, where not a hook's: others run other parts of the same program, which would make a hook's code larger. */
  readonly owner?: string;
  /** Processes that add to the kept code what they had to compile: each runs other parts of a program. */
  readonly generations: number;
  /** Our folder of state, where code is kept; undefined where none may be. May throw. */
  state(): string | undefined;
}

/**
 * Begins the program in `file`, compiled as earlier processes left it (`code-cache.ts`). The file is named by its content,
 * `<name>.<digest>.program`, as the build writes it. Throws what the file system and the program throw; a cache that cannot
 * be had costs time, nothing else.
 */
export function beginProgram(file: string, require: NodeJS.Require, launched: Launched, keeping: Keeping): void {
  const source = readFileSync(file, "latin1");
  const place = placeOf(file, keeping);
  const known = place && cachedCode(place);
  const script = new Script(source, { filename: file, ...(known && { cachedData: known.bytes }) });
  const program = script.runInThisContext() as Program;
  program(require, launched);
  if (place) process.on("exit", () => keep(place, script, known, keeping));
}

/** Only after the answer of the program, whose listeners came before. */
function keep(place: CodePlace, script: Script, known: CachedCode | undefined, { generations }: Keeping): void {
  const usable = known && script.cachedDataRejected !== true;
  if (!usable || known.generation < generations)
    keepCode(place, script.createCachedData(), usable ? known.generation + 1 : 1);
}

/** V8 itself refuses what another of its versions, or one with other flags, has made; so each has a place of its own. */
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

/** A number of a text, to tell places apart and for nothing else (FNV-1a): a digest takes longer. */
function numberOf(text: string): number {
  let number = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) number = Math.imul(number ^ text.charCodeAt(i), 0x01000193);
  return number >>> 0;
}
