import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replayParallel } from "../../authoring/replay/parallel.ts";
import type { ReplayReport } from "../../authoring/replay/report.ts";
import { faultText, type SourceProblem, sourcesIn } from "../../authoring/replay/sources.ts";
import type { Code } from "../../diagnostics/codes.ts";
import type { Plan } from "../../engine/plan.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { packageRoot } from "../../store/packs.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { prettyReplay, summaryOf } from "../audit/replay-view.ts";
import { exit, type Io } from "../io.ts";
import { loadPolicies, type PolicyOptions } from "../load.ts";
import { type ReplaySource, recordedSteps } from "../replay-steps.ts";
import { jsonLine } from "../report/json.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `replay`. */
export interface ReplayOptions extends PolicyOptions {
  readonly against?: readonly string[];
  readonly home?: string;
  /** Threads at most. */
  readonly jobs?: number;
  /** Module of a thread; by default the one of this package. */
  readonly worker?: string;
  readonly format: "pretty" | "json";
}

/**
 * `replay`: judges recorded events by another policy (semantics page section 6). Exit code 0 if no answer changes, 1 if one
 * does. Exit code 2 if a policy or a file cannot be used, or no event could be judged: then "nothing changes" would be no
 * answer.
 */
export async function replayRecords(paths: readonly string[], options: ReplayOptions, io: Io): Promise<number> {
  const plan = planOf(options, io);
  const against = options.against === undefined ? undefined : planOf({ ...options, policy: options.against }, io);
  if (!plan || (options.against !== undefined && !against)) return exit.unusable;
  const { files, problems } = await sourcesIn(paths, io.cwd);
  for (const problem of problems) say(io, "HW703", problem.file, problemText(problem), sourceHelp);
  if (files.length === 0) {
    if (problems.length === 0) say(io, "HW703", paths.join(", "), "there are no records in it", sourceHelp);
    return exit.unusable;
  }
  const report = await replayed({ plan, ...(against && { against }) }, files, options, io);
  if (report === undefined) return exit.unusable;
  const compared = against ? ("policy" as const) : ("record" as const);
  if (options.format === "json") await io.out(jsonLine({ compared_with: compared, ...report }));
  else await io.out(prettyReplay(report, compared, io.color));
  if (report.judged === 0)
    say(io, "HW703", paths.join(", "), `no event could be judged${summaryOf(report)}`, judgedHelp);
  if (problems.length > 0 || report.judged === 0) return exit.unusable;
  return report.changed > 0 ? exit.findings : exit.fine;
}

const sourceHelp =
  "give audit files or folders, files of events, or transcripts of pi, omp or Claude Code, as `*.jsonl` or `*.jsonl.gz`";
const judgedHelp = "only a policy with `audit: { keep: events }` keeps events whole; transcripts hold them too";

/** Default number of threads: each reads all records, so more gain less and less. */
const mostJobs = 4;

/**
 * Returns the built module for threads. A thread cannot load the sources by itself, so from sources all work is done in one
 * thread.
 */
function workerModule(): string | undefined {
  const root = packageRoot();
  if (root === undefined || fileURLToPath(import.meta.url).endsWith(".ts")) return undefined;
  const module = join(root, "dist", "cli", "replay-worker.js");
  return existsSync(module) ? module : undefined;
}

type Files = Awaited<ReturnType<typeof sourcesIn>>["files"];

async function replayed(
  plans: { readonly plan: Plan; readonly against?: Plan },
  files: Files,
  { home, jobs = Math.min(mostJobs, availableParallelism()), worker = workerModule() }: ReplayOptions,
  io: Io,
): Promise<ReplayReport | undefined> {
  const source: ReplaySource = { files, ...(home !== undefined && { home }) };
  try {
    const report = await replayParallel(plans, () => recordedSteps(source), { jobs, worker, source });
    if (!(report instanceof EvaluationError)) return report;
    say(io, "HW508", "policy", `plan cannot be used: ${report.message}`, "see `hookwarden check`");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    say(io, "HW703", "records", `reading stopped: ${faultText(error)}`, "check the files and their permissions");
  }
  return undefined;
}

function planOf(options: PolicyOptions, io: Io): Plan | undefined {
  const loaded = loadPolicies(options, io);
  io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, false));
  return loaded.plan;
}

function problemText({ file, why }: SourceProblem): string {
  return `\`${file}\` cannot be replayed: ${why}`;
}

function say(io: Io, code: Code, name: string, message: string, help: string): void {
  io.err(prettyDiagnostics([fileDiagnostic(code, name, message, help)], new Map(), false));
}
