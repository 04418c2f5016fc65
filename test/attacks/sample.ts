import { Random } from "../properties/language/random.ts";

/** Which attacks of a part are carried out on one version of a host, of those that fit it. */
export type Choice = <T extends { readonly id: string }>(
  part: string,
  all: readonly T[],
  fits?: (one: T) => boolean,
) => readonly T[];

/** All of them. */
export const everything: Choice = (_part, all, fits = () => true) => all.filter(fits);

/** How many attacks of each part every version of a host gets, by which seed. */
export interface SampleSize {
  readonly size: number;
  readonly seed: number;
}

/**
 * A sample for the version of a host that stands at `place` of those that are attacked, the same for the same seed. The
 * attacks of a part are shuffled by the seed and dealt out in turn, so that places which follow each other get what the ones
 * before them did not: together they carry out every attack as soon as there are as many turns, but for one that does not
 * fit the place that it falls to. What is left out is told.
 */
export function sampleAt(place: number, { size, seed }: SampleSize, leftOut: (text: string) => void): Choice {
  return (part, all, fits = () => true) => {
    const order = shuffled(all, new Random(seed));
    const first = (place * size) % order.length;
    const taken = new Set([...order.slice(first), ...order.slice(0, first)].filter(fits).slice(0, size));
    const rest = all.filter((one) => fits(one) && !taken.has(one));
    if (rest.length > 0) leftOut(`${part}: ${rest.map(({ id }) => id).join(", ")}`);
    return all.filter((one) => taken.has(one));
  };
}

/** All of a list in an order that a seed gives. */
export function shuffled<T>(all: readonly T[], random: Random): T[] {
  const left = [...all];
  return all.map(() => left.splice(random.below(left.length), 1)[0] as T);
}
