import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dirname, "..", "..");

/** What the compiler says of a module, under the repository's own options; the module stands in a scratch folder. */
export async function typeErrors(text: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-types-"));
  try {
    const probe = join(folder, "probe.ts");
    writeFileSync(probe, text);
    const options = {
      noUnusedLocals: false,
      rewriteRelativeImportExtensions: false,
      typeRoots: [join(repository, "node_modules/@types")],
    };
    const base = join(repository, "tsconfig.json");
    const config = { extends: base, compilerOptions: options, include: [], files: [probe] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [tsc, "--noEmit", "--pretty", "false", "-p", folder], (_error, stdout) =>
        resolve(stdout),
      );
    });
    return printed.split("\n").filter((line) => line.includes("probe.ts") && line.includes("error"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
