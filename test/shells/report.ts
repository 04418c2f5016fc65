import type { Result } from "./harness.ts";

/** The counts of one class. */
export const counted = [
  "scripts",
  "uncovered",
  "elsewhere",
  "false certain",
  "early",
  "passed",
  "blocked",
  "asked",
  "positives",
  "sure",
] as const;
/**
 * The counts of a class: scripts; those that break each rule, and both at once, so that something else happened than what is certain; positives
 * that pass; negatives that do not; positives, and of these the ones that the policy blocks, so that it need not ask.
 */
export type Counts = Readonly<Record<(typeof counted)[number], number>>;

/** Counts by class, in the order in which classes come. */
export type Figures = ReadonlyMap<string, Counts>;

/** Counts results by class. */
export function figuresOf(results: readonly Result[]): Figures {
  const figures = new Map<string, Record<keyof Counts, number>>();
  for (const result of results) {
    const { id, negative } = result.case.class;
    const own = figures.get(id) ?? none();
    figures.set(id, own);
    own.scripts++;
    const rules = new Set(result.faults.map((fault) => fault.rule));
    for (const rule of rules) own[rule]++;
    if (rules.has("uncovered") && rules.has("false certain")) own.elsewhere++;
    if (result.positive) {
      own.positives++;
      if (result.outcome() === "allow") own.passed++;
      if (result.outcome() === "block") own.sure++;
    }
    if (negative && !result.positive && result.outcome() !== "allow")
      own[result.outcome() === "ask" ? "asked" : "blocked"]++;
  }
  return figures;
}

function none(): Record<keyof Counts, number> {
  return Object.fromEntries(counted.map((key) => [key, 0])) as Record<keyof Counts, number>;
}

/** The sum of some classes. */
export function sumOf(figures: readonly Counts[]): Counts {
  const sum = Object.fromEntries(counted.map((key) => [key, figures.reduce((all, one) => all + one[key], 0)]));
  return sum as unknown as Counts;
}

/** A baseline as a table of tabs: what its figures were measured with, then a line for each class with anything to count. */
export function writeBaseline(figures: Figures, seed: number, cases: number): string {
  const rows = [...figures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, counts]) => [id, ...counted.map((key) => counts[key])].join("\t"));
  return `# seed ${seed}, ${cases} scripts; written by npm run test:shells -- --record\nclass\t${counted.join("\t")}\n${rows.join("\n")}\n`;
}

/** Reads such a table. */
export function readBaseline(text: string): {
  readonly seed: number;
  readonly cases: number;
  readonly figures: Figures;
} {
  const [head = "", , ...rows] = text.trimEnd().split("\n");
  const [, seed, cases] = /^# seed (\d+), (\d+) scripts/.exec(head) ?? [];
  if (seed === undefined)
    throw new Error("the baseline does not say its seed; write it anew by `npm run test:shells -- --record`");
  const figures = rows.map((row): [string, Counts] => {
    const [id = "", ...numbers] = row.split("\t");
    return [id, Object.fromEntries(counted.map((key, i) => [key, Number(numbers[i])])) as unknown as Counts];
  });
  return { seed: Number(seed), cases: Number(cases), figures: new Map(figures) };
}

/** Counts of sizes, which are neither better nor worse. */
const sizes: ReadonlySet<keyof Counts> = new Set(["scripts", "positives"]);

/** One difference between a class and the baseline. */
export interface Difference {
  readonly id: string;
  readonly worse: readonly string[];
  readonly better: readonly string[];
}

/** Compares class by class. One that the baseline does not have is held to nothing but zero. */
export function differences(now: Figures, before: Figures): readonly Difference[] {
  return [...now].map(([id, counts]) => {
    const was = before.get(id);
    const changed = (isWorse: boolean): string[] =>
      counted
        .filter((key) => {
          const change = counts[key] - (was?.[key] ?? (key === "sure" ? counts[key] : 0));
          return !sizes.has(key) && (key === "sure" ? -change : change) * (isWorse ? 1 : -1) > 0;
        })
        .map((key) => `${key} ${was?.[key] ?? 0} -> ${counts[key]}`);
    return { id, worse: changed(true), better: changed(false) };
  });
}

/** A table of counts, a line for each name. */
export function table(figures: readonly (readonly [string, Counts])[]): string {
  const width = Math.max(...figures.map(([name]) => name.length), 5);
  const head = `${"class".padEnd(width)} ${counted.map((key) => key.padStart(13)).join(" ")}`;
  const lines = figures.map(
    ([name, counts]) => `${name.padEnd(width)} ${counted.map((key) => String(counts[key]).padStart(13)).join(" ")}`,
  );
  return [head, ...lines].join("\n");
}

/** The sums of groups (`builtin: cd` is of `builtin`, `flow + scope` of the pairs), and of all. */
export function groupsOf(figures: Figures): readonly (readonly [string, Counts])[] {
  const groups = new Map<string, Counts[]>();
  for (const [id, counts] of figures) {
    const group = id.includes(" + ") ? "pairs" : id.startsWith("shell: ") ? id : (id.split(": ")[0] ?? id);
    groups.set(group, [...(groups.get(group) ?? []), counts]);
  }
  return [...[...groups].map(([name, list]) => [name, sumOf(list)] as const), ["all", sumOf([...figures.values()])]];
}
