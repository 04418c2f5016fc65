import type { CoveredPlace } from "../../authoring/test/coverage-places.ts";
import type { MutantResult } from "../../authoring/test/mutation.ts";
import type { SuiteReport } from "../../authoring/test/test-report.ts";
import type { SuiteUpdate } from "../../authoring/test/update.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Result of one run of `test`, before it is printed. */
export interface TestRun {
  readonly reports: readonly SuiteReport[];
  /** Faults of arguments that name nothing, and of options that do not fit. */
  readonly problems: readonly Diagnostic[];
  /** Changes by `--update`, with the name of the suite. */
  readonly updates: readonly { readonly name: string; readonly update: SuiteUpdate }[];
  /** Only with `--coverage`. */
  readonly coverage: readonly CoveredPlace[] | undefined;
  /** Only with `--mutate`; of the suites that hold. */
  readonly mutants: readonly MutantResult[] | undefined;
  /** Number of cases, and of rules with examples, that were run. */
  readonly units: number;
}
