import * as crypto from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beginProgram } from "../adapters/one-shot/start/begin-program.ts";
import { modulesOf } from "../adapters/one-shot/start/modules-of.ts";
import { stateFolder } from "../store/state-folder.ts";

/**
 * `hookwarden` as built: begins the command line (`main.ts`) in the programs beside it, compiled as an earlier process left it. Half of
 * what `check` of a small policy takes is compiling, of which a little is another's each time. Code is kept only for
 * users who have a state folder: who checks a policy once, such as CI, is left without one.
 */

/** The user's state folder, if it is there. */
function keptState(): string | undefined {
  const state = stateFolder(process.env);
  return existsSync(state) ? state : undefined;
}

modulesOf(
  dirname(fileURLToPath(import.meta.url)),
  createRequire(import.meta.url),
  { url: import.meta.url, importModule: (name) => import(name), crypto, asModules: true, begun: {} },
  (file, require, launched) =>
    beginProgram(file, require, launched, { owner: "cli", generations: 12, state: keptState }),
)("rest", "cli/main.ts");
