import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { spawnSync } from "../bounded-process.ts";

/** A real host to test against: its package, the file that starts it, and the Node that it needs. */
export interface HostVersion {
  readonly name: string;
  readonly version: string;
  readonly package: string;
  /** Packages beside it. */
  readonly with?: readonly string[];
  /** Start file inside the package. */
  readonly start: string;
  /** Major version of an npm-installed Node, or undefined for the one that runs the test. */
  readonly node?: number;
  /** Version of an npm-installed bun, for a host that runs on it. */
  readonly bun?: string;
  /** True where the registry lacks packages that this one names, but its bundle needs none of them beyond `with`. */
  readonly bundled?: boolean;
}

/** An installed host: the command line that starts it. */
export interface InstalledHost {
  readonly host: HostVersion;
  readonly node: string;
  readonly script: string;
}

/** Downloads take long on a slow line; one that hangs must not hang the test. */
const installLimit = 300_000;

const marker = "complete.json";

/** Where host installs are kept between runs; in the checkout, where the user's cache cannot be written. */
function cacheFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"];
  const user = cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache");
  const folder = join(user, "hookwarden-dev", "hosts");
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return join(import.meta.dirname, "..", "..", ".hosts");
  }
}

/** Installs a host (and its Node) unless a complete install is there. Throws an Error when it cannot be had today. */
export function installHost(host: HostVersion): InstalledHost {
  const name = `${host.name}-${host.version}`;
  const spec = `${host.package}@${host.version}`;
  const beside = host.with ?? [];
  const folder =
    host.bundled === true
      ? bundledPackage(name, host.package, spec, beside)
      : installedPackages(name, [spec, ...beside]);
  const script = join(folder, "node_modules", host.package, host.start);
  if (!existsSync(script)) throw new Error(`${host.package}@${host.version} has no ${host.start}`);
  const node = host.bun !== undefined ? bunBinary(host.bun) : undefined;
  return { host, node: node ?? (host.node === undefined ? process.execPath : nodeBinary(host.node)), script };
}

/** The `bun` package puts the binary of this machine into its place in its install script. */
function bunBinary(version: string): string {
  const modules = join(installedPackages(`bun-${version}`, [`bun@${version}`], true), "node_modules");
  const places = [
    join(modules, "bun/bin/bun.exe"),
    join(modules, `@oven/bun-${process.platform}-${process.arch}/bin/bun`),
  ];
  const binary = places.find((place) => answers(place, version));
  if (binary === undefined) throw new Error(`bun@${version} does not run here`);
  return binary;
}

function answers(binary: string, version: string): boolean {
  const { status, stdout } = spawnSync(binary, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return status === 0 && stdout.trim() === version;
}

/** A Node of a major version or of an exact one. The `node` package fetches the binary of this machine in its install script; where scripts do not run, its package is taken. */
export function nodeBinary(version: number | string): string {
  const script = join(installedPackages(`node-${version}`, [`node@${version}`], true), "node_modules/node/bin/node");
  if (runs(script, version)) return script;
  const name = `node-${process.platform}-${process.arch}`;
  const direct = join(
    installedPackages(`${name}-${version}`, [`${name}@${version}`]),
    "node_modules",
    name,
    "bin/node",
  );
  if (runs(direct, version)) return direct;
  throw new Error(`node@${version} does not run here`);
}

function runs(binary: string, wanted: number | string): boolean {
  const { status, stdout } = spawnSync(binary, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return status === 0 && `${stdout.trim()}.`.startsWith(`v${wanted}.`);
}

/** Installs packages into one folder, without their install scripts, unless a complete install is there, and gives the folder. */
function installedPackages(name: string, specs: readonly string[], scripts = false): string {
  return completeFolder(name, specs.join(" "), (folder) => install(folder, specs, scripts));
}

function install(folder: string, specs: readonly string[], scripts: boolean): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const flags = ["--no-audit", "--no-fund", "--save-exact", ...(scripts ? [] : ["--ignore-scripts"])];
  command(folder, "npm", ["install", "--loglevel=error", ...flags, ...specs]);
}

/** Puts one package beside others as if it were installed, but without what it depends on. */
function bundledPackage(name: string, pack: string, spec: string, beside: readonly string[]): string {
  return completeFolder(name, [spec, ...beside].join(" "), (folder) => {
    install(folder, beside, false);
    const place = join(folder, "node_modules", pack);
    mkdirSync(place, { recursive: true });
    command(folder, "npm", ["pack", "--loglevel=error", "--ignore-scripts", spec]);
    const file = readdirSync(folder).find((entry) => entry.endsWith(".tgz"));
    command(folder, "tar", ["-xzf", join(folder, file ?? "none.tgz"), "-C", place, "--strip-components=1"]);
  });
}

/**
 * A folder of the cache that was filled to the end. It is filled under a name of this process and then renamed, so that
 * runs beside each other need not wait, and one that is cut off leaves nothing that looks whole.
 */
function completeFolder(name: string, spec: string, fill: (folder: string) => void): string {
  const folder = join(cacheFolder(), name);
  if (existsSync(join(folder, marker))) return folder;
  const own = `${folder}.${process.pid}`;
  try {
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true });
    fill(own);
    writeFileSync(join(own, marker), JSON.stringify({ spec }));
    // What an earlier run left unfinished is in the way; what another has finished meanwhile is as good.
    if (!existsSync(join(folder, marker))) rmSync(folder, { recursive: true, force: true });
    if (!existsSync(folder)) renameSync(own, folder);
  } catch (error) {
    if (!existsSync(join(folder, marker))) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

function command(cwd: string, program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: installLimit });
  const why = error?.message ?? stderr.trim().slice(-500);
  if (status !== 0) throw new Error(`${program} ${args[0]} ${args.at(-1)} does not work here: ${why}`);
}
