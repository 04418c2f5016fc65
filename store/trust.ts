import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./folders.ts";
import { installKey } from "./install-key.ts";
import { locked } from "./lock.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/** One policy file that a human has trusted. Only its digest counts; the rest is for people. */
export interface TrustedFile {
  /** SHA-256 of its bytes, `sha256:<hex>`. */
  readonly digest: string;
  readonly path: string;
  /** When, RFC 3339. */
  readonly time: string;
}

const kind = "trust";

/** Returns the path of the list of files that this user has trusted. */
export function trustFile(state: string): string {
  return join(state, "trust", "trusted.json");
}

/** Lists the files that a human has trusted, oldest first. A list that this installation did not seal counts as empty. Never throws. */
export function trustedFiles(state: string): readonly TrustedFile[] {
  try {
    // Only writers make a key, never readers.
    if (!existsSync(trustFile(state))) return [];
    const found = readSealed(trustFile(state), kind, installKey(state));
    return "value" in found && Array.isArray(found.value) ? (found.value as TrustedFile[]) : [];
  } catch {
    return [];
  }
}

/** Digests for `CompileRequest.trusted`. */
export function trustedDigests(state: string): ReadonlySet<string> {
  return new Set(trustedFiles(state).map(({ digest }) => digest));
}

/** Adds files to the trusted ones. Throws when it cannot be written. */
export function trust(state: string, files: readonly TrustedFile[]): void {
  change(state, (known) => {
    const added = new Set(files.map(({ digest }) => digest));
    return [...known.filter(({ digest }) => !added.has(digest)), ...files];
  });
}

/** Removes digests from the trusted ones. Throws when it cannot be written. */
export function distrust(state: string, digests: readonly string[]): void {
  change(state, (known) => known.filter(({ digest }) => !digests.includes(digest)));
}

function change(state: string, revise: (known: readonly TrustedFile[]) => readonly TrustedFile[]): void {
  const key = installKey(state);
  const path = trustFile(state);
  makeFolder(dirname(path), 0o700);
  locked(`${path}.lock`, () => writeSealed(path, kind, revise(trustedFiles(state)), key));
}
