import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename } from "node:path";
import { Script } from "node:vm";
import { stateFolder } from "../../../store/state-folder.ts";
import { type CachedCode, type CodePlace, cachedCode, keepCode } from "./code-cache.ts";
import type { Launched, Program } from "./program-file.ts";

/** Processes that add to the kept code what they had to compile: each runs other parts of a program. */
const generations = 12;

/**
 * Begins a program of many uses, such as the command line, compiled as earlier processes left it (`code-cache.ts`). `file`
 * is named by its content, as the build writes it. Code is kept where `mayKeep` says so of the user's state folder.
 */
export function beginProgram(
  file: string,
  require: NodeJS.Require,
  launched: Launched,
  mayKeep: (state: string) => boolean,
): void {
  const source = readFileSync(file, "latin1");
  const place = placeOf(file, mayKeep);
  const known = place && cachedCode(place);
  const script = new Script(source, { filename: file, ...(known && { cachedData: known.bytes }) });
  const program = script.runInThisContext() as Program;
  program(require, launched);
  if (place) process.on("exit", () => keep(place, script, known));
}

function keep(place: CodePlace, script: Script, known: CachedCode | undefined): void {
  const usable = known && script.cachedDataRejected !== true;
  if (!usable || known.generation < generations)
    keepCode(place, script.createCachedData(), usable ? known.generation + 1 : 1);
}

/** V8 itself refuses what another of its versions, or one with other flags, has made; so each has a place of its own. */
function placeOf(file: string, mayKeep: (state: string) => boolean): CodePlace | undefined {
  try {
    const state = stateFolder(process.env, homedir());
    if (!mayKeep(state)) return undefined;
    const flags = [process.version, process.arch, process.execArgv, process.env["NODE_OPTIONS"] ?? ""];
    const made = createHash("sha256").update(JSON.stringify(flags)).digest("hex").slice(0, 16);
    return { state, tag: `${basename(file).split(".").at(-2)}-${made}` };
  } catch {
    return undefined;
  }
}
