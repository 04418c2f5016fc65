import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { compile } from "../../compiler/compile.ts";
import { type Diagnostic, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import type { Scope } from "../../engine/plan.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import {
  type Discovery,
  defaultRoots,
  discoverRoots,
  importProblem,
  type Roots,
  resolveImport,
} from "../../store/discover.ts";
import { packageVersion } from "../../store/packs.ts";
import { exit, type Io } from "../io.ts";
import { jsonLine } from "../report/json.ts";
import { count, palette } from "../report/pretty.ts";

/** Options of `doctor`. */
export interface DoctorOptions {
  readonly format: "pretty" | "json";
}

/** One thing that was looked at: what was found, and what to do where it is not well. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly help?: string;
}

/** A policy file of the default locations, with its id and the digest of its bytes where it could be read. */
interface PolicyReport {
  readonly scope: Scope;
  readonly policy: string | undefined;
  readonly file: string;
  readonly digest: string | undefined;
}

/**
 * `doctor`: whether hookwarden can work on this machine, and what to do where it cannot. It only looks: nothing is
 * created, and no agent's configuration is read. Exit code 0 when all is well, 1 when there is something to act on.
 */
export async function doctor(
  options: DoctorOptions,
  io: Io,
  roots: Roots = defaultRoots(io.cwd, homeOf(io)),
): Promise<number> {
  const discovery = discoverRoots(roots, io.cwd);
  const { policies, findings: loading } = policiesOf(discovery, roots);
  const checks = [nodeVersion(), regexEngine(), ...loading, auditFolder(io)];
  const well = checks.every((check) => check.ok);
  if (options.format === "json")
    await io.out(jsonLine({ version: packageVersion(), ok: well, checks, policies: policies.map(asJson) }));
  else await io.out(pretty(checks, policies, io.color));
  return well ? exit.fine : exit.findings;
}

function homeOf({ env }: Io): string {
  const home = env["HOME"];
  return home !== undefined && isAbsolute(home) ? home : homedir();
}

/** The oldest Node that the package runs on, as its `package.json` says. */
export const leastNode = [20, 19] as const;

/** The Node that runs this, or another version as its text. */
export function nodeVersion(running: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const ok = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  if (ok) return { check: "node", ok, found: `Node ${running}` };
  const help = "install a newer Node, and run hookwarden and the agent with it";
  return { check: "node", ok, found: `Node ${running}, needed is ${leastNode.join(".")} or newer`, help };
}

/** The regex engine that rules run on. */
export function regexEngine({ name, version }: Pick<RegexEngine, "name" | "version"> = createRegexEngine()): Finding {
  const found = `${name} ${version}`;
  if (name === "re2") return { check: "regex", ok: true, found };
  return {
    check: "regex",
    ok: false,
    found: `${found}, which decides alike and is slower; the addon re2 is not there`,
    help: "install python3, g++ and make, then run `npm rebuild re2`, or `npm install re2` where it was left out",
  };
}

/** Policies of the default locations. An installed hook without any policy would refuse everything, so none is a finding. */
function policiesOf(discovery: Discovery, roots: Roots): { policies: PolicyReport[]; findings: Finding[] } {
  const none = (Object.keys(roots) as (keyof typeof roots)[]).map((scope) => `${scope} ${roots[scope]}`).join(", ");
  if (discovery.files.length === 0 && discovery.diagnostics.length === 0) {
    const help = "put a policy into `.hookwarden/policy.yaml` or `~/.config/hookwarden/`";
    return { policies: [], findings: [{ check: "policies", ok: false, found: `none (looked at ${none})`, help }] };
  }
  const result = compile({ files: discovery.files, resolveImport, importProblem });
  const wrong = sortDiagnostics([...discovery.diagnostics, ...result.diagnostics]).filter(isError);
  const digests = new Map(result.stages.typed.map(({ resolved, digest }) => [resolved.draft.file.path, digest]));
  const ids = new Map(result.policies.map(({ id, file }) => [file.path, id]));
  const policies = discovery.files.map(({ path, name, scope }) => ({
    scope: scope ?? "user",
    policy: ids.get(path),
    file: name,
    digest: digests.get(path),
  }));
  return { policies, findings: [loaded(policies.length, result.plan?.digest, wrong)] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function loaded(policies: number, digest: string | undefined, wrong: readonly Diagnostic[]): Finding {
  const [first] = wrong;
  if (!first) return { check: "policies", ok: true, found: `${count(policies, "policy")}, plan ${digest ?? "empty"}` };
  const more = wrong.length > 1 ? `, and ${count(wrong.length - 1, "more error")}` : "";
  return {
    check: "policies",
    ok: false,
    found: `do not load: ${first.source}: ${first.code}: ${first.message}${more}`,
    help: `${first.help}; \`hookwarden check\` shows the place`,
  };
}

/** The folder of audit trails, or the nearest folder above it that is there: nothing is created to find out. */
function auditFolder({ env, ...io }: Io): Finding {
  const state = env["XDG_STATE_HOME"];
  const base = state !== undefined && isAbsolute(state) ? state : join(homeOf({ env, ...io }), ".local", "state");
  const folder = join(base, "hookwarden", "audit");
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

/** The deepest part of a path at which anything stands. */
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
