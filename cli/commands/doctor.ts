import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRegexEngine } from "../../facts/regex.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { defaultRoots, type Roots } from "../../store/discover.ts";
import { packageVersion } from "../../store/packs.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { trustedDigests } from "../../store/trust.ts";
import { type Finding, hostFindings, wiredHosts } from "../host-findings.ts";
import { homeOf, knownInstaller, type WiringOptions, type WiringWorld } from "../host-wiring.ts";
import { exit, type Io } from "../io.ts";
import { placeFindings } from "../place-findings.ts";
import { type PolicyReport, policyFindings } from "../policy-findings.ts";
import { jsonLine } from "../report/json.ts";
import { count, palette } from "../report/pretty.ts";

export type { Finding } from "../host-findings.ts";

/** Options of `doctor`. */
export interface DoctorOptions extends WiringOptions {
  readonly format: "pretty" | "json";
}

/** Replacements for this machine in tests. */
export interface DoctorWorld extends WiringWorld {
  readonly roots?: Roots;
}

/**
 * `doctor`: checks whether hookwarden can work on this machine, and how hosts are wired, with the remedy for each fault.
 * With a host it also runs the canary: our own program, never the host's. It changes nothing. Exit code 0 if all is well, 2
 * if there is something to act on.
 */
export async function doctor(
  host: string | undefined,
  options: DoctorOptions,
  io: Io,
  world: DoctorWorld = {},
): Promise<number> {
  const installer = host === undefined ? undefined : knownInstaller(host, io);
  if (host !== undefined && !installer) return exit.unusable;
  const roots = world.roots ?? defaultRoots(io.cwd, homeOf(io));
  const home = homeOf(io);
  const state = stateFolder(io.env, home);
  const places = { roots, cwd: io.cwd, home, state, host: installer?.name };
  const { policies, findings: loading } = policyFindings(places);
  const hosts = installer ? await hostFindings(installer, options, io, world) : wiredHosts(io, world);
  const trust = trustOf(policies, state);
  const checks = [
    nodeVersion(),
    regexEngine(),
    ...(world.program ? [] : placeFindings(io, world)),
    ...loading,
    ...trust,
    auditFolder(io),
    ...installKeyMode(state),
    ...hosts,
  ];
  const well = checks.every((check) => check.ok);
  if (options.format === "json")
    await io.out(jsonLine({ version: packageVersion(), ok: well, checks, policies: policies.map(asJson) }));
  else await io.out(`${pretty(checks, policies, io.color)}${nextStep(checks, installer?.name)}`);
  return well ? exit.fine : exit.unusable;
}

/** Next step for the reader; without `host`, every wired host was checked. */
function nextStep(checks: readonly Finding[], host: string | undefined): string {
  const open = checks.filter(({ ok }) => !ok).length;
  const again = `hookwarden doctor${host === undefined ? "" : ` ${host}`}`;
  if (open > 0) return `\n${count(open, "thing")} to act on: follow each help line, then run \`${again}\` again\n`;
  if (host !== undefined) return `\nall is well: ask ${host} once for a call that your policy forbids\n`;
  const wired = checks.some(({ check }) => /\((?:user|project)\)$/.test(check));
  return wired
    ? "\nall is well: `hookwarden doctor <host>` proves that a block blocks\n"
    : "\nall is well, and no host is wired: run `hookwarden install <host>`\n";
}

/** Reports whether a human has trusted the project's policies. Untrusted ones only tighten, which is well too. */
function trustOf(policies: readonly PolicyReport[], state: string): Finding[] {
  const own = policies.filter(({ scope, digest }) => scope === "project" && digest !== undefined);
  if (own.length === 0) return [];
  const trusted = trustedDigests(state);
  const open = own.filter(({ digest }) => !trusted.has(digest ?? ""));
  const found =
    open.length === 0
      ? "the project's policies are trusted"
      : `not trusted: ${open.map(({ file }) => file).join(", ")}; they can only tighten until \`hookwarden trust\``;
  return [{ check: "trust", ok: true, found }];
}

/** Checks the install key, if there is one: nobody else may read it. */
function installKeyMode(state: string): Finding[] {
  const path = join(state, "keys", "install.key");
  try {
    const stat = lstatSync(path);
    const closed = process.platform === "win32" || (stat.mode & 0o077) === 0;
    if (stat.isFile() && closed) return [{ check: "key", ok: true, found: `${path} is this user's alone` }];
    const found = stat.isFile() ? `${path} may be read by others` : `${path} is no regular file`;
    const help = stat.isFile() ? `set its mode to 0600` : "take it away; a new one is made when it is needed";
    return [{ check: "key", ok: false, found, help }];
  } catch {
    return [];
  }
}

/** The oldest supported version of Node, as in `package.json`. */
export const leastNode = [20, 19] as const;

/** Checks the running Node, or another version given as text. */
export function nodeVersion(running: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const ok = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (ok) return { check: "node", ok, found: `Node ${running}` };
  const help = "install a newer Node, and run hookwarden and the agent with it";
  return { check: "node", ok, found: `Node ${running}, needed is ${leastNode.join(".")} or newer`, help };
}

/** Checks the regex engine of the rules. */
export function regexEngine({ name, version }: Pick<RegexEngine, "name" | "version"> = createRegexEngine()): Finding {
  if (name === "re2") return { check: "regex", ok: true, found: `${name} ${version}` };
  // Both engines decide alike, so nothing needs a remedy. npm removes an addon that it could not build, so there is nothing
  // to rebuild.
  const faster = "for the faster addon install python3, g++ and make, then install hookwarden again";
  return { check: "regex", ok: true, found: `${name} ${version}, which decides alike and is slower; ${faster}` };
}

/** Checks the folder of audit trails, or the nearest existing folder above it: the check creates nothing. */
function auditFolder({ env, ...io }: Io): Finding {
  const folder = join(stateFolder(env, homeOf({ env, ...io })), "audit");
  const standing = nearest(folder);
  const kind = standing === folder ? "is there" : `will be made under ${standing}`;
  const check = "audit";
  try {
    if (!statSync(standing).isDirectory()) throw new Error(`${standing} is no folder`);
    accessSync(standing, constants.W_OK | constants.X_OK);
    return { check, ok: true, found: `${folder} can be written (${kind})` };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "EACCES" ? "permission denied" : reasonOf(error);
    const help = `make ${standing} a folder that you may write to, or set XDG_STATE_HOME to one`;
    return { check, ok: false, found: `${folder} cannot be written: ${why}`, help };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the deepest part of a path that exists. */
function nearest(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (dirname(at) === at) return at;
    try {
      if (statSync(at, { throwIfNoEntry: false })) return at;
    } catch {
      return at;
    }
  }
}

function asJson({ scope, policy, file, digest }: PolicyReport): object {
  return { scope, policy: policy ?? null, file, digest: digest ?? null };
}

function pretty(checks: readonly Finding[], policies: readonly PolicyReport[], color: boolean): string {
  const colors = palette(color);
  const lines = [`hookwarden ${packageVersion()}`];
  for (const { check, ok, found, help } of checks) {
    lines.push(`${ok ? colors.info("ok  ") : colors.warning("act ")} ${check}: ${found}`);
    if (help !== undefined) lines.push(`       help: ${help}`);
    if (check !== "policies") continue;
    for (const { scope, policy, file, digest } of policies)
      lines.push(`       ${scope} ${policy ?? "?"} ${digest ?? "(cannot be read)"} ${file}`);
  }
  return `${lines.join("\n")}\n`;
}
