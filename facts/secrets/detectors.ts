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
 * Detectors by id or glob (`secrets/*`, `secrets/aws-*`; `*` stands for any run of characters within the name). Names
 * that select nothing are returned, so that a policy with a misspelt detector is refused and never scans less.
 */
export function selectDetectors(names: readonly string[]): {
  readonly selected: readonly Detector[];
  readonly unknown: readonly string[];
} {
  const chosen = new Set<Detector>();
  const unknown: string[] = [];
  for (const name of names) {
    const found = detectors.filter((detector) => matchesId(detector.id, name));
    if (found.length === 0) unknown.push(name);
    for (const detector of found) chosen.add(detector);
  }
  return { selected: detectors.filter((detector) => chosen.has(detector)), unknown };
}

/** Greedy glob with `*` only: each part must follow the one before. */
function matchesId(id: string, glob: string): boolean {
  const parts = glob.split("*");
  const first = parts[0] as string;
  if (parts.length === 1) return id === glob;
  const last = parts.at(-1) as string;
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const next = id.indexOf(part, at);
    if (next < 0 || next + part.length > id.length - last.length) return false;
    at = next + part.length;
  }
  return true;
}
