import * as crypto from "node:crypto";
import { pathToFileURL } from "node:url";
import { modulesOf } from "./modules-of.ts";
import type { Launched, ModulesOf } from "./program-file.ts";

/**
 * `hookwarden-modules.cjs`: the source of modules for the files of this package that others load. All of them in a process
 * get the same modules, so that an application and an extension share process-wide state.
 */
const own: Launched = {
  url: pathToFileURL(__filename).href,
  importModule: (name) => import(name),
  crypto,
  asModules: true,
  begun: {},
};

/** Returns the exports of a module of this package. */
export const module: ModulesOf = (program, name) => joined(own)(program, name);

/** Returns the module access for a launched hook, which already has the modules of its own program. */
export function joined(launched: Launched): ModulesOf {
  return modulesOf(__dirname, require, launched);
}
