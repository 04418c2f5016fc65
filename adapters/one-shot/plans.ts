import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRegexEngine, digest, type Engine, tableVersions } from "../../runtime.ts";
import { engineVersion } from "../../schema/version.ts";
import {
  type DiscoveredFile,
  type Discovery,
  defaultRoots,
  discoverPolicies,
  discoverRoots,
  resolveImport,
} from "../../store/discover.ts";
import { reloadRequested } from "../../store/human-decisions.ts";
import { pinnedPlan, pinPlan, type RegexIdentity } from "../../store/pinned-plan.ts";
import { type CachedImport, cachedPlan, cachePlan } from "../../store/plan-cache.ts";
import { trustedDigests } from "../../store/trust.ts";
import { type Fault, internalFault } from "../pi/denial.ts";
import type { PlanChange } from "../pi/pinned-plans.ts";
import { projectFolder } from "../project-folder.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Where a hook finds its policies. */
export interface PlanPlaces {
  /** What `install` wrote on the command line, user scope: files, folders, `pack:<name>`. */
  readonly policies: readonly string[];
  /** Values of policy parameters, as `--set`. */
  readonly set: Readonly<Record<string, string>>;
  /** Folder that the hook was started in: relative paths are found there. */
  readonly cwd: string;
  /** Where the agent works, and the root of its repository: the project's policy is at or above the one, within the other. */
  readonly project: { readonly cwd: string; readonly workspace: string };
  readonly home: string;
  /** The user's state folder. */
  readonly state: string;
}

/** The plan that judges a session's event, and what became of a change on disk since the session began. */
export interface SessionPlan {
  readonly plan: Plan;
  /** The engine for regular expressions that the session began with; undefined where there is no session. */
  readonly regex?: RegexIdentity;
  readonly change?: PlanChange;
}

/** The fault of a hook that is installed but has nothing to go by. */
const noPolicy: Fault = {
  code: "HW012",
  message: "hookwarden is installed but no policy was found",
  fix: "put a policy into ~/.config/hookwarden/ or .hookwarden/, or take the hook out of the agent's settings",
};

/**
 * The plan that a session is pinned to since its first event, or, at that, the one that stands on disk (semantics section
 * 4). A change on disk serves new sessions, and a running one once a human has said `hookwarden reload`. Never rejects.
 */
export async function planOf(
  places: PlanPlaces,
  session: string,
  now: number,
  memory?: PlanMemory,
): Promise<SessionPlan | Fault> {
  try {
    const pinned =
      session === ""
        ? ({ kind: "none" } as const)
        : memory
          ? memory.pinned(places.state, session)
          : pinnedPlan(places.state, session);
    if (pinned.kind === "unusable")
      return { code: "HW508", message: pinned.why, fix: "begin a new session of the agent" };
    const found = await (memory ? memory.onDisk(places, session, now, () => planOnDisk(places)) : planOnDisk(places));
    if (pinned.kind === "none") {
      if ("code" in found) return found;
      return pinnedNow(places, session, await found.plan(), now);
    }
    const { plan, since } = pinned;
    const serving = { plan, ...(pinned.regex && { regex: pinned.regex }) };
    if ("code" in found) {
      const why = `${found.code}: ${found.message}`;
      return { ...serving, change: { kind: "reload_pending", pinned: plan.digest, why } };
    }
    if (found.digest === plan.digest) return serving;
    const change = { pinned: plan.digest, found: found.digest };
    if (!reloadRequested(places.state, found.digest, since))
      return { ...serving, change: { kind: "reload_pending", ...change } };
    return { ...pinnedNow(places, session, await found.plan(), now), change: { kind: "reloaded", ...change } };
  } catch (error) {
    const { message } = internalFault(error);
    return { code: "HW508", message: `policies cannot be loaded: ${message}`, fix: "run `hookwarden check` on them" };
  }
}

function pinnedNow({ state }: PlanPlaces, session: string, plan: Plan, now: number): SessionPlan {
  if (session === "") return { plan };
  const { name, version } = createRegexEngine();
  pinPlan(state, session, plan, now, { name, version });
  return { plan, regex: { name, version } };
}

interface Found {
  readonly files: readonly DiscoveredFile[];
  readonly broken: Discovery["diagnostics"][number] | undefined;
  /** Why the project's own policies cannot be read. */
  readonly problem: Discovery["diagnostics"][number] | undefined;
}

function isError({ severity }: Discovery["diagnostics"][number]): boolean {
  return severity === "error";
}

function findFiles(places: PlanPlaces): Found {
  const { managed, user } = defaultRoots(places.cwd, places.home);
  const named = discoverPolicies(places.policies, places.cwd, "user");
  const usual = discoverRoots({ managed, user }, places.cwd);
  const folder = projectFolder(places.project);
  const own = discoverRoots({ project: join(folder, ".hookwarden") }, folder);
  const problem = own.diagnostics.find(isError);
  const files = new Map<string, DiscoveredFile>();
  for (const file of [...usual.files, ...named.files, ...(problem ? [] : own.files)])
    if (!files.has(file.path)) files.set(file.path, file);
  return { files: [...files.values()], broken: [...usual.diagnostics, ...named.diagnostics].find(isError), problem };
}

/** The plan that the files on disk give: its digest, the files besides policies that it is made from, and itself when it is asked for. */
export interface OnDisk {
  readonly digest: string;
  readonly imports: readonly string[];
  plan(): Promise<Plan>;
}

/** Reads the policies on disk, and compiles them where that was not done before. */
export type ReadPlan = () => Promise<OnDisk | Fault>;

/** What is known of plans from earlier hooks, as long as nothing of it has changed on disk. */
export interface PlanMemory {
  pinned: typeof pinnedPlan;
  onDisk(places: PlanPlaces, session: string, now: number, read: ReadPlan): Promise<OnDisk | Fault>;
}

async function planOnDisk(places: PlanPlaces): Promise<OnDisk | Fault> {
  const found = findFiles(places);
  if (found.broken) return unusable(found.broken);
  if (found.files.length === 0 && !found.problem) return noPolicy;
  const trusted = trustedDigests(places.state);
  const key = keyOf(found, places, trusted);
  const cached = cachedPlan(places.state, key);
  if (!cached?.imports.every(({ path, digest: known }) => fileDigest(path) === known))
    return compiled(places, found, trusted, key);
  const plan = async (): Promise<Plan> => {
    const known = cached.plan();
    if (known) return known;
    const made = await compiled(places, found, trusted, key);
    if ("code" in made) throw new Error(made.message);
    return made.plan();
  };
  return { digest: cached.digest, imports: cached.imports.map(({ path }) => path), plan };
}

/** Compiles the files, and keeps the plan for the next hook. */
async function compiled(
  { state, set }: PlanPlaces,
  found: Found,
  trusted: ReadonlySet<string>,
  key: string,
): Promise<OnDisk | Fault> {
  const { compile } = await import("../../compiler/compile.ts");
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
  return error ? unusable(error) : noPolicy;
}

/** Everything that decides which plan comes out, apart from imports, which stand in the entry. */
function keyOf({ files, problem }: Found, { set }: PlanPlaces, trusted: ReadonlySet<string>): string {
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
    // The next hook compiles again.
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

function unusable(finding: Discovery["diagnostics"][number]): Fault {
  return {
    code: "HW508",
    message: `the policy \`${finding.source}\` does not load (${finding.code}: ${finding.message})`,
    fix: finding.help,
  };
}
