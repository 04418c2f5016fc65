import { availableParallelism } from "node:os";
import { joinCoverage, percentOf, shareOf } from "../../authoring/test/coverage.ts";
import { findSuites } from "../../authoring/test/find-suites.ts";
import { joinMutants, type MutantResult, scoreOf } from "../../authoring/test/mutation.ts";
import { type SuiteReport, type SuiteRequest, suiteHolds, suiteIsUsable } from "../../authoring/test/test-report.ts";
import { updateSuite } from "../../authoring/test/update.ts";
import { runAllMutants, runSuites } from "../../authoring/test/worker-pool.ts";
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { exit, type Io } from "../io.ts";
import { jsonTestReport, junitTestReport } from "../report/test-formats.ts";
import { prettyTestReport } from "../report/test-report.ts";
import type { TestRun } from "../report/test-run.ts";
import { watchFiles } from "../watch.ts";

/** Options of `test`. */
export interface TestOptions {
  readonly format: "pretty" | "json" | "junit";
  readonly filter?: string;
  readonly coverage?: boolean;
  /** Minimum coverage in per cent. */
  readonly min?: number;
  readonly mutate?: boolean;
  /** Minimum share of mutants noticed, in per cent. */
  readonly minScore?: number;
  readonly update?: boolean;
  readonly watch?: boolean;
  /** Threads at most. */
  readonly jobs?: number;
}

/** `test`: 2 if a suite or policy cannot be used, else 1 if a test fails or a threshold is missed, else 0. */
export async function test(paths: readonly string[], options: TestOptions, io: Io): Promise<number> {
  const once = async (): Promise<{ readonly code: number; readonly files: readonly string[] }> => {
    const ran = await runOnce(paths, options, io);
    const code = codeOf(ran, options);
    await io.out(printed(ran, options, io));
    return { code, files: filesOf(ran) };
  };
  return options.watch ? await watchFiles(io, once) : (await once()).code;
}

async function runOnce(paths: readonly string[], options: TestOptions, io: Io): Promise<TestRun> {
  const found = findSuites(paths, io.cwd);
  const requests = found.suites.map(
    ({ path, name }): SuiteRequest => ({
      path,
      name,
      ...(options.filter !== undefined && { filter: options.filter }),
      ...(options.coverage && { coverage: true }),
    }),
  );
  const updates = options.update ? requests.map(({ path, name }) => ({ name, update: updateSuite(path, name) })) : [];
  const jobs = options.jobs ?? Math.min(4, availableParallelism());
  const reports = await runSuites(requests, { jobs });
  const written = updates.flatMap(({ update }) => update.problems.filter(({ code }) => code === "HW702"));
  const units = reports.reduce((n, { cases, rules }) => n + cases.length + rules.length, 0);
  const problems = [...misfits(options), ...found.diagnostics, ...written];
  const isEmpty = units === 0 && options.filter !== undefined && reports.every(suiteIsUsable);
  return {
    reports,
    updates,
    units,
    problems: isEmpty ? [...problems, nothingNamed(options.filter ?? "")] : problems,
    coverage: options.coverage ? joinCoverage(reports.map(({ coverage }) => coverage)) : undefined,
    mutants: options.mutate ? await mutants(requests, reports, jobs, io) : undefined,
  };
}

/** Runs the mutants of every suite that holds: a failing suite cannot tell what it notices. */
async function mutants(
  requests: readonly SuiteRequest[],
  reports: readonly SuiteReport[],
  jobs: number,
  io: Io,
): Promise<MutantResult[]> {
  const sound = requests.filter(({ path }) => reports.some((report) => report.path === path && suiteHolds(report)));
  const found: MutantResult[][] = [];
  const progress = io.progress && counting(io.progress);
  for (const suite of sound) found.push(await runAllMutants(suite, { jobs, ...(progress && { progress }) }));
  io.progress?.("");
  return joinMutants(found);
}

/** Duration after which a run shows progress, in milliseconds. */
const longRun = 1_000;
/** Time between two progress lines, in milliseconds. */
const lineEvery = 100;

function counting(show: (line: string) => void): (more: number) => void {
  let done = 0;
  let next = Date.now() + longRun;
  return (more) => {
    done += more;
    if (Date.now() < next) return;
    next = Date.now() + lineEvery;
    show(`${done} mutants run`);
  };
}

function misfits({ min, coverage, minScore, mutate, update, filter }: TestOptions): Diagnostic[] {
  const needs = (flag: string, other: string): Diagnostic =>
    fileDiagnostic("HW701", flag, `\`${flag}\` says nothing without \`${other}\``, `add \`${other}\``);
  return [
    ...(min !== undefined && !coverage ? [needs("--min", "--coverage")] : []),
    ...(minScore !== undefined && !mutate ? [needs("--min-score", "--mutate")] : []),
    ...(update && filter !== undefined
      ? [fileDiagnostic("HW701", "--update", "`--update` takes no `--filter`", "leave one of them out")]
      : []),
  ];
}

function nothingNamed(filter: string): Diagnostic {
  return fileDiagnostic("HW701", "--filter", `no case or rule has \`${filter}\` in its name`, "give a part of a name");
}

function codeOf({ reports, problems, coverage, mutants: found }: TestRun, options: TestOptions): number {
  if (hasErrors(problems) || !reports.every(suiteIsUsable)) return exit.unusable;
  if (!reports.every(suiteHolds)) return exit.findings;
  const isThin = coverage !== undefined && percentOf(shareOf(coverage)) < (options.min ?? 0);
  const isWeak = found !== undefined && scoreOf(found) < (options.minScore ?? 0);
  return isThin || isWeak ? exit.findings : exit.fine;
}

function printed(ran: TestRun, options: TestOptions, io: Io): string {
  if (options.format === "json") return jsonTestReport(ran);
  if (options.format === "junit") return junitTestReport(ran);
  return prettyTestReport(ran, { color: io.color, min: options.min, minScore: options.minScore });
}

/** Returns every file whose change causes another run. */
function filesOf({ reports }: TestRun): string[] {
  return [...new Set(reports.flatMap(({ path, policies }) => [path, ...policies]))];
}
