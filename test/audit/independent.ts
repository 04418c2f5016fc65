import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface IndependentVerifier {
  verifyFolder(
    folder: string,
    keys: readonly string[],
    copy: string | undefined,
  ): { readonly status: string; readonly problems: readonly object[] };
}

const path = join(import.meta.dirname, "..", "..", "docs", "audit-verifier", "verify.mjs");

/** What the verifier of `docs/audit-verifier` says of a folder. */
export async function independentVerdict(folder: string, keys: readonly string[], copy: string): Promise<string> {
  const { verifyFolder } = (await import(pathToFileURL(path).href)) as IndependentVerifier;
  return verifyFolder(folder, keys, copy).status;
}
