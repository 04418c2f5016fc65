import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { digest, type Engine, tableVersions } from "../runtime.ts";
import { engineVersion } from "../schema/version.ts";
import { type DiscoveredFile, type Discovery, resolveImport } from "../store/discover.ts";
import { type CachedImport, cachedPlan, cachePlan } from "../store/plan-cache.ts";
import { trustedDigests } from "../store/trust.ts";
import type { Fault } from "./pi/denial.ts";

type Plan = NonNullable<Engine["plan"]>;
type Finding = Discovery["diagnostics"][number];

/** The policy files that were found, and what stood in the way of others. */
export interface FoundPolicies {
  readonly files: readonly DiscoveredFile[];
  /** Why the policies of the user or of this machine cannot be used. */
  readonly broken: Finding | undefined;
  /** Why the project's own policies cannot be read. */
  readonly problem: Finding | undefined;
}

/** What decides over a plan besides the files it is made from. */
export interface PlanSurroundings {
  /** Values of policy parameters, as `--set`. */
  readonly set: Readonly<Record<string, string>>;
  /** The user's state folder. */
  readonly state: string;
}

/** The plan that the files on disk give: its digest, the files besides policies that it is made from, and itself when it is asked for. */
export interface OnDisk {
  readonly digest: string;
  readonly imports: readonly string[];
  plan(): Promise<Plan>;
}

/** True for a finding that keeps its file from being used. */
export function isError({ severity }: Finding): boolean {
  return severity === "error";
}

/**
 * The plan of the files that were found, from the plan cache where it was compiled before; `none` is the fault where there
 * is no policy at all. Rejects with what the compiler throws.
 */
export async function planOfFiles(
  found: FoundPolicies,
  around: PlanSurroundings,
  none: Fault,
): Promise<OnDisk | Fault> {
  if (found.broken) return unusable(found.broken);
  if (found.files.length === 0 && !found.problem) return none;
  const trusted = trustedDigests(around.state);
  const key = keyOf(found, around, trusted);
  const compile = (): Promise<OnDisk | Fault> => compiled(around, found, trusted, key, none);
  const cached = cachedPlan(around.state, key);
  if (!cached?.imports.every(({ path, digest: known }) => fileDigest(path) === known)) return compile();
  const plan = async (): Promise<Plan> => {
    const known = cached.plan();
    if (known) return known;
    const made = await compile();
    if ("code" in made) throw new Error(made.message);
    return made.plan();
  };
  return { digest: cached.digest, imports: cached.imports.map(({ path }) => path), plan };
}

/** Compiles the files, and keeps the plan for the next process. */
async function compiled(
  { state, set }: PlanSurroundings,
  found: FoundPolicies,
  trusted: ReadonlySet<string>,
  key: string,
  none: Fault,
): Promise<OnDisk | Fault> {
  const { compile } = await import("../compiler/compile.ts");
  const imports = new Map<string, string>();
  let whole = true;
  const { plan, diagnostics } = compile({
    files: found.files,
    resolveImport: (reference, from) => {
      const file = resolveImport(reference, from);
      if (file) imports.set(file.path, bytesDigest(file.bytes));
      else whole = false;
      return file;
    },
    trusted,
    // A broken policy of the project puts side effects to the human; any other closes the session.
    brokenProject: "ask",
    ...(found.problem && { unreadableProject: `${found.problem.code}: ${found.problem.message}` }),
    set: { ...set },
  });
  if (plan && whole) keep(state, key, plan, imports);
  const error = diagnostics.find(isError);
  if (plan) return { digest: plan.digest, imports: [...imports.keys()], plan: async () => plan };
  return error ? unusable(error) : none;
}

/** Everything that decides which plan comes out, apart from imports, which stand in the entry. */
function keyOf({ files, problem }: FoundPolicies, { set }: PlanSurroundings, trusted: ReadonlySet<string>): string {
  const read = files.map(({ path, scope, bytes }) => [path, scope ?? "user", bytesDigest(bytes)]);
  const made = [engineVersion, tableVersions, read, problem?.message ?? "", set, [...trusted].sort()];
  return digest(made).slice("sha256:".length);
}

/** A cache that cannot be written costs time, nothing else. */
function keep(state: string, key: string, plan: Plan, imports: ReadonlyMap<string, string>): void {
  try {
    const files: CachedImport[] = [...imports].map(([path, known]) => ({ path, digest: known }));
    cachePlan(state, key, plan, files);
  } catch {
    // The next process compiles again.
  }
}

function bytesDigest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function fileDigest(path: string): string | undefined {
  try {
    return bytesDigest(readFileSync(path));
  } catch {
    return undefined;
  }
}

function unusable(finding: Finding): Fault {
  return {
    code: "HW508",
    message: `the policy \`${finding.source}\` does not load (${finding.code}: ${finding.message})`,
    fix: finding.help,
  };
}
