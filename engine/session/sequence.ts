import type { PlanSequence } from "../plan.ts";

/** Point in a session: number of the call, and event time in milliseconds. */
export interface Point {
  readonly call: number;
  readonly time: number;
}

/**
 * Progress of a sequence: at index i, the latest start of all runs that reached item i. Only the latest start can still be within
 * a window, so one point per item suffices.
 */
export type Chain = (Point | null)[];

/** Takes the chain on by an event that is each of `items`; one event is never two items of one sequence. */
export function advance(chain: Chain, items: readonly number[], at: Point): void {
  // Last item first, so that a step taken now is no base for the next item.
  for (const item of [...items].sort((a, b) => b - a)) {
    const start = item === 0 ? at : (chain[item - 1] ?? null);
    const known = chain[item] ?? null;
    if (start && (!known || start.call >= known.call)) chain[item] = start;
  }
}

/** True when the whole sequence lies before `now` and within its window. */
export function holds(chain: Chain | undefined, sequence: PlanSequence, now: Point): boolean {
  const start = chain?.[sequence.items.length - 1];
  if (!start) return false;
  if (sequence.calls !== undefined && now.call - start.call >= sequence.calls) return false;
  return sequence.time === undefined || now.time - start.time <= sequence.time;
}
