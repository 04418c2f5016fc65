import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { usualSocket } from "../adapters/daemon/socket-place.ts";
import type { HookPolicies, HookProgram } from "../adapters/install/command.ts";
import { before, shell, shellName, unquotableWord } from "../adapters/install/command.ts";
import type { InstallProblem } from "../adapters/install/files.ts";
import { installerOf, installers } from "../adapters/install/registry.ts";
import type { HostInstaller, InstallPlace, InstallScope } from "../adapters/install/wiring.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import { fileDiagnostic } from "../store/policy-file.ts";
import { stateFolder } from "../store/state-folder.ts";
import { userHome } from "../store/user-home.ts";
import { exit, type Io } from "./io.ts";
import { type PlaceWorld, placedProgram } from "./own-place.ts";
import { prettyDiagnostics } from "./report/pretty.ts";

/** Options that select the configuration. */
export interface WiringOptions {
  readonly scope?: InstallScope;
  readonly config?: string;
  readonly server?: string;
  /** Set if hooks ask a daemon first; a string is its socket, if not the usual one. */
  readonly daemon?: boolean | string;
}

/** Replacements for this machine in tests. */
export interface WiringWorld extends PlaceWorld {
  /** A program to wire hosts to as it is, without a place of its own. */
  readonly program?: HookProgram;
  readonly platform?: NodeJS.Platform;
}

/** Returns the home folder of the user. */
export function homeOf({ env, home }: Io): string {
  const given = home ?? env["HOME"] ?? "";
  return isAbsolute(given) ? given : userHome();
}

/** Returns the installer of a name; if there is none, prints the known names. */
export function knownInstaller(name: string, io: Io): HostInstaller | undefined {
  const installer = installerOf(name);
  if (installer) return installer;
  const help = didYouMean(
    name,
    installers.map((each) => each.name),
  );
  io.err(prettyDiagnostics([fileDiagnostic("HW701", name, `there is no host \`${name}\``, help)], new Map(), io.color));
  return undefined;
}

/** Prints a problem; returns its exit code. */
export function reportProblem({ path, message, help }: InstallProblem, io: Io): number {
  io.err(prettyDiagnostics([fileDiagnostic("HW707", path, message, help)], new Map(), io.color));
  return exit.unusable;
}

/** Returns the location and options of a host's wiring; or the reason why there are none. */
export function placeOf(
  installer: HostInstaller,
  options: WiringOptions,
  by: HookPolicies,
  io: Io,
  world: WiringWorld = {},
): InstallPlace | InstallProblem {
  const { scope = "user", config, server } = options;
  const platform = world.platform ?? process.platform;
  const found = world.program ?? placedProgram(io, homeOf(io), world);
  if ("message" in found) return found;
  const program = options.daemon ? askingDaemon(found, options.daemon, platform, io) : found;
  if ("message" in program) return program;
  const moved = scope === "user" ? (installer.moved ?? []).find((name) => (io.env[name] ?? "") !== "") : undefined;
  if (moved !== undefined)
    return {
      path: installer.name,
      message: `\`${moved}\` is set, so the host looks where the built-in policy protects nothing`,
      help: `run this without \`${moved}\`, and start the host without it; nothing was written`,
    };
  const { daemon } = program;
  const home = homeOf(io);
  const state = stateFolder(io.env, home);
  const files = [program.node, program.launcher, ...(daemon ? [daemon.shell, daemon.socket] : [])];
  const paths = [...files, home, state, ...by.policies, ...Object.values(by.set)];
  const hostVersion = existsSync(before) ? installer.version?.(io.env["PATH"]) : undefined;
  const word = unquotableWord(paths, platform);
  if (word !== undefined)
    return {
      path: word,
      message: "a shell of this system cannot be given this",
      help: "use another path; nothing was written",
    };
  return {
    scope,
    home,
    state,
    project: io.cwd,
    platform,
    program,
    by,
    privileged: platform === "win32" || takesPrivileged(),
    ...(hostVersion !== undefined && { hostVersion }),
    ...(config !== undefined && { config: resolve(io.cwd, config) }),
    ...(server !== undefined && { server }),
  };
}

/** True if the system's shell knows `-p`, by which it ignores the environment: that of busybox does not. */
function takesPrivileged(): boolean {
  return spawnSync(shell, ["-p", "-c", ":"], { env: {}, stdio: "ignore" }).status === 0;
}

/** Returns the program with the shell launcher that asks the daemon first; or the reason why there is none. */
function askingDaemon(
  program: HookProgram,
  daemon: true | string,
  platform: NodeJS.Platform,
  io: Io,
): HookProgram | InstallProblem {
  if (platform === "win32")
    return {
      path: "--daemon",
      message: "the daemon is asked by a POSIX shell, which Windows has not",
      help: "install without `--daemon`; nothing was written",
    };
  const socket = daemon === true ? usualSocket(stateFolder(io.env, homeOf(io))) : resolve(io.cwd, daemon);
  return { ...program, daemon: { shell: join(dirname(program.launcher), shellName), socket } };
}
