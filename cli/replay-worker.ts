import { parentPort, workerData } from "node:worker_threads";
import { answerShare, type ShareJob } from "../authoring/replay/parallel.ts";
import { type ReplaySource, recordedSteps } from "./replay-steps.ts";

/** A thread of `replay`: reads all that is recorded, and judges the sessions of its share. */
const job = workerData as ShareJob;
// No `await` at the top: as built this is no module of its own.
void answerShare(job, recordedSteps(job.source as ReplaySource)).then((share) => parentPort?.postMessage(share));
