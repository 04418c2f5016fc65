import type { MutantResult, Shard } from "./mutation.ts";
import type { SuiteReport, SuiteRequest } from "./test-report.ts";

/** What a worker thread is given to do. */
export type WorkerJob =
  | { readonly kind: "run"; readonly suites: readonly SuiteRequest[] }
  | { readonly kind: "mutate"; readonly suite: SuiteRequest; readonly shard: Shard };

/** What it says: how far it is, and what came out. */
export type WorkerMessage =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "ran"; readonly reports: readonly SuiteReport[] }
  | { readonly kind: "mutated"; readonly mutants: readonly MutantResult[] };
