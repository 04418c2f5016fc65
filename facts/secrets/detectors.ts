import type { Detector } from "./detector.ts";
import { Selection } from "./selection.ts";
import { detectors } from "./table.ts";

/** Version of the detector table, for plans and audit records. Raised whenever a row changes. */
export const detectorsVersion = "4";

/** Ids of all detectors in the order of `detectors`, to suggest one for a misspelt name. */
export const detectorIds: readonly string[] = detectors.map(({ id }) => id);

/** Most selections that are kept; a process has few. */
const keptSelections = 8;

const selections = new Map<string, Selection>();

/**
 * Selects detectors by id or glob (`secrets/*`, `secrets/aws-*`; `*` matches any run of characters within the name). Names that
 * select nothing are returned, so that a policy with a misspelt detector is refused and never scans less. The same detectors are
 * the same selection, so that their users share a scanner's patterns.
 */
export function selectDetectors(names: readonly string[]): {
  readonly selected: Selection;
  readonly unknown: readonly string[];
} {
  const chosen = new Set<number>();
  const unknown: string[] = [];
  for (const name of names) {
    const isNamed = matcherOf(name);
    let some = false;
    for (let row = 0; row < detectorIds.length; row++) {
      if (!isNamed(detectorIds[row] as string)) continue;
      some = true;
      chosen.add(row);
    }
    if (!some) unknown.push(name);
  }
  return { selected: selectionOf([...chosen].sort((a, b) => a - b)), unknown };
}

function selectionOf(rows: readonly number[]): Selection {
  const key = rows.join();
  const known = selections.get(key);
  if (known) return known;
  const ids = rows.map((row) => detectorIds[row] as string);
  const made = new Selection(ids, key, () => rows.map((row) => detectors[row] as Detector));
  if (selections.size >= keptSelections) selections.clear();
  selections.set(key, made);
  return made;
}

/** True if an id or glob names a detector. */
export function namesDetector(name: string): boolean {
  const isNamed = matcherOf(name);
  return detectorIds.some(isNamed);
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
