import { percentOf, shareOf } from "../../authoring/test/coverage.ts";
import type { CoveredPlace } from "../../authoring/test/coverage-places.ts";
import { type MutantResult, scoreOf } from "../../authoring/test/mutation.ts";
import { type SuiteReport, sourcesOf, type TestedUnit } from "../../authoring/test/test-report.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { jsonDiagnostic, jsonLine } from "./json.ts";
import { type JUnitCase, type JUnitFault, type JUnitSuite, junitXml } from "./junit.ts";
import type { TestRun } from "./test-run.ts";

type Sources = ReadonlyMap<string, Source>;

/** A run for programs: one object on one line. Places have lines and columns that count from 1. */
export function jsonTestReport(run: TestRun): string {
  const sources = sourcesOf(run.reports);
  const found = (list: readonly Diagnostic[]): object[] => list.map((d) => jsonDiagnostic(d, sources));
  return jsonLine({
    diagnostics: found(run.problems),
    suites: run.reports.map((report) => ({
      suite: report.suite,
      file: report.name,
      diagnostics: found(report.problems),
      cases: report.cases.map((one) => ({
        name: one.name,
        passed: one.failures.length === 0,
        from: sources.get(report.name)?.position(one.span.start),
        diagnostics: found(one.failures),
      })),
      rules: report.rules.map(({ name, examples, failures }) => ({
        rule: name,
        examples,
        passed: failures.length === 0,
        diagnostics: found(failures),
      })),
    })),
    ...(run.updates.length > 0 && {
      updated: run.updates.flatMap(({ name, update }) => update.changes.map((change) => ({ file: name, ...change }))),
    }),
    ...(run.coverage && { coverage: jsonCoverage(run.coverage, sources) }),
    ...(run.mutants && { mutation: jsonMutation(run.mutants, sources) }),
    summary: totalsOf(run),
  });
}

/** Counts cases and rules, and those that failed. */
export function totalsOf({ reports }: Pick<TestRun, "reports">): Readonly<Record<string, number>> {
  const cases = reports.flatMap((report) => report.cases);
  const rules = reports.flatMap((report) => report.rules);
  const failed = ({ failures }: TestedUnit): boolean => failures.length > 0;
  return {
    suites: reports.length,
    cases: cases.length,
    examples: rules.reduce((n, { examples }) => n + examples, 0),
    failed_cases: cases.filter(failed).length,
    failed_examples: rules.reduce((n, { failures }) => n + failures.length, 0),
  };
}

function jsonCoverage(places: readonly CoveredPlace[], sources: Sources): object {
  const part = (kind?: CoveredPlace["kind"]): object => {
    const share = shareOf(places, kind);
    return { ...share, percent: percentOf(share) };
  };
  return {
    all: part(),
    rules: part("rule"),
    branches: part("branch"),
    exceptions: part("exception"),
    uncovered: uncoveredOf(places).map(({ place, missing }) => ({
      kind: place.kind,
      of: place.of,
      missing,
      ...placed(place, sources),
    })),
  };
}

/** Lists the places that were not reached in every way, with the missing ways. */
export function uncoveredOf(
  places: readonly CoveredPlace[],
): { readonly place: CoveredPlace; readonly missing: readonly string[] }[] {
  return places.flatMap((place) => {
    const missing = place.wanted.filter((way) => !place.reached.includes(way));
    return missing.length > 0 ? [{ place, missing }] : [];
  });
}

function jsonMutation(mutants: readonly MutantResult[], sources: Sources): object {
  return {
    mutants: mutants.length,
    noticed: mutants.filter(({ by }) => by !== undefined).length,
    score: scoreOf(mutants),
    survived: mutants
      .filter(({ by }) => by === undefined)
      .map((one) => ({
        operator: one.operator,
        of: one.of,
        before: one.before,
        after: one.after,
        ...placed(one, sources),
      })),
  };
}

function placed({ source, span }: { readonly source: string; readonly span: Span }, sources: Sources): object {
  const text = sources.get(source);
  if (!text) return { source };
  return {
    source,
    from: text.position(span.start),
    to: text.position(span.end),
    text: text.text.slice(span.start, span.end),
  };
}

/** Returns a run as JUnit XML: a suite for each file, a test for each case and for the examples of each rule. */
export function junitTestReport(run: TestRun): string {
  const sources = sourcesOf(run.reports);
  const suites = run.reports.map((report) => junitSuite(report, sources));
  const cases = run.problems.map((d) => ({ name: d.message, error: faultOf([d], sources) }));
  return junitXml("hookwarden test", cases.length > 0 ? [{ name: "arguments", cases }, ...suites] : suites);
}

function junitSuite({ name, problems, cases, rules }: SuiteReport, sources: Sources): JUnitSuite {
  const unusable = problems.map((d): JUnitCase => ({ name: d.message, file: d.source, error: faultOf([d], sources) }));
  const tests = cases.map(
    (one): JUnitCase => ({
      name: one.name,
      file: name,
      line: sources.get(name)?.position(one.span.start).line ?? 1,
      ...(one.failures.length > 0 && { failure: faultOf(one.failures, sources) }),
    }),
  );
  const examples = rules.map(
    (one): JUnitCase => ({
      name: `examples of ${one.name}`,
      ...(one.failures.length > 0 && { failure: faultOf(one.failures, sources) }),
    }),
  );
  return { name, cases: [...unusable, ...tests, ...examples] };
}

function faultOf(found: readonly Diagnostic[], sources: Sources): JUnitFault {
  const first = found[0];
  return {
    message: first?.message ?? "",
    type: first?.code ?? "",
    text: found.map((d) => renderDiagnostic(d, sources)).join("\n"),
  };
}
