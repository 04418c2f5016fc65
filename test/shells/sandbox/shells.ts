import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { spawnSync } from "../../bounded-process.ts";

/** A shell that scripts are run by. */
export interface Shell {
  readonly name: ShellName;
  /** Its program on this machine. */
  readonly file: string;
  /** Words that start it, in the sandbox. */
  readonly command: readonly string[];
}

/** The shells that are tested. */
export const shellNames = ["bash", "dash", "zsh", "ksh", "mksh", "busybox"] as const;
/** One of them. */
export type ShellName = (typeof shellNames)[number];

/** Debian packages of those that few machines have, and their program inside. */
const packages: Readonly<Record<string, readonly [string, string]>> = {
  zsh: ["zsh-static", "bin/zsh-static"],
  ksh: ["ksh93u+m", "bin/ksh93"],
  mksh: ["mksh", "bin/mksh"],
  busybox: ["busybox-static", "bin/busybox"],
};

const downloadLimit = 120_000;

/** The shells by their names. One that cannot be had is a sentence instead, which says why. */
export function findShells(names: readonly ShellName[]): {
  readonly shells: readonly Shell[];
  readonly missing: readonly string[];
} {
  const shells: Shell[] = [];
  const missing: string[] = [];
  for (const name of names) {
    try {
      shells.push({ name, file: programOf(name), command: commandOf(name) });
    } catch (error) {
      missing.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { shells, missing };
}

function commandOf(name: ShellName): readonly string[] {
  const file = `/shells/${name}`;
  if (name === "busybox") return [file, "sh"];
  if (name === "zsh") return [file, "-f"];
  return name === "bash" ? [file, "--norc", "--noprofile"] : [file];
}

function programOf(name: ShellName): string {
  const own = [`/usr/bin/${name}`, `/bin/${name}`].find((file) => existsSync(file));
  const unpacked = packages[name];
  if (!unpacked) {
    if (own) return own;
    throw new Error(`${name} is not here; install it (Debian: apt-get install ${name})`);
  }
  const [pack, inside] = unpacked;
  const folder = join(cacheFolder(), pack);
  const found = (): string | undefined =>
    [join(folder, inside), join(folder, "usr", inside)].find((file) => existsSync(file));
  if (!found()) fetchPackage(pack, folder);
  const file = found();
  if (!file) throw new Error(`the package ${pack} has no ${inside}`);
  return file;
}

/** The cache of unpacked shells, beside the caches of `.ci/run` and the hosts. */
function cacheFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"];
  return join(cache !== undefined && isAbsolute(cache) ? cache : join(homedir(), ".cache"), "hookwarden-dev", "shells");
}

/** Fetches a Debian package by apt and unpacks it aside; nothing is installed on the machine. */
function fetchPackage(pack: string, folder: string): void {
  const aside = `${folder}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  try {
    command(aside, "apt-get", ["-o", "APT::Sandbox::User=root", "download", pack]);
    const file = readdirSync(aside).find((entry) => entry.endsWith(".deb"));
    if (!file) throw new Error(`apt-get downloaded no file for ${pack}`);
    command(aside, "dpkg-deb", ["-x", file, aside]);
    rmSync(folder, { recursive: true, force: true });
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function command(cwd: string, program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", timeout: downloadLimit });
  if (status !== 0)
    throw new Error(`${program} ${args.at(-1)} does not work here: ${error?.message ?? stderr.trim().slice(-300)}`);
}
