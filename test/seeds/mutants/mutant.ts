import { createHash } from "node:crypto";

/** A change of the product that takes away what rows ask for, so that their tests must fail. */
export interface Mutant {
  /** Ids of the rows, each of which a test of its own must hold. */
  readonly rows: readonly string[];
  /** File of the product, relative to the repository. */
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly before: string;
  readonly after: string;
}

/** Mutants of one file: id of the row, or of several, the text and what takes its place. */
export function mutantsOf(
  file: string,
  changes: readonly (readonly [rows: string | readonly string[], before: string, after: string])[],
): Mutant[] {
  return changes.map(([rows, before, after]) => ({
    rows: typeof rows === "string" ? [rows] : rows,
    file,
    before,
    after,
  }));
}

/** Digest of a mutant, by which a recorded result is known to be about it; 16 hexadecimal digits of SHA-256. */
export function mutantDigest({ file, before, after }: Mutant): string {
  return createHash("sha256")
    .update(JSON.stringify([file, before, after]))
    .digest("hex")
    .slice(0, 16);
}
