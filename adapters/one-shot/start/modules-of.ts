import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import type { Launched, ModulesOf, Program, ProgramName } from "./program-file.ts";

/** Names of the programs' files; set by the build. */
declare const programFiles: Readonly<Record<ProgramName, string>>;

/** Starts the program in a file. */
export type Begin = (file: string, require: NodeJS.Require, launched: Launched) => void;

/**
 * Gives access to the modules of all programs in the folder `bin`. A program is read when one of its modules is first
 * requested. Errors of the file system and of the modules are thrown.
 */
export function modulesOf(bin: string, require: NodeJS.Require, launched: Launched, begin: Begin = plainly): ModulesOf {
  launched.module ??= (program, module) => {
    if (!launched.begun[program]) begin(join(bin, programFiles[program]), require, launched);
    return launched.begun[program]?.(module);
  };
  return launched.module;
}

/** Starts a program from its file, without cached code. */
function plainly(file: string, require: NodeJS.Require, launched: Launched): void {
  const program = new Script(readFileSync(file, "latin1"), { filename: file }).runInThisContext() as Program;
  program(require, launched);
}
