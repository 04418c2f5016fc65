import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type PluginBuild } from "esbuild";

const root = join(import.meta.dirname, "../..");

/** Where bundles and profiles go: a folder that is ignored. */
export const benchFolder = join(root, ".scratch/bench");

/** Measured as others ship them, or not for a bundle at all. */
const outside = [
  "@bufbuild/*",
  "@cedar-policy/*",
  "@marcbachmann/*",
  "@opentelemetry/*",
  "@secretlint/*",
  "casbin",
  "esbuild",
  "execa",
  "json-rules-engine",
  "re2",
];

/**
 * The measuring code and all that it measures as it would be shipped: what runs sources directly makes short functions
 * several times slower. One chunk for each section, so that no section pays for loading another.
 */
export async function bundleBench(): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: { bench: join(import.meta.dirname, "sections.ts") },
    outdir: benchFolder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    charset: "utf8",
    sourcemap: true,
    logLevel: "warning",
    external: outside,
    plugins: [{ name: "places", setup: keepPlaces }],
    banner: {
      js: `import { createRequire as createRequireForBundle } from "node:module";\nconst require = createRequireForBundle(import.meta.url);`,
    },
  });
  return join(benchFolder, "bench.mjs");
}

/** A bundled source still finds what lies beside it. */
function keepPlaces({ onLoad }: PluginBuild): void {
  onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    if (path.includes("node_modules")) return undefined;
    const text = await readFile(path, "utf8");
    const contents = text
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
      .replaceAll("import.meta.filename", JSON.stringify(path))
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
    return { contents, loader: "ts" };
  });
}
