import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dirname, "..", "..");

/**
 * What the compiler says of each module, under the repository's own options. The modules stand in a scratch folder, and one
 * run of the compiler reads them all.
 */
export async function typeErrors(...texts: readonly string[]): Promise<readonly string[][]> {
  const folder = mkdtempSync(join(tmpdir(), "hookwarden-types-"));
  try {
    const names = texts.map((_, i) => `probe${i}.ts`);
    for (const [i, text] of texts.entries()) writeFileSync(join(folder, `probe${i}.ts`), text);
    const options = {
      noUnusedLocals: false,
      rewriteRelativeImportExtensions: false,
      typeRoots: [join(repository, "node_modules/@types")],
    };
    const base = join(repository, "tsconfig.json");
    const config = { extends: base, compilerOptions: options, include: [], files: names };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [tsc, "--noEmit", "--pretty", "false", "-p", folder], (_error, stdout) =>
        resolve(stdout),
      );
    });
    const errors = printed.split("\n").filter((line) => line.includes("error"));
    return names.map((name) => errors.filter((line) => line.includes(`${name}(`)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
