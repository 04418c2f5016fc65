import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { extensionFaults, guardBundle, guardFaults, guardHosts, launcherFaults, placeFaults } from "./build/bundles.ts";
import { buildCli } from "./build/cli.ts";
import { buildExtension, extensions } from "./build/extensions.ts";
import { buildLauncher } from "./build/launcher.ts";
import { thirdPartyNotices } from "./build/notices.ts";

/** `npm run build`: modules with declarations, data, the command line bundle and the guard, all in dist/. */
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

await rm(dist, { recursive: true, force: true });
emitModules();
await copyData();
const cli = await kept("cli", await buildCli(root, join(dist, "bin")));
const guards: Metafile[] = [];
for (const host of guardHosts) guards.push(await bundle(`guard-${host}`, guardBundle(root, host)));
const launcher = await kept("launcher", await buildLauncher(root, join(dist, "bin")));
const loaded: Metafile[] = [];
for (const host of extensions)
  loaded.push(await kept(`extension-${host}`, await buildExtension(root, host, join(dist, "adapters", host))));
for (const [i, host] of guardHosts.entries()) await finishGuard(host, guards[i] as Metafile);
refuse(launcherFaults(launcher));
for (const extension of loaded) refuse(extensionFaults(extension));
await writeFile(
  join(dist, "THIRD_PARTY_NOTICES.txt"),
  await thirdPartyNotices(root, [cli, ...guards, launcher, ...loaded]),
);

/** Every room as ES modules with declarations, for the subpath exports. */
function emitModules(): void {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

/** What is read at run time and is not TypeScript: schemas, generated validators, packs. */
async function copyData(): Promise<void> {
  await mkdir(join(dist, "schema"), { recursive: true });
  for (const name of await readdir(join(root, "schema"))) {
    const data = name.endsWith(".schema.json") || name.includes("validators.generated.");
    if (data) await cp(join(root, "schema", name), join(dist, "schema", name));
  }
  await cp(join(root, "policies"), join(dist, "policies"), { recursive: true });
}

/** Writes a bundle, and its metafile to dist/meta. */
async function bundle(name: string, options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({ ...options, metafile: true });
  return kept(name, metafile);
}

async function kept(name: string, metafile: Metafile): Promise<Metafile> {
  await mkdir(join(dist, "meta"), { recursive: true });
  await writeFile(join(dist, "meta", `${name}.json`), `${JSON.stringify(metafile, null, 2)}\n`);
  return metafile;
}

/**
 * The guard leaves this package as one file, so the licences it needs go with it. A guard that carries
 * what it must not, or that has no single place for the plan, is no build.
 */
async function finishGuard(host: string, metafile: Metafile): Promise<void> {
  const file = join(dist, "guard", `${host}.mjs`);
  const text = await readFile(file, "utf8");
  refuse([...guardFaults(metafile), ...placeFaults(text)]);
  const notices = (await thirdPartyNotices(root, [metafile])).replaceAll("*/", "* /");
  await writeFile(file, `${text}\n/*!\n${notices}*/\n`);
}

/** What carries what it must not is no build. */
function refuse(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
