import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import {
  addonFaults,
  cliFaults,
  extensionFaults,
  guardBundle,
  guardFaults,
  guardHosts,
  judgeBundle,
  launcherFaults,
  partFaults,
  placeFaults,
  probeBundle,
} from "./build/bundles.ts";
import { buildCli } from "./build/cli.ts";
import { buildExtension, type ExtensionHost, extensionModules } from "./build/extensions.ts";
import { buildDaemonJudge } from "./build/judge.ts";
import { buildLauncher } from "./build/launcher.ts";
import { thirdPartyNotices } from "./build/notices.ts";
import { buildParts } from "./build/parts.ts";

/** `npm run build`: modules with declarations, data, the command line bundle and the guard, all in dist/. */
const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

await rm(dist, { recursive: true, force: true });
emitModules();
await copyData();
const cli = await kept("cli", await buildCli(root, join(dist, "bin")));
const daemonJudge = await kept("daemon-judge", await buildDaemonJudge(root, join(dist, "bin")));
const guards: Metafile[] = [];
for (const host of guardHosts) guards.push(await bundle(`guard-${host}`, guardBundle(root, host)));
const launcher = await kept("launcher", await buildLauncher(root, join(dist, "bin")));
const parts = await kept("parts", await buildParts(root, join(dist, "bin")));
await bundle("probe", probeBundle(root));
const loaded: Metafile[] = [];
for (const host of Object.keys(extensionModules) as ExtensionHost[])
  loaded.push(await kept(`extension-${host}`, await buildExtension(root, host, join(dist, "adapters", host))));
const judge = await bundle("judge", judgeBundle(root));
refuse(extensionFaults(judge, "."));
refuse(cliFaults(daemonJudge));
for (const [i, host] of guardHosts.entries()) await finishGuard(host, guards[i] as Metafile);
refuse(launcherFaults(launcher));
refuse(cliFaults(cli));
refuse(partFaults(parts));
for (const extension of loaded) refuse(extensionFaults(extension));
const extended = (Object.keys(extensionModules) as ExtensionHost[]).map((host) => `adapters/${host}`);
for (const folder of ["bin", "guard", ...extended]) await refuseNamedAddon(folder);
await writeFile(
  join(dist, "THIRD_PARTY_NOTICES.txt"),
  await thirdPartyNotices(root, [cli, daemonJudge, ...guards, launcher, parts, judge, ...loaded]),
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

/** No bundle in a folder of the build may load the addon by its name. */
async function refuseNamedAddon(folder: string): Promise<void> {
  for (const name of await readdir(join(dist, folder)))
    if (/\.(?:cjs|mjs|program)$/.test(name))
      refuse(addonFaults(name, await readFile(join(dist, folder, name), "latin1")));
}

/** What carries what it must not is no build. */
function refuse(faults: readonly string[]): void {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
