import { readFileSync, writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import { stateFolder } from "../../store/state-folder.ts";
import { type CachedCode, type CodePlace, cachedCode, keepCode } from "./start/code-cache.ts";
import { crypto } from "./start/crypto.ts";
import type { Program } from "./start/program-file.ts";

/**
 * `hookwarden-hook`, the file that hosts are wired to: it begins the program beside it (`program.ts`), compiled as an
 * earlier process left it (`start/code-cache.ts`). Small, since Node compiles it anew for every event.
 */

/** Name of the program's file, which names its content too, as the build writes it. */
declare const programFile: string;

/** Processes that add to the kept code what they had to compile. */
const generations = 6;

try {
  begin();
} catch (fault) {
  refuse(fault);
}

function begin(): void {
  const file = join(__dirname, programFile);
  const source = readFileSync(file, "latin1");
  const place = placeOf();
  const known = place && cachedCode(place);
  const script = new Script(source, { filename: file, ...(known && { cachedData: known.bytes }) });
  const program = script.runInThisContext() as Program;
  program(require, {
    get url() {
      return pathToFileURL(__filename).href;
    },
    importModule: (name) => import(name),
    crypto,
  });
  if (place) process.on("exit", () => keep(place, script, known));
}

/** Only after the answer, of which this is the last listener. */
function keep(place: CodePlace, script: Script, known: CachedCode | undefined): void {
  const usable = known && script.cachedDataRejected !== true;
  if (!usable || known.generation < generations)
    keepCode(place, script.createCachedData(), usable ? known.generation + 1 : 1);
}

/** V8 itself refuses what another of its versions, or one with other flags, has made; so each has a place of its own. */
function placeOf(): CodePlace | undefined {
  try {
    const flags = numberOf(JSON.stringify([process.execArgv, process.env["NODE_OPTIONS"] ?? ""]));
    const tag = `${programFile.split(".")[1]}-${process.version}-${process.arch}-${flags.toString(16)}`;
    return { state: stateFolder(process.env, homedir()), tag };
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

/** What cannot even begin refuses by exit code: hosts' own forms of a refusal are the program's. */
function refuse(fault: unknown): never {
  const why = fault instanceof Error ? fault.message : String(fault);
  try {
    writeSync(2, `Blocked by hookwarden: this could not be judged (internal error: ${why})`);
  } finally {
    process.exit(2);
  }
}
