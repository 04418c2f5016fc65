import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { type CoverageShare, joinCoverage, shareOf } from "../../authoring/test/coverage.ts";
import { joinMutants, type MutantResult, mutantKey } from "../../authoring/test/mutation.ts";
import { mutateSuite, type SuiteReport, type SuiteRequest, testSuite } from "../../authoring/test/test-report.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import { Source } from "../../diagnostics/source.ts";
import { discoverPolicies, importProblem, resolveImport } from "../../store/discover.ts";
import { packFile } from "../../store/packs.ts";

/** Quality of a pack, as plain data that can be sent to another thread. Nothing in it depends on time or machine. */
export interface PackQuality {
  readonly pack: string;
  /** Errors and warnings of `check`, and tests that do not hold, as people read them. */
  readonly findings: readonly string[];
  readonly failures: readonly string[];
  /** Rules that a test made match, and tests of conditions that came out both ways. */
  readonly rules: CoverageShare;
  readonly branches: CoverageShare;
  readonly mutants: readonly PackMutant[];
  /** Rules and tests of conditions that no test covers, as `line:column text`. */
  readonly uncovered: readonly string[];
}

/** One mutant of the pack's own text. */
export interface PackMutant extends Pick<MutantResult, "operator" | "of" | "before" | "after"> {
  /** `line:column` in the policy. */
  readonly at: string;
  readonly noticed: boolean;
}

/**
 * Checks a shipped pack, runs every suite beside it, and makes every mutant of its own text. An imported rule is measured in its
 * own pack; only the presence of the import is measured here.
 */
export function measurePack(pack: string): PackQuality {
  const policy = packFile(pack);
  if (policy === undefined) return { ...nothing, pack, findings: [`there is no pack \`${pack}\``] };
  const suites = suitesBeside(policy, pack);
  const reports = suites.map((suite) => testSuite({ ...suite, coverage: true }));
  const coverage = joinCoverage(reports.map((report) => report.coverage));
  const sources = textsOf(reports);
  const at = (source: string, start: number): string => {
    const { line, column } = sources.get(source)?.position(start) ?? { line: 0, column: 0 };
    return `${line}:${column}`;
  };
  const failures = failuresOf(reports, sources);
  const mutants = failures.length > 0 ? [] : mutantsOfAll(suites);
  return {
    pack,
    findings: findingsOf(pack),
    failures,
    rules: shareOf(coverage, "rule"),
    branches: shareOf(coverage, "branch"),
    mutants: mutants.map(({ source, span, by, operator, of, before, after }) => ({
      at: at(source, span.start),
      ...{ operator, of, before, after },
      noticed: by !== undefined,
    })),
    uncovered: coverage
      .filter(({ reached, wanted }) => reached.length < wanted.length)
      .map(({ source, span }) => `${at(source, span.start)} ${sources.get(source)?.text.slice(span.start, span.end)}`),
  };
}

const none: CoverageShare = { reached: 0, wanted: 0 };
const nothing = { failures: [], rules: none, branches: none, mutants: [], uncovered: [] };

/** Mutants that one suite noticed are not run by the next. */
function mutantsOfAll(suites: readonly SuiteRequest[]): MutantResult[] {
  let found: MutantResult[] = [];
  for (const suite of suites) {
    const noticed = new Set(found.filter(({ by }) => by !== undefined).map(mutantKey));
    found = joinMutants([found, mutateSuite(suite, undefined, undefined, noticed)]);
  }
  return found;
}

function suitesBeside(policy: string, pack: string): SuiteRequest[] {
  const names = readdirSync(dirname(policy)).filter((name) => name.endsWith(".test.yaml"));
  // The one that is about everything first.
  const ordered = [...names.filter((name) => name === main), ...names.filter((name) => name !== main).sort()];
  return ordered.map((name) => ({ path: join(dirname(policy), name), name: `policies/${pack}/${name}` }));
}

/** Returns the findings of `check` from warnings up, without hosts, and without a date, because packs have no exceptions. */
function findingsOf(pack: string): string[] {
  const { files, diagnostics } = discoverPolicies([`pack:${pack}`], ".");
  const { result, diagnostics: found } = checkPolicies(files, { resolveImport, importProblem });
  return [...diagnostics, ...found]
    .filter(({ severity }) => severity !== "info")
    .map((d) => renderDiagnostic(d, result.sources));
}

const main = "policy.test.yaml";

function failuresOf(reports: readonly SuiteReport[], sources: ReadonlyMap<string, Source>): string[] {
  const failed = reports.flatMap(({ problems, cases, rules }): readonly Diagnostic[] => [
    ...problems,
    ...[...cases, ...rules].flatMap(({ failures }) => failures),
  ]);
  return reports.length === 0 ? ["no suite stands beside the pack"] : failed.map((d) => renderDiagnostic(d, sources));
}

function textsOf(reports: readonly SuiteReport[]): Map<string, Source> {
  const texts = reports.flatMap((report) => Object.entries(report.texts));
  return new Map(texts.map(([name, text]) => [name, new Source(name, text)]));
}
