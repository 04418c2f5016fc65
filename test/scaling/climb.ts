import { Random } from "../properties/language/random.ts";

/** Inputs that a search walks through. */
export interface Space<T> {
  /** An input to begin with, by chance. */
  any(random: Random): T;
  /** One that is a step away from another. */
  near(one: T, random: Random): T;
}

/** What a search has found: an input, and what it scores. */
export interface Found<T> {
  readonly one: T;
  readonly score: number;
}

/**
 * Looks for the input that scores most: each round steps on from the best one or from an earlier one, or begins anew, and
 * keeps what scores more. The same seed and scores give the same input.
 */
export function climb<T>(space: Space<T>, seed: number, rounds: number, score: (one: T) => number): Found<T> {
  const random = new Random(seed);
  const found = (one: T): Found<T> => ({ one, score: score(one) });
  let best = found(space.any(random));
  const kept = [best];
  for (let round = 1; round < rounds; round++) {
    const chance = random.below(8);
    const from = chance < 6 ? best : random.pick(kept);
    const next = found(chance === 7 ? space.any(random) : space.near(from.one, random));
    kept.push(next);
    if (next.score > best.score) best = next;
  }
  return best;
}
