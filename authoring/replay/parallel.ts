import { Worker } from "node:worker_threads";
import { EvaluationError } from "../../schema/ports.ts";
import { Families, sessionsOf } from "./families.ts";
import { type ReplayPlans, type ReplayShare, replayShare, replayThrough } from "./replay.ts";
import { type ReplayReport, reportOf } from "./report.ts";
import type { Step } from "./step.ts";

/** Returns the steps of a replay, from the beginning on each call. */
export type StepSource = () => AsyncIterable<Step>;

/** Options of sharing a replay among threads. */
export interface ParallelOptions {
  /** Maximum number of threads; 1 judges all in this one. */
  readonly jobs: number;
  /** Module of a thread, which answers with `answerShare`. Undefined judges all in this thread. */
  readonly worker: string | undefined;
  /** Data from which the module reads the same steps. */
  readonly source: unknown;
  /** Number of steps below which judging them is faster than starting threads. */
  readonly fewest?: number;
}

/** Job of a thread. */
export interface ShareJob {
  readonly plans: ReplayPlans;
  readonly shares: ReadonlyMap<string, number>;
  readonly share: number;
  readonly source: unknown;
}

/** Answer of a thread; `why` if a plan cannot be linked. */
export type ShareAnswer = ReplayShare | { readonly why: string };

const fewestSteps = 20_000;

/**
 * Like `replayThrough`, by several threads. Unrelated sessions are judged apart, and the report is the same for any number
 * of threads. Every thread reads all steps and judges its own, so memory depends on sessions alone. If sessions cannot be
 * separated, or the input changes meanwhile, this thread judges all.
 */
export async function replayParallel(
  plans: ReplayPlans,
  steps: StepSource,
  { jobs, worker, source, fewest = fewestSteps }: ParallelOptions,
): Promise<ReplayReport | EvaluationError> {
  if (jobs < 2 || worker === undefined) return replayThrough(plans, steps());
  const families = new Families();
  for await (const step of steps()) families.add(step);
  const shares = families.steps < fewest ? undefined : families.shares(jobs);
  if (!shares) return replayThrough(plans, steps());
  const ask = (share: number): Promise<ShareAnswer> => runShare(worker, { plans, shares, share, source });
  const answers = await Promise.all(Array.from({ length: jobs }, (_, share) => ask(share)));
  const judged = answers.flatMap((answer) => ("why" in answer ? [] : [answer]));
  const isWhole = judged.length === jobs && judged.every(({ steps: count }) => count === families.steps);
  return (isWhole && reportOf(judged.map(({ tally }) => tally))) || replayThrough(plans, steps());
}

/** Does the work of one thread. Lines without a session belong to the first one. */
export async function answerShare(
  { plans, shares, share }: ShareJob,
  steps: AsyncIterable<Step>,
): Promise<ShareAnswer> {
  let strange = false;
  const isOwn = (step: Step): boolean => {
    const [session] = sessionsOf(step) ?? [];
    const own = session === undefined ? 0 : shares.get(session);
    strange ||= own === undefined;
    return own === share;
  };
  const found = await replayShare(plans, steps, isOwn);
  if (found instanceof EvaluationError) return { why: found.message };
  // A new session means that the files have changed, and nobody judges it.
  return strange ? { ...found, steps: -1 } : found;
}

/** Runs one share in its own thread. A thread that fails fails the replay: nothing is left out in silence. */
function runShare(module: string, job: ShareJob): Promise<ShareAnswer> {
  return new Promise((done, fail) => {
    const worker = new Worker(module, { workerData: job });
    worker.on("message", done);
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`a worker thread ended with code ${code} before it answered`)));
  });
}
