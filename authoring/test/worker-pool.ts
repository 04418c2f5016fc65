import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { packageRoot } from "../../store/packs.ts";
import type { MutantResult } from "./mutation.ts";
import { mutateSuite, type SuiteReport, type SuiteRequest, testSuite } from "./test-report.ts";
import type { WorkerJob, WorkerMessage } from "./worker-job.ts";

/** Options of sharing work among threads. */
export interface PoolOptions {
  /** Maximum number of threads; 1 works in this one. */
  readonly jobs: number;
  /** Called with the number of further mutants done. */
  readonly progress?: (done: number) => void;
  /** Module of a worker; this package's by default. Undefined works in this thread. */
  readonly worker?: string | undefined;
}

/** Number of suites below which running them is faster than starting a thread. */
const fewestSuites = 8;

/** Runs suites, in parallel if there are many. Reports are in the order of the requests. */
export async function runSuites(suites: readonly SuiteRequest[], options: PoolOptions): Promise<SuiteReport[]> {
  const { worker = workerModule(), jobs } = options;
  if (jobs < 2 || suites.length < fewestSuites || worker === undefined) return suites.map(testSuite);
  const shares = Array.from({ length: Math.min(jobs, suites.length) }, (_, i) =>
    suites.filter((__, at) => at % jobs === i),
  );
  const found = await Promise.all(shares.map((share) => runJob(worker, { kind: "run", suites: share }, options)));
  const reports = found.flatMap((message) => (message.kind === "ran" ? message.reports : []));
  return suites.flatMap(({ path }) => reports.filter((report) => report.path === path));
}

/** Runs the mutants of one suite, shared by index among threads; the result has the order of the text for any number of threads. */
export async function runAllMutants(suite: SuiteRequest, options: PoolOptions): Promise<MutantResult[]> {
  const { worker = workerModule(), jobs } = options;
  if (jobs < 2 || worker === undefined) return mutateSuite(suite, undefined, steps(options.progress));
  const shards = Array.from({ length: jobs }, (_, index) => ({ index, of: jobs }));
  const found = await Promise.all(shards.map((shard) => runJob(worker, { kind: "mutate", suite, shard }, options)));
  const lists = found.map((message) => (message.kind === "mutated" ? message.mutants : []));
  const total = lists.reduce((n, list) => n + list.length, 0);
  return Array.from({ length: total }, (_, i) => lists[i % jobs]?.[Math.floor(i / jobs)]).filter(
    (one) => one !== undefined,
  );
}

function steps(progress: PoolOptions["progress"]): (done: number) => void {
  return () => progress?.(1);
}

/** Runs one job in its own thread. A thread that fails fails the run: nothing is left out in silence. */
function runJob(module: string, job: WorkerJob, { progress }: PoolOptions): Promise<WorkerMessage> {
  return new Promise((done, fail) => {
    const worker = new Worker(module, { workerData: job });
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "progress") progress?.(message.done);
      else done(message);
    });
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`a worker thread ended with code ${code} before it answered`)));
  });
}

/**
 * Returns the built module for worker threads. A thread cannot load the sources by itself, so from sources all work is done
 * in one thread.
 */
function workerModule(): string | undefined {
  const root = packageRoot();
  if (root === undefined || fileURLToPath(import.meta.url).endsWith(".ts")) return undefined;
  const module = join(root, "dist", "authoring", "test", "worker.js");
  return existsSync(module) ? module : undefined;
}
