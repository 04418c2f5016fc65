import { percentOf, shareOf } from "../../authoring/test/coverage.ts";
import type { CoveredPlace } from "../../authoring/test/coverage-places.ts";
import { type MutantResult, scoreOf } from "../../authoring/test/mutation.ts";
import { sourcesOf, suiteHolds } from "../../authoring/test/test-report.ts";
import { type Palette, visible } from "../../diagnostics/render.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { count, palette, prettyDiagnostics } from "./pretty.ts";
import { totalsOf, uncoveredOf } from "./test-formats.ts";
import type { TestRun } from "./test-run.ts";

/** Options of printing a run for people; thresholds in per cent. */
export interface PrettyTestOptions {
  readonly color: boolean;
  readonly min: number | undefined;
  readonly minScore: number | undefined;
}

type Sources = ReadonlyMap<string, Source>;

/** Maximum characters of source text shown on a line. */
const shownText = 70;

/** Returns a run for people: failures, rewritten expectations, coverage and mutants if requested, and the sum. */
export function prettyTestReport(run: TestRun, { color, min, minScore }: PrettyTestOptions): string {
  const sources = sourcesOf(run.reports);
  const colors = palette(color);
  const failures = run.reports.flatMap(({ problems, cases, rules }) => [
    ...problems,
    ...[...cases, ...rules].flatMap((one) => one.failures),
  ]);
  const blocks = [
    prettyDiagnostics([...run.problems, ...failures], sources, color),
    updateBlock(run, colors),
    run.coverage ? coverageBlock(run.coverage, sources, min, colors) : "",
    run.mutants ? mutationBlock(run.mutants, run, sources, minScore, colors) : "",
    summaryLine(run, colors),
  ];
  return blocks.filter((block) => block !== "").join("\n");
}

function updateBlock({ updates }: TestRun, colors: Palette): string {
  return updates
    .flatMap(({ name, update }) =>
      update.changes.map(({ line, before, after }) => {
        const fresh = after === "" ? "" : colors.info(`  + ${cut(after)}\n`);
        return `${colors.strong("updated")} ${name}:${line}\n${colors.error(`  - ${cut(before)}`)}\n${fresh}`;
      }),
    )
    .join("");
}

function coverageBlock(
  places: readonly CoveredPlace[],
  sources: Sources,
  min: number | undefined,
  colors: Palette,
): string {
  const names = { rule: "rules", branch: "branches", exception: "exceptions" } as const;
  const rows = (["rule", "branch", "exception"] as const).map((kind) => row(names[kind], shareOf(places, kind)));
  const all = shareOf(places);
  const isThin = min !== undefined && percentOf(all) < min;
  const total = row("all", all) + (isThin ? `  ${colors.error(`less than ${min} %`)}` : "");
  const missing = uncoveredOf(places).map(
    ({ place, missing: ways }) =>
      `  ${placeText(place, sources)}  ${colors.warning(waysText(place, ways))}  ${textOf(place, sources)}`,
  );
  return `${[colors.strong("coverage"), ...rows, total, ...missing].join("\n")}\n`;
}

function row(name: string, share: { readonly reached: number; readonly wanted: number }): string {
  const counted = `${share.reached} of ${share.wanted}`;
  return `  ${name.padEnd(12)}${counted.padStart(12)}${`${percentOf(share)} %`.padStart(10)}`;
}

function waysText({ kind }: CoveredPlace, ways: readonly string[]): string {
  if (kind === "rule") return "never matched";
  if (kind === "exception") return "never applied";
  return `never ${ways.join(", never ")}`;
}

function mutationBlock(
  mutants: readonly MutantResult[],
  { reports }: TestRun,
  sources: Sources,
  least: number | undefined,
  colors: Palette,
): string {
  const survived = mutants.filter(({ by }) => by === undefined);
  const score = scoreOf(mutants);
  const isWeak = least !== undefined && score < least;
  const head = `${colors.strong("mutation")}  ${mutants.length - survived.length} of ${mutants.length} mutants noticed, score ${score} %`;
  const left = reports.filter((report) => !suiteHolds(report)).length;
  const skipped = left > 0 ? [`  ${count(left, "suite")} left out: mutants are run where every test holds`] : [];
  const lines = survived.flatMap((one) => [
    `  ${placeText(one, sources)}  ${colors.warning(one.operator)}  in ${one.of}`,
    colors.quiet(`    - ${cut(one.before)}`),
    colors.quiet(`    + ${cut(one.after)}`),
  ]);
  const weak = isWeak ? `  ${colors.error(`less than ${least} %`)}` : "";
  return `${[head + weak, ...skipped, ...lines].join("\n")}\n`;
}

function summaryLine(run: TestRun, colors: Palette): string {
  const { suites = 0, cases = 0, examples = 0, ...failed } = totalsOf(run);
  const what = [count(suites, "suite"), count(cases, "case"), count(examples, "example")].join(", ");
  const unusable = run.reports.filter(({ problems }) => problems.length > 0).length;
  if (unusable > 0 || run.problems.length > 0)
    return `${what}: ${colors.error(unusable > 0 ? `${count(unusable, "suite")} cannot be run` : "not everything could be run")}\n`;
  const wrong = [
    (failed["failed_cases"] ?? 0) > 0 ? `${count(failed["failed_cases"] ?? 0, "case")} failed` : "",
    (failed["failed_examples"] ?? 0) > 0 ? `${count(failed["failed_examples"] ?? 0, "example")} failed` : "",
  ].filter((text) => text !== "");
  if (wrong.length > 0) return `${what}: ${colors.error(wrong.join(", "))}; see the help under each failure\n`;
  return `${what}: ${colors.info("all hold")}${run.coverage || run.mutants ? "" : next}\n`;
}

/** Next step for the reader of a plain run; users of coverage or mutants are past it. */
const next = "; see one call with `hookwarden explain`, then run `hookwarden install <host>`";

function placeText({ source, span }: { readonly source: string; readonly span: Span }, sources: Sources): string {
  const at = sources.get(source)?.position(span.start);
  return at ? `${source}:${at.line}:${at.column}` : source;
}

function textOf({ source, span }: { readonly source: string; readonly span: Span }, sources: Sources): string {
  return cut(sources.get(source)?.text.slice(span.start, span.end) ?? "");
}

function cut(text: string): string {
  const line = visible(text.replace(/\s+/g, " ").trim());
  return line.length > shownText ? `${line.slice(0, shownText - 1)}…` : line;
}
