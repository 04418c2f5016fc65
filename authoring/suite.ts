import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import { readSuite } from "./test/suite-file.ts";
import { SuiteRun } from "./test/suite-run.ts";

/** Result of a suite. Without errors in the suite or its policies, every HW409 is a failed case. */
export interface SuiteResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly cases: number;
  readonly failed: number;
}

/**
 * Reads and runs the cases of one suite file. The events of each case go in order through an engine of its own, and each
 * decision is compared with the expectation. `name` is for people. Source: language page section 6.
 */
export function runSuite(path: string, name: string = path): SuiteResult {
  const file = readSuite(path, name);
  if (!("plan" in file)) return { ...file, failed: 0 };
  const cases = new SuiteRun(file).cases();
  return {
    diagnostics: cases.flatMap(({ mismatches }) => mismatches.map((m) => m.diagnostic)),
    sources: file.sources,
    cases: cases.length,
    failed: cases.filter(({ mismatches }) => mismatches.length > 0).length,
  };
}
