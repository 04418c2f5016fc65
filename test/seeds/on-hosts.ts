import type { Requirement } from "./requirement.ts";

/**
 * Seeds whose every row speaks about our own product, with why. Cases on a real host that such a row names are proofs all
 * the same, but no row of theirs is owed one.
 */
export const ownSeeds: Readonly<Record<string, string>> = {
  "opta-hook-system":
    "The registry has no program of Opta. The manager and the loop that the seed describes are what hookwarden ships.",
  "gastown-hooks-v1.1":
    "pi has none of these hooks. The seed describes what hookwarden adds to pi, and its cases run there.",
};

/** True where a row names a case of a real host. */
export function hasHostCase({ tests }: Requirement): boolean {
  return tests.some((test) => test.startsWith("test/hosts/"));
}

/** How the rows of one seed stand to real hosts. */
export interface OnHosts {
  readonly seed: string;
  readonly rows: number;
  /** Rows about our own product. */
  readonly ours: number;
  /** Rows about a host's behaviour: all others. */
  readonly about: number;
  /** Those of them that name a case of a real host. */
  readonly seen: number;
  /** Those of them whose case shows that a real version does otherwise. */
  readonly differs: number;
  /** Those of them of which no case can be made, with a reason. */
  readonly unseen: number;
  /** Those of them that have neither a case nor a reason. */
  readonly open: number;
}

/** How the rows of each seed stand to real hosts, in the order of the rows. */
export function onHosts(rows: readonly Requirement[]): OnHosts[] {
  return [...new Set(rows.map(({ seed }) => seed))].map((seed) => {
    const all = rows.filter((row) => row.seed === seed);
    const about = all.filter(isAboutHost);
    const seen = about.filter(hasHostCase);
    const unseen = about.filter(({ mark }) => mark?.kind === "unseen");
    return {
      seed,
      rows: all.length,
      ours: all.length - about.length,
      about: about.length,
      seen: seen.length,
      differs: seen.filter(({ mark }) => mark?.kind === "differs").length,
      unseen: unseen.length,
      open: about.length - seen.length - unseen.length,
    };
  });
}

/** True where a row speaks about what a host does, so that a case of the real host is owed. */
export function isAboutHost({ seed, mark }: Requirement): boolean {
  return !Object.hasOwn(ownSeeds, seed) && mark?.kind !== "ours";
}
