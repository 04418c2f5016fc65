import { createRegexEngine, type Engine, type StoredNeeds, storedNeeds } from "../../runtime.ts";
import { type DiscoveredFile, defaultRoots, discoverPolicies, discoverRoots } from "../../store/discover.ts";
import { anyReloadRequested, reloadRequested } from "../../store/human-decisions.ts";
import { claimPin, type Pinned, pinnedPlan, pinPlan, type RegexIdentity } from "../../store/pinned-plan.ts";
import { trustedDigests } from "../../store/trust.ts";
import { type Fault, internalFault, noPolicy } from "../pi/denial.ts";
import type { PlanChange } from "../pi/pinned-plans.ts";
import { type FoundPolicies, importsHold, isError, type OnDisk, policiesOnDisk } from "../plan-on-disk.ts";
import { projectPolicies } from "../project-folder.ts";

export type { OnDisk } from "../plan-on-disk.ts";

type Plan = NonNullable<Engine["plan"]>;

/** Where a hook finds its policies. */
export interface PlanPlaces {
  /** Policies on the command line that `install` wrote, user scope: files, folders, `pack:<name>`. */
  readonly policies: readonly string[];
  /** Values of policy parameters, as `--set`. */
  readonly set: Readonly<Record<string, string>>;
  /** Folder that the hook was started in; relative paths start there. */
  readonly cwd: string;
  /** The agent's folder and the root of its repository. The project's policy is at or above the folder, within the repository. */
  readonly project: { readonly cwd: string; readonly workspace: string };
  readonly home: string;
  /** The user's state folder. */
  readonly state: string;
  /** Milliseconds to wait for another process that compiles the same files. */
  readonly patience?: number;
}

/** The plan that judges a session's event, and any change on disk since the session began. */
export interface SessionPlan {
  readonly plan: Plan;
  /** The regular-expression engine that the session began with; undefined without a session. */
  readonly regex?: RegexIdentity;
  /** Needs of the plan's rules, if they were derived before. */
  readonly needs?: StoredNeeds;
  readonly change?: PlanChange;
}

/**
 * Returns the plan that a session is pinned to since its first event; for the first event, the plan on disk (semantics section
 * 4). A change on disk applies to new sessions, and to a running one after a human's `hookwarden reload`. Never rejects.
 */
export async function planOf(
  places: PlanPlaces,
  session: string,
  now: number,
  memory?: PlanMemory,
): Promise<SessionPlan | Fault> {
  try {
    const look = (): Pinned => {
      if (session === "") return { kind: "none" };
      return memory ? memory.pinned(places.state, session) : pinnedPlan(places.state, session);
    };
    const pinned = look();
    if (pinned.kind === "unusable") return unusable(pinned);
    const found = await (memory ? memory.onDisk(places, session, now, () => planOnDisk(places)) : planOnDisk(places));
    if (pinned.kind === "plan") return await serving(places, session, pinned, found, now);
    if ("code" in found) return found;
    if (session === "") return unpinned(await found.plan());
    return await begun(places, session, look, found, now);
  } catch (error) {
    const { message } = internalFault(error);
    const fix = "ask the human to run `hookwarden check` on them";
    return { code: "HW508", message: `policies cannot be loaded: ${message}`, fix };
  }
}

/** Pins the plan on disk, unless another hook has pinned the session meanwhile: agents start many hooks at once. */
async function begun(
  places: PlanPlaces,
  session: string,
  look: () => Pinned,
  found: OnDisk,
  now: number,
): Promise<SessionPlan | Fault> {
  const plan = await found.plan();
  if ("code" in plan) return plan;
  const end = claimPin(places.state, session, places.patience ?? 0);
  try {
    const pinned = look();
    if (pinned.kind === "none") return pinnedNow(places, session, plan, now, found);
    return pinned.kind === "plan" ? await serving(places, session, pinned, found, now) : unusable(pinned);
  } finally {
    end();
  }
}

function unpinned(plan: Plan | Fault): SessionPlan | Fault {
  return "code" in plan ? plan : { plan };
}

/**
 * Returns the plan that judges a pinned session, and any change of the policies on disk since. Nothing is compiled for it
 * until a human requests a reload: changes on disk, as in a repository that its agent writes, must not delay it.
 */
