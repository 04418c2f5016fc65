import { type Combination, combinationsIn } from "./references.ts";
import { assign, fork, join, type Scope } from "./scope.ts";
import { blank, either, type Tape } from "./tape.ts";

/** The state that ways through a text share: what was printed, how sure it is, how many ways are open. */
export interface Ways {
  /** What was printed to the reader that is being looked at; undefined where nobody reads. */
  tape: Tape | undefined;
  /** False inside what only may be run. */
  certain: boolean;
  /** Rounds of loops and values of variables that are being walked one by one, multiplied. */
  factor: number;
}

// Rounds and values walked one by one, nested ones multiplied; more make the variables unknown.
const bound = 64;

// Ways in which the variables of one command are combined.
const together = 16;

/** How many rounds or values there is still room for. */
export function room(walk: Ways): number {
  return Math.floor(bound / walk.factor);
}

/** Takes each way from the tape as it stands; afterwards any of them may have been printed. */
export function anyOf(walk: Ways, ways: readonly (() => void)[]): void {
  const before = walk.tape;
  if (!before) {
    for (const way of ways) way();
    return;
  }
  const tapes = ways.map((way) => {
    walk.tape = before;
    way();
    return walk.tape;
  });
  walk.tape = either(tapes);
}

/** What a step prints, which goes to nobody else. */
export function captured(walk: Ways, step: () => void): Tape {
  const outer = walk.tape;
  walk.tape = blank;
  step();
  const tape = walk.tape;
  walk.tape = outer;
  return tape;
}

/** Walks a step that stands for so many rounds or values. */
export function multiplied(walk: Ways, count: number, step: () => void): void {
  const { factor } = walk;
  walk.factor *= Math.max(1, count);
  step();
  walk.factor = factor;
}

/** Walks a step that only may be run. */
export function possibly(walk: Ways, step: () => void): void {
  const { certain } = walk;
  walk.certain = false;
  step();
  walk.certain = certain;
}

/**
 * Walks a step once for every value that the variables mentioned in a part of the tree may have. Gives their number.
 * Ways on which nothing is run do not count, so that one way that is left is as sure as what surrounds it.
 */
export function eachWay(
  walk: Ways,
  part: object,
  scope: Scope,
  step: (scope: Scope) => void,
  runs: (way: Combination) => boolean = () => true,
): number {
  const ways = combinationsIn(part, scope, Math.min(room(walk), together));
  if (ways.length === 0) {
    step(scope);
    return 1;
  }
  const children: Scope[] = [];
  const steps: (() => void)[] = [];
  for (const way of ways) {
    const child = fork(scope);
    for (const [name, value] of way) assign(child, name, value);
    children.push(child);
    if (runs(way)) steps.push(() => step(child));
  }
  const all = (): void => multiplied(walk, steps.length, () => anyOf(walk, steps));
  if (steps.length > 1) possibly(walk, all);
  else if (steps.length === 1) all();
  join(scope, children);
  return steps.length;
}
