import type { Case } from "./cases.ts";
import { allCases } from "./cases.ts";
import type { Judgement } from "./judge.ts";
import { judge } from "./judge.ts";

/** Every case with its judgement. */
export type Judged = readonly (readonly [Case, Judgement])[];

/** Judges the whole data set. */
export function judgeAll(): Judged {
  return allCases().map((given) => [given, judge(given)] as const);
}

/** The report of a run, line by line: failures, counts per section, counts per reason, and `N passed, N failed, N skipped`. */
export function report(judged: Judged): readonly string[] {
  const sections = countBy(judged, ([{ section }]) => section.split("/").slice(0, 2).join("/"));
  const skips = judged.flatMap(([, judgement]) => (judgement.outcome === "skipped" ? [judgement.feature] : []));
  const deviations = judged.flatMap(([, judgement]) =>
    judgement.outcome === "passed" && judgement.deviation ? [judgement.deviation] : [],
  );
  return [
    ...judged.flatMap(([given, judgement]) => failure(given, judgement)),
    ...[...sections].map(([section, of]) => `${section}: ${counts(of)}`),
    "",
    ...tally("skipped for undeclared features", skips),
    ...tally("passed as a deviation says", deviations),
    "",
    counts(judged),
  ];
}

function failure({ section, name, original }: Case, judgement: Judgement): readonly string[] {
  if (judgement.outcome !== "failed") return [];
  const { wanted, got } = judgement;
  return [
    `FAILED ${section} ${name}`,
    `  ${original.expr.replace(/\s+/g, " ")}`,
    `  wanted ${wanted}`,
    `  got    ${got}`,
  ];
}

function counts(judged: Judged): string {
  const count = (outcome: Judgement["outcome"]): number => judged.filter(([, each]) => each.outcome === outcome).length;
  return `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
}

function countBy(judged: Judged, key: (of: Judged[number]) => string): ReadonlyMap<string, Judged> {
  const by = new Map<string, Judged[number][]>();
  for (const each of judged) by.set(key(each), [...(by.get(key(each)) ?? []), each]);
  return by;
}

function tally(title: string, ids: readonly string[]): readonly string[] {
  const by = new Map<string, number>();
  for (const id of ids) by.set(id, (by.get(id) ?? 0) + 1);
  return [`${title}: ${[...by].map(([id, count]) => `${id} ${count}`).join(", ")}`];
}
