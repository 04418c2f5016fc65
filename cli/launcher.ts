import * as crypto from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { beginProgram } from "../adapters/one-shot/start/begin-program.ts";
import { modulesOf } from "../adapters/one-shot/start/modules-of.ts";
import { stateFolder } from "../store/state-folder.ts";

/**
 * The built `hookwarden`: starts the command line (`main.ts`) from the programs beside it, with code that an earlier process
 * compiled. Compiling takes half the time of `check` for a small policy. The code is cached only for users with a state
 * folder; a single check, such as in CI, leaves none behind.
 */

/** Returns the user's state folder, if it exists. */
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
