import fc from "fast-check";

/**
 * The seed of this run's properties: `FC_SEED`, as `.ci/run` sets it so that a change is judged by what it changed, or a
 * new one each time. Properties print it when they fail; `FC_SEED=<seed>` repeats them.
 */
export const seed = Number(process.env["FC_SEED"] ?? Math.floor(Math.random() * 0x7fffffff));

if (process.env["FC_SEED"] !== undefined) fc.configureGlobal({ seed });
