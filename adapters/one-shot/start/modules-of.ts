import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import type { Launched, ModulesOf, Program, ProgramName } from "./program-file.ts";

/** Names of the programs' files, as the build writes them. */
declare const programFiles: Readonly<Record<ProgramName, string>>;

/** Begins the program in a file. */
export type Begin = (file: string, require: NodeJS.Require, launched: Launched) => void;

/**
 * The modules of all programs in the folder `bin`, by what was launched; a program is read when one of its modules is first
 * asked for. Throws what the file system and the modules throw.
 */
export function modulesOf(bin: string, require: NodeJS.Require, launched: Launched, begin: Begin = plainly): ModulesOf {
  launched.module ??= (program, module) => {
    if (!launched.begun[program]) begin(join(bin, programFiles[program]), require, launched);
    return launched.begun[program]?.(module);
  };
  return launched.module;
}

/** As the file has it, compiled anew. */
function plainly(file: string, require: NodeJS.Require, launched: Launched): void {
  const program = new Script(readFileSync(file, "latin1"), { filename: file }).runInThisContext() as Program;
  program(require, launched);
}
