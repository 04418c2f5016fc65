import type { Detector } from "./detector.ts";
import { cloudRows } from "./rows-cloud.ts";
import { codeRows } from "./rows-code.ts";
import { dataRows } from "./rows-data.ts";
import { generalRows } from "./rows-general.ts";
import { modelRows } from "./rows-models.ts";
import { personalRows } from "./rows-personal.ts";
import { placeRows } from "./rows-places.ts";
import { productRows } from "./rows-products.ts";
import { serviceRows } from "./rows-services.ts";

/** Version of the detector table, for plans and audit records. Raised whenever a row changes. */
export const detectorsVersion = "4";

/** Every detector, in a fixed order: of two alike, the first gives the name. Source: threats section 5; semantics section 2 (`redact`). */
export const detectors: readonly Detector[] = [
  ...cloudRows,
  ...serviceRows,
  ...modelRows,
  ...codeRows,
  ...productRows,
  ...dataRows,
  ...placeRows,
  ...generalRows,
  ...personalRows,
];

/** Ids of all detectors in the order of `detectors`, to suggest one for a misspelt name. */
export const detectorIds: readonly string[] = detectors.map((detector) => detector.id);

/**
 * Detectors by id or glob (`secrets/*`, `secrets/aws-*`; `*` matches any run of characters within the name). Names that select
 * nothing are returned, so that a policy with a misspelt detector is refused and never scans less.
 */
export function selectDetectors(names: readonly string[]): {
  readonly selected: readonly Detector[];
  readonly unknown: readonly string[];
} {
  const chosen = new Set<Detector>();
  const unknown: string[] = [];
  for (const name of names) {
    const isNamed = matcherOf(name);
    let some = false;
    for (const detector of detectors) {
      if (!isNamed(detector.id)) continue;
      some = true;
      chosen.add(detector);
    }
    if (!some) unknown.push(name);
  }
  return { selected: detectors.filter((detector) => chosen.has(detector)), unknown };
}

/** True if an id or glob names a detector. */
export function namesDetector(name: string): boolean {
  const isNamed = matcherOf(name);
  return detectors.some(({ id }) => isNamed(id));
}

/** Returns the test of a glob with `*` only. It is greedy: each part must follow the previous one. */
function matcherOf(glob: string): (id: string) => boolean {
  const [first = "", ...rest] = glob.split("*");
  const last = rest.pop();
  if (last === undefined) return (id) => id === glob;
  if (last === "" && rest.length === 0) return (id) => id.startsWith(first);
  return (id) => {
    if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
    let at = first.length;
    for (const part of rest) {
      const next = id.indexOf(part, at);
      if (next < 0 || next + part.length > id.length - last.length) return false;
      at = next + part.length;
    }
    return true;
  };
}
