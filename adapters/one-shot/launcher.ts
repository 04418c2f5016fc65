import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { stateFolder } from "../../store/state-folder.ts";
import { beginProgram } from "./start/begin-program.ts";
import { crypto } from "./start/crypto.ts";
import { placeAbove, placeFault, placeFaultLine } from "./start/place-check.ts";
import type { Launched } from "./start/program-file.ts";

/**
 * `hookwarden-hook`, the file that hosts are wired to. It starts the program beside it (`program.ts`) from the compiled code
 * that an earlier process cached (`start/code-cache.ts`). It is small, because Node compiles it for every event.
 */

/** Name of the program's file, which includes a digest of its content; set by the build. */
declare const programFile: string;

try {
  const place = placeAbove(__dirname);
  const fault =
    place === undefined ? undefined : placeFault(place, { node: process.execPath, program: `dist/bin/${programFile}` });
  // A program that is unchanged since the install may begin, to refuse in the host's form; any other must not begin.
  if (fault && !fault.mayBegin) throw new Error(placeFaultLine(fault));
  const launched: Launched = {
    ...(fault && { refuse: placeFaultLine(fault) }),
    get url() {
      return pathToFileURL(__filename).href;
    },
    importModule: (name) => import(name),
    crypto,
    begun: {},
  };
  beginProgram(join(__dirname, programFile), require, launched, {
    generations: 6,
    // A call that compiled its policies ran code that calls with a cached plan do not need.
    isUsual: () => launched.begun.rest === undefined,
    state: () => option("--state") ?? ownState(),
  });
} catch (fault) {
  refuse(fault);
}

/**
 * Returns the state folder from this process's environment, unless a client started it. A client passes no home folder:
 * then a command line without `--state` has no cached code.
 */
function ownState(): string | undefined {
  return process.env["HOOKWARDEN_VARIABLES"] === undefined ? stateFolder(process.env) : undefined;
}

/** Returns the value of an option on the command line; undefined if it is not given. */
function option(name: string): string | undefined {
  const at = process.argv.indexOf(name, 2);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** Refuses by exit code if the program cannot begin: 80 for the client, which writes the host's own form, or 2 without a client. */
function refuse(fault: unknown): never {
  const why = fault instanceof Error ? fault.message : String(fault);
  try {
    writeSync(2, `Blocked by hookwarden: this could not be judged (internal error: ${why})`);
  } finally {
    process.exit(process.env["HOOKWARDEN_VARIABLES"] === undefined ? 2 : 80);
  }
}
