import * as crypto from "node:crypto";
import { pathToFileURL } from "node:url";
import { modulesOf } from "./modules-of.ts";
import type { Launched, ModulesOf } from "./program-file.ts";

/**
 * `hookwarden-modules.cjs`: what the files of this package that others load take their modules from. They are the same ones
 * for all of them in a process, so that an application and an extension share what belongs to the process.
 */
const own: Launched = {
  url: pathToFileURL(__filename).href,
  importModule: (name) => import(name),
  crypto,
  asModules: true,
  begun: {},
};

/** Exports of a module of this package. */
export const module: ModulesOf = (program, name) => joined(own)(program, name);

/** The modules for a hook that was launched, which has its own of its program already. */
export function joined(launched: Launched): ModulesOf {
  return modulesOf(__dirname, require, launched);
}
