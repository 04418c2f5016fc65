import * as crypto from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { beginProgram } from "../adapters/one-shot/start/begin-program.ts";
import { stateFolder } from "../store/state-folder.ts";

/**
 * `hookwarden` as built: begins the command line beside it (`main.ts`), compiled as an earlier process left it. Half of
 * what `check` of a small policy takes is compiling, of which a little is another's each time. Code is kept only for
 * users who have a state folder: who checks a policy once, such as CI, is left without one.
 */

/** The user's state folder, if it is there. */
function keptState(): string | undefined {
  const state = stateFolder(process.env);
  return existsSync(state) ? state : undefined;
}

/** Name of the program's file, which names its content too, as the build writes it. */
declare const programFile: string;

beginProgram(
  fileURLToPath(new URL(programFile, import.meta.url)),
  createRequire(import.meta.url),
  { url: import.meta.url, importModule: (name) => import(name), crypto },
  { generations: 12, state: keptState },
);
