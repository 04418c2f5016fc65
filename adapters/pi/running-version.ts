import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The two package names under which pi was published. */
const packages: readonly unknown[] = ["@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent"];

/** Number of folders above the running program that are searched. */
const levels = 6;

/**
 * Returns the version of the running pi, for records. Its API does not expose it, so it is read from the package of the
 * started program. Undefined if another program embeds pi or nothing can be read. Never throws.
 */
export function runningPiVersion(program: string | undefined = process.argv[1]): string | undefined {
  if (program === undefined) return undefined;
  try {
    let folder = dirname(realpathSync(program));
    for (let level = 0; level < levels; level++, folder = dirname(folder)) {
      const found = manifestIn(folder);
      if (found && packages.includes(found.name)) return typeof found.version === "string" ? found.version : undefined;
    }
  } catch {
    // A program that cannot be found has no version.
  }
  return undefined;
}

function manifestIn(folder: string): { readonly name?: unknown; readonly version?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
