import type { CoveredPlace } from "../../authoring/test/coverage-places.ts";
import type { MutantResult } from "../../authoring/test/mutation.ts";
import type { SuiteReport } from "../../authoring/test/test-report.ts";
import type { SuiteUpdate } from "../../authoring/test/update.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** What one run of `test` came to, before it is printed. */
export interface TestRun {
  readonly reports: readonly SuiteReport[];
  /** Arguments that name nothing, options that do not fit. */
  readonly problems: readonly Diagnostic[];
  /** What `--update` rewrote, by the name of the suite. */
  readonly updates: readonly { readonly name: string; readonly update: SuiteUpdate }[];
  /** Only with `--coverage`. */
  readonly coverage: readonly CoveredPlace[] | undefined;
  /** Only with `--mutate`; of the suites that hold. */
  readonly mutants: readonly MutantResult[] | undefined;
  /** Cases and rules with examples that were run. */
  readonly units: number;
}
