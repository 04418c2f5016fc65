import { Random } from "../properties/language/random.ts";
import { isOwnSeed, seed } from "../properties/seed.ts";

/** `HOOKWARDEN_SCALING=all` takes every shape instead of a sample. */
const isWhole = process.env["HOOKWARDEN_SCALING"] === "all";

/** One of so many items, by the seed of the run; twice as many where `npm run test:seeds` has time for them. */
export function sample<T>(items: readonly T[], oneOf: number): readonly T[] {
  if (isWhole) return items;
  const step = isOwnSeed ? Math.max(1, oneOf >> 1) : oneOf;
  const first = new Random(seed).below(step);
  return items.filter((_, i) => i % step === first);
}

/** Rounds of a search: so many in every run, three times as many where `npm run test:seeds` has time for them. */
export function roundsOf(usual: number): number {
  return isOwnSeed ? 3 * usual : usual;
}
