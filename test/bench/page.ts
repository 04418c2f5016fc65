import type { Bar } from "./bars.ts";
import type { Report } from "./measure.ts";

/** Where and with what a run was made. */
export interface Surroundings {
  readonly date: string;
  readonly node: string;
  readonly regex: string;
  /** Processor and number of cores, system, memory. */
  readonly machine: string;
  /** Load averages before and after, and what else is to be known of the machine in that time. */
  readonly load: string;
}

/** One section that ran. */
export interface Ran extends Report {
  readonly section: string;
}

/** Every bar with what was measured, as Markdown. */
export function barTable(runs: readonly Ran[]): string {
  const rows = runs.flatMap(({ bars = [] }) => bars).map(row);
  const missing = runs.flatMap(({ section, notRun = [] }) =>
    notRun.map((why) => `| ${section} | | ${cell(why)} | not run |`),
  );
  return ["| what | bar | measured | |", "|---|---|---|---|", ...rows, ...missing].join("\n");
}

function row({ what, bar, measured, met }: Bar): string {
  const word = met === undefined ? "stated" : met ? "pass" : "**fail**";
  return `| ${cell(what)} | ${cell(bar)} | ${cell(measured)} | ${word} |`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** How many bars are met, in words. */
export function barSummary(runs: readonly Ran[]): string {
  const bars = runs.flatMap((run) => run.bars ?? []).filter(({ met }) => met !== undefined);
  const met = bars.filter((bar) => bar.met).length;
  const notRun = runs.reduce((sum, run) => sum + (run.notRun?.length ?? 0), 0);
  return `${met} of ${bars.length} bars met${notRun > 0 ? `, ${notRun} not run` : ""}`;
}

/** `docs/reference/performance.md`. */
export function page(runs: readonly Ran[], { date, node, regex, machine, load }: Surroundings): string {
  return [
    "<!-- Written by `npm run bench -- --write`. Do not edit. -->",
    "",
    "# Performance",
    "",
    "What a guard costs, measured in one run on one machine: numbers mean something only beside others of the same run, so that",
    "everything stands next to what it is compared with. `npm run bench` measures it again; `npm run bench -- --check` compares",
    "ratios with `test/bench/budgets.json` and fails where one is worse by more than half.",
    "",
    `Measured on ${date}, Node ${node}, regex engine ${regex}, ${machine}. ${load}`,
    "",
    `## Bars`,
    "",
    `${barSummary(runs)}.`,
    "",
    barTable(runs),
    "",
    "## Figures",
    "",
    ...runs.flatMap(({ section, text }) => [`### ${section}`, "", "```text", text, "```", ""]),
  ].join("\n");
}
