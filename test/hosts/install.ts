import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

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

/** Where host installs are kept between runs; a clean checkout works without it. */
function cacheFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"];
  return join(cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache"), "hookwarden-dev", "hosts");
}

/** Installs a host (and its Node) unless a complete install is there. Throws an Error when it cannot be had today. */
export function installHost(host: HostVersion): InstalledHost {
  const folder = installedPackages(`${host.name}-${host.version}`, [
    `${host.package}@${host.version}`,
    ...(host.with ?? []),
  ]);
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

/** The `node` package fetches the binary of this machine in its install script; where scripts do not run, its package is taken. */
function nodeBinary(major: number): string {
  const script = join(installedPackages(`node-${major}`, [`node@${major}`], true), "node_modules/node/bin/node");
  if (runs(script, major)) return script;
  const name = `node-${process.platform}-${process.arch}`;
  const direct = join(installedPackages(`${name}-${major}`, [`${name}@${major}`]), "node_modules", name, "bin/node");
  if (runs(direct, major)) return direct;
  throw new Error(`node@${major} does not run here`);
}

function runs(binary: string, major: number): boolean {
  const { status, stdout } = spawnSync(binary, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return status === 0 && stdout.startsWith(`v${major}.`);
}

/** Installs packages into one folder, without their install scripts, unless a complete install is there, and gives the folder. */
function installedPackages(name: string, specs: readonly string[], scripts = false): string {
  const folder = join(cacheFolder(), name);
  if (existsSync(join(folder, marker))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const flags = [
    "--no-audit",
    "--no-fund",
    "--save-exact",
    "--loglevel=error",
    ...(scripts ? [] : ["--ignore-scripts"]),
  ];
  const { status, stderr } = spawnSync("npm", ["install", ...flags, ...specs], {
    cwd: folder,
    encoding: "utf8",
    timeout: installLimit,
  });
  if (status !== 0) throw new Error(`npm cannot install ${specs.join(" ")}: ${stderr.trim().slice(-500)}`);
  writeFileSync(join(folder, marker), JSON.stringify({ spec: specs.join(" ") }));
  return folder;
}
