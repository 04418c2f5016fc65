import { limits } from "../../schema/limits.ts";
import type { PlanBudget } from "../plan.ts";
import { shortName } from "./bounds.ts";

/** Amounts taken from one bucket, oldest first: event time in milliseconds, and amount. */
export type Spending = [time: number, amount: number][];

/** Spending of all budgets of a session, by `bucketKey`. */
export type Buckets = Map<string, Spending>;

/** Key of a bucket among all spending. */
export function bucketKey(rule: string, bucket: string): string {
  return `${rule} ${shortName(bucket)}`;
}

/**
 * Adds to a rule's bucket. There are at most `limits.budgetBuckets`: those whose window has passed are forgotten, and
 * beyond that all new ones of a rule are one, which only makes the budget stricter.
 */
export function spendIn(
  buckets: Buckets,
  [rule, bucket]: readonly [rule: string, bucket: string],
  budget: PlanBudget,
  time: number,
  amount: number,
): void {
  let key = keyIn(buckets, rule, bucket);
  if (budget.per === "turn") forgetOthers(buckets, rule, key);
  if (!buckets.has(key) && buckets.size >= limits.budgetBuckets) {
    forgetPassed(buckets, rule, budget, time);
    if (buckets.size >= limits.budgetBuckets) key = sharedKey(rule);
  }
  const spending = buckets.get(key) ?? [];
  spend(spending, budget, time, amount);
  if (spending.length > 0) buckets.set(key, spending);
}

/** Returns the amount left in a rule's bucket at `time`; never negative. */
export function leftIn(
  buckets: ReadonlyMap<string, Spending>,
  rule: string,
  bucket: string,
  budget: PlanBudget,
  time: number,
): number {
  return left(buckets.get(keyIn(buckets, rule, bucket)), budget, time);
}

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

/** Returns the amount left of one bucket's budget at `time`; never negative. */
export function left(spending: Spending | undefined, budget: PlanBudget, time: number): number {
  let used = 0;
  for (const [at, amount] of spending ?? [])
    if (budget.within === undefined || time - at < budget.within) used = bounded(used + amount);
  return Math.max(0, budget.limit - used);
}

/** Buckets that have no room of their own share this one. No bucket has an empty name with two spaces before it. */
function sharedKey(rule: string): string {
  return `${rule}  `;
}

/** Returns the key of a bucket's spending; a missing bucket may have its spending in the shared one. */
function keyIn(buckets: ReadonlyMap<string, Spending>, rule: string, bucket: string): string {
  const own = bucketKey(rule, bucket);
  return !buckets.has(own) && buckets.has(sharedKey(rule)) ? sharedKey(rule) : own;
}

/** Turns never come back, so that a budget of each turn needs one bucket. */
function forgetOthers(buckets: Buckets, rule: string, current: string): void {
  for (const key of buckets.keys()) if (key !== current && key.startsWith(`${rule} `)) buckets.delete(key);
}

function forgetPassed(buckets: Buckets, rule: string, budget: PlanBudget, time: number): void {
  for (const [key, spending] of buckets) {
    if (!key.startsWith(`${rule} `)) continue;
    expire(spending, budget, time);
    if (spending.length === 0) buckets.delete(key);
  }
}

function expire(spending: Spending, { within }: PlanBudget, time: number): void {
  if (within === undefined) return;
  const kept = spending.findIndex(([at]) => time - at < within);
  spending.splice(0, kept < 0 ? spending.length : kept);
}

function bounded(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER);
}
