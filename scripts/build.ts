import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build, type Metafile } from "esbuild";
import {
  addonFaults,
  execaFaults,
  guardBundle,
  guardFaults,
  guardHosts,
  placeFaults,
  programFaults,
} from "./build/bundles.ts";
import { keepDeclarations } from "./build/declarations.ts";
import { thirdPartyNotices } from "./build/notices.ts";
import { buildPrograms, importedModules } from "./build/programs.ts";

/** `npm run build`: programs, guards, declarations and data, all in dist/. */
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

await rm(dist, { recursive: true, force: true });
await emitDeclarations();
await copyData();
const { programs, others } = await buildPrograms(root, dist);
const built: Metafile[] = [others.launcher, others.execa];
for (const { name, bundled } of programs) {
  built.push(await kept(name, bundled.metafile));
  refuse(programFaults(name, bundled.metafile));
}
refuse(execaFaults(await kept("execa", others.execa)));
built.push(...(await writeGuards()));
await refuseNamedAddon("bin");
await writeFile(join(dist, "THIRD_PARTY_NOTICES.txt"), await thirdPartyNotices(root, built));

/** Types of what applications import. */
async function emitDeclarations(): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  const entries = importedModules.map((source) => join(dist, source.replace(/\.ts$/, ".d.ts")));
  await keepDeclarations(dist, entries);
}

/** Data that programs or editors read: schemas, packs. */
async function copyData(): Promise<void> {
  await mkdir(join(dist, "schema"), { recursive: true });
  for (const name of await readdir(join(root, "schema")))
    if (name.endsWith(".schema.json")) await cp(join(root, "schema", name), join(dist, "schema", name));
  // Manuals are for readers of the repository; suites are run by `hookwarden test pack:<name>`.
  const filter = (path: string): boolean => !path.endsWith(".md");
  await cp(join(root, "policies"), join(dist, "policies"), { recursive: true, filter });
}

/** Writes the metafile of a bundle to dist/meta, to explain its size; it is not published. */
async function kept(name: string, metafile: Metafile): Promise<Metafile> {
  await mkdir(join(dist, "meta"), { recursive: true });
  await writeFile(join(dist, "meta", `${name}.json`), `${JSON.stringify(metafile, null, 2)}\n`);
  return metafile;
}

/** Writes the guards, which only `compile` reads, and so compressed together: they differ by a tenth. */
async function writeGuards(): Promise<readonly Metafile[]> {
  const made = await Promise.all(guardHosts.map(buildGuard));
  const texts = Object.fromEntries(made.map(({ host, text }) => [host, text]));
  await mkdir(join(dist, "guard"), { recursive: true });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  await writeFile(join(dist, "guard/guards.json.br"), brotliCompressSync(JSON.stringify(texts), { params }));
  return made.map(({ metafile }) => metafile);
}

/**
 * Builds the guard of a host. `compile` turns it into a file outside this package, so it includes the licences it needs. The
 * build fails for a guard with forbidden packages, or without exactly one place for the plan.
 */
async function buildGuard(
  host: (typeof guardHosts)[number],
): Promise<{ readonly host: string; readonly text: string; readonly metafile: Metafile }> {
  const { metafile, outputFiles } = await build({ ...guardBundle(root, host), metafile: true, write: false });
  const text = outputFiles[0]?.text ?? "";
  refuse([...guardFaults(metafile), ...placeFaults(text), ...addonFaults(`guard of ${host}`, text)]);
  const notices = (await thirdPartyNotices(root, [metafile])).replaceAll("*/", "* /");
  return { host, text: `${text}\n/*!\n${notices}*/\n`, metafile: await kept(`guard-${host}`, metafile) };
}

/** No bundle in a folder of the build may load the addon by its name. */
async function refuseNamedAddon(folder: string): Promise<void> {
  for (const name of await readdir(join(dist, folder)))
    if (/\.(?:cjs|mjs|program)$/.test(name))
      refuse(addonFaults(name, await readFile(join(dist, folder, name), "latin1")));
}

/** Prints the faults and makes the build fail if there are any. */
function refuse(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
