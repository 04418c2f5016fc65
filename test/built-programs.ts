import { realpathSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type BuiltPrograms, buildPrograms } from "../scripts/build/programs.ts";

/** The programs of a package, and the folder that they stand in. */
export interface ProgramsOfRun extends BuiltPrograms {
  readonly dist: string;
}

let programs: Promise<ProgramsOfRun> | undefined;

/**
 * Builds the programs of this checkout once for all test files of a worker, below the home of the run, which ends with it.
 * A test reads that folder; one that changes it takes a copy.
 */
export function programsOfRun(): Promise<ProgramsOfRun> {
  programs ??= builtBelow(homedir());
  return programs;
}

async function builtBelow(home: string): Promise<ProgramsOfRun> {
  const dist = realpathSync(await mkdtemp(join(home, "programs-")));
  return { ...(await buildPrograms(join(import.meta.dirname, ".."), dist)), dist };
}
