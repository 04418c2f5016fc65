import type { MutantResult, Shard } from "./mutation.ts";
import type { SuiteReport, SuiteRequest } from "./test-report.ts";

/** Job of a worker thread. */
export type WorkerJob =
  | { readonly kind: "run"; readonly suites: readonly SuiteRequest[] }
  | { readonly kind: "mutate"; readonly suite: SuiteRequest; readonly shard: Shard };

/** Message of a worker thread: its progress, or its result. */
export type WorkerMessage =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "ran"; readonly reports: readonly SuiteReport[] }
  | { readonly kind: "mutated"; readonly mutants: readonly MutantResult[] };
