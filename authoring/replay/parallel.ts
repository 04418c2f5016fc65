import { Worker } from "node:worker_threads";
import { EvaluationError } from "../../schema/ports.ts";
import { Families, sessionsOf } from "./families.ts";
import { type ReplayPlans, type ReplayShare, replayShare, replayThrough } from "./replay.ts";
import { type ReplayReport, reportOf } from "./report.ts";
import type { Step } from "./step.ts";

/** The steps of a replay, from the beginning each time they are asked for. */
export type StepSource = () => AsyncIterable<Step>;

/** How a replay is shared. */
export interface ParallelOptions {
  /** Threads at most; 1 judges all in this one. */
  readonly jobs: number;
  /** Module that a thread runs: it answers with `answerShare`. Undefined judges all in this thread. */
  readonly worker: string | undefined;
  /** What the module needs to read the same steps. */
  readonly source: unknown;
  /** Fewer steps than this are judged sooner than threads start. */
  readonly fewest?: number;
}

/** What a thread is asked to do. */
export interface ShareJob {
  readonly plans: ReplayPlans;
  readonly shares: ReadonlyMap<string, number>;
  readonly share: number;
  readonly source: unknown;
}

/** What it answers; `why` where a plan cannot be linked. */
export type ShareAnswer = ReplayShare | { readonly why: string };

const fewestSteps = 20_000;

/**
 * As `replayThrough`, by several threads: sessions that are not related are judged apart, and the report is the same,
 * whatever the number of threads. Every thread reads all steps and judges its own, so memory depends on sessions alone.
 * Where sessions cannot be told apart, or what is read changes meanwhile, all is judged in this thread.
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

/** Does the work of one thread. Lines that belong to no session are the first one's. */
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
  // A session that was not there before: the files have changed, and nobody judges it.
  return strange ? { ...found, steps: -1 } : found;
}

/** One share in a thread of its own. A thread that fails fails the replay: nothing is left out in silence. */
function runShare(module: string, job: ShareJob): Promise<ShareAnswer> {
  return new Promise((done, fail) => {
    const worker = new Worker(module, { workerData: job });
    worker.on("message", done);
    worker.on("error", fail);
    worker.on("exit", (code) => fail(new Error(`a worker thread ended with code ${code} before it answered`)));
  });
}
