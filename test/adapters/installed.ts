import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** Puts the package into a project as npm would, with these of its entries (`opta/index`, …) and what they need. */
export async function installedPackage(project: string, entries: readonly string[]): Promise<void> {
  const installed = join(project, "node_modules/hookwarden");
  mkdirSync(installed, { recursive: true });
  copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  for (const entry of entries) {
    const outfile = join(installed, "dist/adapters", `${entry}.js`);
    mkdirSync(dirname(outfile), { recursive: true });
    await build({
      entryPoints: [join(root, "adapters", `${entry}.ts`)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
  }
}
