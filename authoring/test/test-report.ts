import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import type { CoveredPlace } from "./coverage-places.ts";
import { type MutantResult, runMutants, type Shard } from "./mutation.ts";
import { readSuite } from "./suite-file.ts";
import { SuiteRun } from "./suite-run.ts";

/** A request to run one suite. */
export interface SuiteRequest {
  readonly path: string;
  readonly name: string;
  readonly filter?: string;
  readonly coverage?: boolean;
}

/** One case, or the examples of one rule, with the failures. */
export interface TestedUnit {
  readonly name: string;
  readonly span: Span;
  readonly failures: readonly Diagnostic[];
}

/** Result of one suite, as plain data that can cross to another thread. */
export interface SuiteReport {
  readonly name: string;
  readonly path: string;
  /** Its own title; the file's name if it could not be read. */
  readonly suite: string;
  /** The reasons why it, or a policy of it, cannot be used; nothing was run then. */
  readonly problems: readonly Diagnostic[];
  readonly cases: readonly TestedUnit[];
  readonly rules: readonly (TestedUnit & { readonly examples: number })[];
  readonly coverage: readonly CoveredPlace[];
  /** Texts by the name in diagnostics and places. */
  readonly texts: Readonly<Record<string, string>>;
  /** Real paths of its tested policies. */
  readonly policies: readonly string[];
}

/** Reads and runs one suite with the examples of its policies' rules. */
export function testSuite({ path, name, filter, coverage }: SuiteRequest): SuiteReport {
  const file = readSuite(path, name);
  const head = { name, path, texts: textsOf(file.sources) };
  if (!("plan" in file))
    return { ...head, suite: name, problems: file.diagnostics, cases: [], rules: [], coverage: [], policies: [] };
  const run = new SuiteRun(file, { ...(filter !== undefined && { filter }), ...(coverage && { coverage }) });
  const cases = run.cases().map(({ name: title, span, mismatches }) => ({
    name: title,
    span,
    failures: mismatches.map((one) => one.diagnostic),
  }));
  const rules = run.examples().map(({ rule, examples, failures }) => ({
    name: rule,
    span: { start: 0, end: 0 },
    examples,
    failures,
  }));
  return {
    ...head,
    suite: file.suite.suite,
    problems: [],
    cases,
    rules,
    coverage: run.coverage(),
    policies: file.policies.map((policy) => policy.file.path),
  };
}

/** Runs the mutants of one suite's policies, except those in `noticed`; none if the suite cannot be run. */
export function mutateSuite(
  { path, name, filter }: SuiteRequest,
  shard?: Shard,
  progress?: (done: number) => void,
  noticed?: ReadonlySet<string>,
): MutantResult[] {
  const file = readSuite(path, name);
  if (!("plan" in file)) return [];
  return runMutants(new SuiteRun(file, filter === undefined ? {} : { filter }), shard, progress, noticed);
}

/** True if every case and example of a suite held. */
export function suiteHolds({ problems, cases, rules }: SuiteReport): boolean {
  return problems.length === 0 && [...cases, ...rules].every(({ failures }) => failures.length === 0);
}

/** True if a suite could be run at all. */
export function suiteIsUsable({ problems }: SuiteReport): boolean {
  return !hasErrors(problems);
}

/** Returns the sources of reports, for places in lines and columns. */
export function sourcesOf(reports: readonly SuiteReport[]): Map<string, Source> {
  const texts = reports.flatMap((report) => Object.entries(report.texts));
  return new Map(texts.map(([name, text]) => [name, new Source(name, text)]));
}

function textsOf(sources: ReadonlyMap<string, Source>): Record<string, string> {
  return Object.fromEntries([...sources].map(([name, source]) => [name, source.text]));
}
