import type { Bar } from "./bars.ts";

/** Recorded ratios by the id of their bar. They are never times: a ratio is of two things in one run. */
export interface Budgets {
  readonly ratios: Readonly<Record<string, number>>;
}

/** One ratio of this run beside the recorded one. */
export interface Checked {
  readonly id: string;
  readonly ratio: number | undefined;
  readonly recorded: number | undefined;
  /** Why it fails; undefined when it passes. */
  readonly fault?: string;
}

/** A ratio may be this many times what was recorded before it counts as a regression. */
export const slack = 1.5;

/**
 * The ratios of the sections that ran beside those recorded for them. A ratio that nobody recorded fails, as does a
 * recorded one that is no longer measured: a budget that is not looked at is none.
 */
export function checkBudgets(bars: readonly Bar[], budgets: Budgets, ran: readonly string[]): readonly Checked[] {
  const measured = bars.filter(({ ratio }) => ratio !== undefined).map(({ id, ratio }) => check(id, ratio, budgets));
  const missing = Object.entries(budgets.ratios)
    .filter(([id]) => ran.includes(sectionOf(id)) && !measured.some((one) => one.id === id))
    .map(([id, recorded]) => ({ id, ratio: undefined, recorded, fault: "is recorded, and was not measured" }));
  return [...measured, ...missing];
}

function check(id: string, ratio: number | undefined, { ratios }: Budgets): Checked {
  const recorded = Object.hasOwn(ratios, id) ? ratios[id] : undefined;
  if (recorded === undefined) return { id, ratio, recorded, fault: "is not recorded" };
  const fits = ratio !== undefined && ratio <= recorded * slack;
  return { id, ratio, recorded, ...(!fits && { fault: `is more than ${slack} times what was recorded` }) };
}

/** The section that an id belongs to. */
export function sectionOf(id: string): string {
  return id.split("/")[0] ?? "";
}

/** The better of two measurements of the same bars: what else the machine did can only have made a ratio worse. */
export function better(bars: readonly Bar[], again: readonly Bar[]): readonly Bar[] {
  return bars.map((bar) => {
    const other = again.find(({ id }) => id === bar.id);
    return other?.ratio !== undefined && bar.ratio !== undefined && other.ratio < bar.ratio ? other : bar;
  });
}

/** The budgets with what was measured now; those of other sections stay. */
export function recorded(bars: readonly Bar[], before: Budgets): Budgets {
  const measured = bars.flatMap(({ id, ratio }) =>
    ratio === undefined ? [] : [[id, Number(ratio.toPrecision(3))] as const],
  );
  const ran = new Set(bars.map(({ id }) => sectionOf(id)));
  const kept = Object.entries(before.ratios).filter(([id]) => !ran.has(sectionOf(id)));
  return { ratios: Object.fromEntries([...kept, ...measured].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
