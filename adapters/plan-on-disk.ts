import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { digest, type Engine, tableVersions } from "../runtime.ts";
import { engineVersion } from "../schema/version.ts";
import { type DiscoveredFile, type Discovery, resolveImport } from "../store/discover.ts";
import { type CachedImport, type CachedPlan, cachedPlan, cachePlan, claimPlan } from "../store/plan-cache.ts";
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
  /** Milliseconds for which another process that compiles the same files is waited for. */
  readonly patience?: number;
}

/** For that long another process is waited for, where nobody says otherwise: the largest packs take a tenth of it. */
const usualPatience = 5_000;

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
  const usable = (): CachedPlan | undefined => {
    const cached = cachedPlan(around.state, key);
    return cached?.imports.every(({ path, digest: known }) => fileDigest(path) === known) ? cached : undefined;
  };
  const compile = (): Promise<OnDisk | Fault> =>
    once(
      around,
      key,
      () => readNow(usable()),
      () => compiled(around, found, trusted, key, none),
    );
  const cached = usable();
  if (!cached) return compile();
  const plan = async (): Promise<Plan> => {
    const known = cached.plan();
    if (known) return known;
    const made = await compile();
    if ("code" in made) throw new Error(made.message);
    return made.plan();
  };
  return { digest: cached.digest, imports: cached.imports.map(({ path }) => path), plan };
}

/** An entry of the cache with its plan; undefined where that does not verify. */
function readNow(cached: CachedPlan | undefined): OnDisk | undefined {
  const plan = cached?.plan();
  return (
    cached &&
    plan &&
    onDisk(
      plan,
      cached.imports.map(({ path }) => path),
    )
  );
}

function onDisk(plan: Plan, imports: readonly string[]): OnDisk {
  return { digest: plan.digest, imports, plan: async () => plan };
}

/** What this process compiles at the moment, by where it will be kept. */
const compiling = new Map<string, Promise<OnDisk | Fault>>();

/**
 * Compiles what nobody else is compiling: hooks that begin at once would take as many times as long, all of them, and be
 * late for their hosts. Who waited takes what the other one kept; who waited for too long compiles for itself.
 */
async function once(
  { state, patience = usualPatience }: PlanSurroundings,
  key: string,
  kept: () => OnDisk | undefined,
  compile: () => Promise<OnDisk | Fault>,
): Promise<OnDisk | Fault> {
  const name = `${state}\n${key}`;
  const running = compiling.get(name);
  if (running) return running;
  const made = (async () => {
    const release = claimPlan(state, key, patience);
    try {
      return kept() ?? (await compile());
    } finally {
      release();
    }
  })();
  compiling.set(name, made);
  try {
    return await made;
  } finally {
    compiling.delete(name);
  }
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
  if (plan) return onDisk(plan, [...imports.keys()]);
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
