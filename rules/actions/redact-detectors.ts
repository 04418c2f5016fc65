import { detectorIds, namesDetector } from "../../facts/secrets/detectors.ts";
import { selectTextDetectors, type TextKind, textDetectors } from "../../facts/text/detectors.ts";

/** Selection made by the `detectors` of a `redact`. */
export interface RedactionDetectors {
  /** Names that select detectors of secrets and of personal data, as they were given. */
  readonly scanned: readonly string[];
  /** Kinds of untrusted text. */
  readonly text: ReadonlySet<TextKind>;
  /** Names that select nothing. */
  readonly unknown: readonly string[];
}

/** Ids of all detectors that `redact` knows, and a glob for each family, to suggest one for a misspelt name. */
export function redactionIds(): readonly string[] {
  const ids = [...detectorIds, ...textDetectors.map(({ id }) => id)];
  return [...new Set(ids.map((id) => `${id.slice(0, id.indexOf("/"))}/*`)), ...ids];
}

/** Sorts names of detectors by the scanner that implements them. */
export function selectRedaction(names: readonly string[]): RedactionDetectors {
  const scanned: string[] = [];
  const text = new Set<TextKind>();
  const unknown: string[] = [];
  for (const name of names) {
    const found = selectTextDetectors(name);
    const isScanned = namesDetector(name);
    if (isScanned) scanned.push(name);
    for (const { kind } of found) text.add(kind);
    if (!isScanned && found.length === 0) unknown.push(name);
  }
  return { scanned, text, unknown };
}
