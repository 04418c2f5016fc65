import fc from "fast-check";

/** What everybody's `npm test` runs: a change is judged by what it changed. */
const usualSeed = 20261121;

/**
 * The seed of this run's properties: `FC_SEED`, as `.ci/full` sets it to a new one, or the same one for everybody.
 * Properties print it when they fail; `FC_SEED=<seed>` repeats them.
 */
export const seed = Number(process.env["FC_SEED"] ?? usualSeed);

/** True where a seed was given: by `.ci/full`, which has more time, or to repeat what it found. */
export const isOwnSeed = process.env["FC_SEED"] !== undefined;

/** Rounds of a property: all of them where a seed was given, half of them in everybody's `npm test`. */
export const rounds = (all: number): number => (isOwnSeed ? all : Math.ceil(all / 2));

fc.configureGlobal({ seed });
