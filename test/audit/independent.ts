import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What the verifier of `docs/audit-verifier` says of a folder. */
export interface IndependentReport {
  readonly status: string;
  readonly problems: readonly { readonly path: string; readonly status: string; readonly why?: string }[];
  /** Names in the folder that no trail has, sorted. */
  readonly strange: readonly string[];
}

interface IndependentVerifier {
  verifyFolder(folder: string, keys: readonly string[], copy: string | undefined): IndependentReport;
}

const path = join(import.meta.dirname, "..", "..", "docs", "audit-verifier", "verify.mjs");

/** What the verifier of `docs/audit-verifier` says of a folder; what it cannot check at all is `unchecked`. */
export async function independentReport(
  folder: string,
  keys: readonly string[],
  copy: string | undefined,
): Promise<IndependentReport> {
  const { verifyFolder } = (await import(pathToFileURL(path).href)) as IndependentVerifier;
  try {
    return verifyFolder(folder, keys, copy);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      status: "unchecked",
      problems: [{ path: folder, status: "unchecked", why: `throws: ${why}` }],
      strange: [],
    };
  }
}

/** The verdict alone. */
export async function independentVerdict(folder: string, keys: readonly string[], copy: string): Promise<string> {
  return (await independentReport(folder, keys, copy)).status;
}
