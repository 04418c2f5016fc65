import { createRegexEngine } from "../../../facts/regex.ts";
import { detectorExamples, expandExample } from "../../../facts/secrets/examples.ts";
import type { Scanner, ScannerOptions } from "../../../facts/secrets/scan.ts";
import { createScanner } from "../../../facts/secrets/scan.ts";

const engine = createRegexEngine();

/** A scanner for names that are in the table; one with an engine of its own knows nothing that others have found out. */
export function scannerFor(names: readonly string[], options: ScannerOptions = {}, own = false): Scanner {
  const made = createScanner(own ? { ...engine } : engine, names, options);
  if (made.kind !== "scanner") throw new Error(made.unknown.join());
  return made;
}

/** Secrets of many kinds, made up. */
export const secretSamples: readonly string[] = Object.entries(detectorExamples)
  .filter(([id]) => id.startsWith("secrets/"))
  .flatMap(([, { match }]) => match.map(expandExample));

/** Texts that look a little like secrets and are none. */
export const cleanSamples: readonly string[] = Object.values(detectorExamples).flatMap(({ noMatch }) =>
  noMatch.map(expandExample),
);
