import { limits } from "../../schema/limits.ts";
import type { PlanBudget } from "../plan.ts";

/** What was taken from one bucket, oldest first: event time in milliseconds, and amount. */
export type Spending = [time: number, amount: number][];

/** Adds to a bucket and forgets what has left its window. Joined entries count as late as the later one: the strict side. */
export function spend(spending: Spending, budget: PlanBudget, time: number, amount: number): void {
  if (amount <= 0) return;
  expire(spending, budget, time);
  const last = spending.at(-1);
  if (last && (last[0] === time || budget.within === undefined)) {
    last[0] = time;
    last[1] = bounded(last[1] + amount);
  } else spending.push([time, bounded(amount)]);
  while (spending.length > limits.budgetEntries) {
    const [oldest] = spending.splice(0, 1);
    const next = spending[0];
    if (oldest && next) next[1] = bounded(next[1] + oldest[1]);
  }
}

/** What the bucket has left at `time`; never negative. */
export function left(spending: Spending | undefined, budget: PlanBudget, time: number): number {
  let used = 0;
  for (const [at, amount] of spending ?? [])
    if (budget.within === undefined || time - at < budget.within) used = bounded(used + amount);
  return Math.max(0, budget.limit - used);
}

function expire(spending: Spending, { within }: PlanBudget, time: number): void {
  if (within === undefined) return;
  const kept = spending.findIndex(([at]) => time - at < within);
  spending.splice(0, kept < 0 ? spending.length : kept);
}

function bounded(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER);
}