async function serving(
  places: PlanPlaces,
  session: string,
  pinned: PinnedPlan,
  found: OnDisk | Fault,
  now: number,
): Promise<SessionPlan> {
  const { plan, since, regex, needs } = pinned;
  const served = { plan, ...(regex && { regex }), ...(needs && { needs }) };
  const pending = (rest: Omit<PlanChange, "kind" | "pinned">): SessionPlan => ({
    ...served,
    change: { kind: "reload_pending", pinned: plan.digest, ...rest },
  });
  const fault = "code" in found ? found : found.none;
  if (fault) return pending({ why: `${fault.code}: ${fault.message}` });
  const onDisk = found as OnDisk;
  if (isUnchanged(places, pinned, onDisk)) return served;
  const wanted = onDisk.digest ?? (await compiledDigest(places, pinned, onDisk));
  if (wanted === undefined) return pending({ policies: onDisk.policies });
  if (typeof wanted !== "string") return pending({ why: `${wanted.code}: ${wanted.message}` });
  if (wanted === plan.digest) return served;
  if (!reloadRequested(places.state, wanted, since)) return pending({ found: wanted });
  const next = await onDisk.plan();
  if ("code" in next) return pending({ why: `${next.code}: ${next.message}` });
  const change = { kind: "reloaded", pinned: plan.digest, found: next.digest } as const;
  return { ...pinnedNow(places, session, next, now, onDisk), change };
}

/** True if the session's plan was made from the policies on disk, as far as this shows without compiling. */
function isUnchanged({ state }: PlanPlaces, { plan, made }: PinnedPlan, found: OnDisk): boolean {
  if (found.digest !== undefined) return found.digest === plan.digest;
  return made?.policies === found.policies && importsHold(made.imports, trustedDigests(state));
}

/** Compiles the policies on disk if a human requested any reload, and returns the plan's digest; otherwise undefined. */
async function compiledDigest(
  { state }: PlanPlaces,
  { since }: PinnedPlan,
  found: OnDisk,
): Promise<string | Fault | undefined> {
  if (!anyReloadRequested(state, since)) return undefined;
  const plan = await found.plan();
  return "code" in plan ? plan : plan.digest;
}

type PinnedPlan = Extract<Pinned, { kind: "plan" }>;

function unusable({ why }: Extract<Pinned, { kind: "unusable" }>): Fault {
  return { code: "HW508", message: why, fix: "ask the human to begin a new session of the agent" };
}

function pinnedNow({ state }: PlanPlaces, session: string, plan: Plan, now: number, from: OnDisk): SessionPlan {
  const engine = createRegexEngine();
  const regex = { name: engine.name, version: engine.version };
  const needs = storedNeeds(plan, engine);
  pinPlan(state, session, plan, now, { regex, needs, made: from.made() });
  return { plan, regex, needs };
}

function findFiles(places: PlanPlaces): FoundPolicies {
  const { managed, user } = defaultRoots(places.cwd, places.home);
  const named = discoverPolicies(places.policies, places.cwd, "user");
  const usual = discoverRoots({ managed, user }, places.cwd);
  const own = projectPolicies(places.project);
  const problem = own.diagnostics.find(isError);
  const files = new Map<string, DiscoveredFile>();
  for (const file of [...usual.files, ...named.files, ...(problem ? [] : own.files)])
    if (!files.has(file.path)) files.set(file.path, file);
  return { files: [...files.values()], broken: [...usual.diagnostics, ...named.diagnostics].find(isError), problem };
}

/** Reads the policies on disk, and compiles them if they were not compiled before. */
export type ReadPlan = () => Promise<OnDisk | Fault>;

/** Memory of plans from earlier hooks, valid while their files on disk are unchanged. */
export interface PlanMemory {
  pinned: typeof pinnedPlan;
  onDisk(places: PlanPlaces, session: string, now: number, read: ReadPlan): Promise<OnDisk | Fault>;
}

async function planOnDisk(places: PlanPlaces): Promise<OnDisk | Fault> {
  return policiesOnDisk(findFiles(places), places, noPolicy);
}
