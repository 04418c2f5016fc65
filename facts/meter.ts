/**
 * The work meter: one deterministic count of what facts and rules do for a call, so that no input delays an answer.
 *
 * A unit is one element looked at: a word, an effect, a path segment, a table row, a condition; of text, 64 UTF-16 units. Code
 * that walks, joins, scans or repeats spends units before it works. Code outside `metered` has no bound.
 */

/** Thrown through the code that spent too much, and caught by `metered` alone. */
const spent = new Error("the work meter is spent");

/** Units left outside all metered work: more than any process spends. */
const unbounded = Number.MAX_SAFE_INTEGER;

let left = unbounded;
/** Units of all metered work that has ended. */
let ended = 0;

/**
 * Runs synchronous `work` with an allowance of units of its own, and gives `over()` where it needs more.
 * A piece of code that catches every fault cannot hide that the meter is spent. Passes on all other faults.
 */
export function metered<T>(allowance: number, work: () => T, over: () => T): T {
  const outer = left;
  let isOver = false;
  left = allowance;
  try {
    const result = work();
    isOver = left < 0;
    if (!isOver) return result;
  } catch (fault) {
    isOver = left < 0;
    if (!isOver) throw fault;
  } finally {
    ended += allowance - left;
    left = outer;
  }
  // The substitute answer is not metered.
  return over();
}

/** Runs `work` without metering it: it makes tables that many calls share, compares answers, or is paid for elsewhere. */
export function unmetered<T, A>(work: (given: A) => T, given?: A): T {
  const outer = left;
  left = unbounded;
  try {
    return work(given as A);
  } finally {
    left = outer;
  }
}

/** Spends units of work; ends the metered work if none are left. */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw spent;
}

/** Spends the cost of looking at a text of `length` UTF-16 units. */
export function spendText(length: number): void {
  spend(1 + (length >> 6));
}

/** Returns the units left for the work being metered: the cost of a piece of it is the difference of two readings. */
export function unitsLeft(): number {
  return left;
}

/** Units that `work` spends, metered work inside it too, for tests and measurements. */
export function unitsOf(work: () => unknown): number {
  const before = ended;
  metered(unbounded, work, () => undefined);
  return ended - before;
}
