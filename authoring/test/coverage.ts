import type { Linked } from "../../engine/frame.ts";
import type { Ir, Plan } from "../../engine/plan.ts";
import { type CoveredPlace, placesOf, type Reached, type WatchedPlaces } from "./coverage-places.ts";
import type { SuiteFile } from "./suite-file.ts";

/**
 * Measures the coverage of tests by the engine's own evaluation: it watches nodes as they are linked, and the rules that
 * match. An error is neither true nor false.
 */
export class CoverageMeter {
  readonly #places: WatchedPlaces;

  constructor(file: Pick<SuiteFile, "policies" | "plan">) {
    this.#places = placesOf(file);
  }

  /** The plan to link: it has a place for everything watched, and decides alike. */
  get plan(): Plan {
    return this.#places.plan;
  }

  /** For `linkPlan`: watched nodes keep their results. */
  readonly observe = (ir: Ir, linked: Linked): Linked => {
    const branch = this.#places.nodes.get(ir);
    const exception = this.#places.exceptions.get(ir);
    if (!branch && !exception) return linked;
    return (frame) => {
      const value = linked(frame);
      if (typeof value === "boolean") branch?.reached.add(value ? "true" : "false");
      if (value === true) exception?.reached.add("applied");
      return value;
    };
  };

  /** For the engine of a case: called when a rule matched. */
  readonly matched = (rule: string): void => {
    this.#places.rules.get(rule)?.reached.add("matched");
  };

  /** Returns every place with the results reached so far, in the order of the text. */
  places(): CoveredPlace[] {
    return this.#places.all.map(({ source, reached, ...place }) => ({
      ...place,
      source: source.name,
      reached: [...reached].sort(),
    }));
  }
}

/** Number of wanted results, and of those reached. */
export interface CoverageShare {
  readonly reached: number;
  readonly wanted: number;
}

/** Joins the coverage of several suites: a place is reached if any suite reaches it. */
export function joinCoverage(found: readonly (readonly CoveredPlace[])[]): CoveredPlace[] {
  const joined = new Map<string, CoveredPlace>();
  for (const place of found.flat()) {
    const key = `${place.kind} ${place.source} ${place.span.start} ${place.span.end}`;
    const known = joined.get(key);
    const reached: Reached[] = [...new Set([...(known?.reached ?? []), ...place.reached])].sort();
    joined.set(key, { ...place, reached });
  }
  return [...joined.values()];
}

/** Returns the share of places of one kind, or of all. */
export function shareOf(places: readonly CoveredPlace[], kind?: CoveredPlace["kind"]): CoverageShare {
  const counted = places.filter((place) => kind === undefined || place.kind === kind);
  return {
    reached: counted.reduce((n, { reached }) => n + reached.length, 0),
    wanted: counted.reduce((n, { wanted }) => n + wanted.length, 0),
  };
}

/** Returns a share in per cent, rounded down to a tenth; 100 if nothing is wanted. */
export function percentOf({ reached, wanted }: CoverageShare): number {
  return wanted === 0 ? 100 : Math.floor((reached / wanted) * 1000) / 10;
}
