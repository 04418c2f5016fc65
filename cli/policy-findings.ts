import { type InstallRecord, keptRecords } from "../adapters/install/records.ts";
import { compile } from "../compiler/compile.ts";
import { type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Scope } from "../engine/plan.ts";
import {
  type Discovery,
  discoverPolicies,
  discoverRoots,
  importProblem,
  type Roots,
  resolveImport,
} from "../store/discover.ts";
import type { Finding } from "./host-findings.ts";
import { count } from "./report/pretty.ts";

/** A policy file of the hooks, with its id and the digest of its bytes if it could be read. */
export interface PolicyReport {
  readonly scope: Scope;
  readonly policy: string | undefined;
  readonly file: string;
  readonly digest: string | undefined;
}

/** The policies and the findings about them. */
export interface PolicyFindings {
  readonly policies: readonly PolicyReport[];
  readonly findings: readonly Finding[];
}

/** Places to look for policies. */
export interface PolicyPlaces {
  readonly roots: Roots;
  readonly cwd: string;
  readonly home: string;
  readonly state: string;
  /** The host in question; all wired hosts if undefined. */
  readonly host: string | undefined;
}

const check = "policies";

/**
 * Checks the policies by which hooks judge here: those of the usual places, and those that a wiring names. A wiring that
 * names none refuses every call if the usual places have none.
 */
export function policyFindings(places: PolicyPlaces): PolicyFindings {
  const wired = keptRecords(places.state).filter(({ host }) => places.host === undefined || host === places.host);
  const usual = discoverRoots(places.roots, places.cwd);
  const named = [...new Set(wired.flatMap(({ policies = [] }) => policies))];
  const beside = discoverPolicies(named, places.home, "user");
  const all = joined(usual, beside);
  const bare = wired.filter(({ policies = [] }) => policies.length === 0);
  const without = usual.files.length === 0 && usual.diagnostics.length === 0;
  if (without && named.length === 0) return { policies: [], findings: [nothing(places, bare)] };
  const { policies, finding } = loaded(all, wired, places.home);
  if (!finding.ok || !without || bare.length === 0) return { policies, findings: [finding] };
  const refused = refusing(bare, places.home);
  return { policies, findings: [{ ...refused, found: `${refused.found}; ${finding.found}` }] };
}

function joined(usual: Discovery, named: Discovery): Discovery {
  const files = new Map([...usual.files, ...named.files].map((file) => [file.path, file]));
  return { files: [...files.values()], diagnostics: [...usual.diagnostics, ...named.diagnostics] };
}

function loaded(
  { files, diagnostics }: Discovery,
  wired: readonly InstallRecord[],
  home: string,
): { readonly policies: readonly PolicyReport[]; readonly finding: Finding } {
  const result = compile({ files, resolveImport, importProblem });
  const [first, ...more] = sortDiagnostics([...diagnostics, ...(files.length > 0 ? result.diagnostics : [])]).filter(
    isFault,
  );
  const digests = new Map(result.stages.typed.map(({ resolved, digest }) => [resolved.draft.file.path, digest]));
  const ids = new Map(result.policies.map(({ id, file }) => [file.path, id]));
  const policies = files.map(({ path, name, scope }) => ({
    scope: scope ?? "user",
    policy: ids.get(path),
    file: name,
    digest: digests.get(path),
  }));
  if (first) return { policies, finding: broken(first, more.length, wired, home) };
  const plan = result.plan === undefined ? "" : `, plan ${result.plan.digest}`;
  const found = [`${count(policies.length, "policy")}${plan}`, ...naming(wired, home)].join("; ");
  return { policies, finding: { check, ok: true, found } };
}

/** True for an error. A parameter without a value is none here: `install --set` may have set it. */
function isFault({ severity, code, message }: Diagnostic): boolean {
  return severity === "error" && !(code === "HW404" && message.endsWith("has no value"));
}

function broken(first: Diagnostic, more: number, wired: readonly InstallRecord[], home: string): Finding {
  const others = more > 0 ? `, and ${count(more, "more error")}` : "";
  const by = wired.find(({ policies = [] }) => policies.includes(first.source));
  const where = by === undefined ? "" : `, named in ${shown(by.path, home)}`;
  return {
    check,
    ok: false,
    found: `do not load: ${first.source}: ${first.code}: ${first.message}${where}${others}`,
    help: `${first.help}; \`hookwarden check\` shows the place`,
  };
}

/** Describes the policies that a wiring names, and where: `pack:recommended, named in ~/.claude/settings.json`. */
function naming(wired: readonly InstallRecord[], home: string): string[] {
  const places = new Map<string, string[]>();
  for (const { path, policies = [] } of wired) {
    if (policies.length === 0) continue;
    const key = policies.join(", ");
    places.set(key, [...(places.get(key) ?? []), shown(path, home)]);
  }
  return [...places].map(([policies, paths]) => `${policies}, named in ${[...new Set(paths)].join(" and ")}`);
}

function shown(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~/${path.slice(home.length + 1)}` : path;
}

/** Returns the finding for no policies at all: a wired host then has every call refused. */
function nothing({ roots, home }: PolicyPlaces, bare: readonly InstallRecord[]): Finding {
  const places = (Object.keys(roots) as (keyof Roots)[]).map((scope) => `${scope} ${roots[scope]}`).join(", ");
  const found = `none (looked at ${places})`;
  if (bare.length === 0) return { check, ok: false, found, help };
  return { ...refusing(bare, home), found: `${found}; ${refusing(bare, home).found}` };
}

function refusing(bare: readonly InstallRecord[], home: string): Finding {
  const hosts = [...new Set(bare.map(({ host, path }) => `${host} (${shown(path, home)})`))].join(", ");
  return { check, ok: false, found: `hookwarden refuses every call of ${hosts}, which finds no policy here`, help };
}

const help =
  "run `hookwarden init` in your project, which writes `.hookwarden/policy.yaml`, or `hookwarden install <host> --policy pack:recommended`";
