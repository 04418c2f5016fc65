import { parentPort, workerData } from "node:worker_threads";
import { mutateSuite, testSuite } from "./test-report.ts";
import type { WorkerJob, WorkerMessage } from "./worker-job.ts";

/** Number of mutants between two messages about progress. */
const step = 10;

const job = workerData as WorkerJob;
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

if (job.kind === "run") say({ kind: "ran", reports: job.suites.map(testSuite) });
else {
  const told = (done: number): void => {
    if (done % step === 0) say({ kind: "progress", done: step });
  };
  say({ kind: "mutated", mutants: mutateSuite(job.suite, job.shard, told) });
}
