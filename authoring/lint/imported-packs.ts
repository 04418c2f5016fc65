import type { PolicyFile } from "../../compiler/policy-draft.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Codes of `--host`, which also apply to the rules of a pack. */
const asked: ReadonlySet<string> = new Set(["HW607", "HW608"]);

/**
 * True for advice about a shipped pack that the policies import: the importer did not write it and cannot fix it. Whoever
 * checks a pack by its name is its author.
 */
export function isOfImportedPack(found: Diagnostic, files: readonly PolicyFile[]): boolean {
  if (found.severity === "error" || asked.has(found.code) || !found.source.startsWith("pack:")) return false;
  return files.every(({ name }) => !name.startsWith("pack:"));
}

/** Returns findings in which advice about imported packs is only a note. */
export function quietOfPacks(found: readonly Diagnostic[], files: readonly PolicyFile[]): readonly Diagnostic[] {
  return found.map((each) => (isOfImportedPack(each, files) ? { ...each, severity: "info" } : each));
}
