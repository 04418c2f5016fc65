import { parentPort, workerData } from "node:worker_threads";
import { answerShare, type ShareJob } from "../authoring/replay/parallel.ts";
import { type ReplaySource, recordedSteps } from "./replay-steps.ts";

/** A thread of `replay`: reads all records, and judges the sessions of its share. */
const job = workerData as ShareJob;
// No `await` at the top: the build does not make this a module.
void answerShare(job, recordedSteps(job.source as ReplaySource)).then((share) => parentPort?.postMessage(share));
