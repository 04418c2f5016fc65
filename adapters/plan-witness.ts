import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultRoots } from "../store/discover.ts";
import { policyEntries } from "../store/folder-entries.ts";
import { packFile } from "../store/packs.ts";
import { trustFile } from "../store/trust.ts";
import type { PlanPlaces } from "./one-shot/plans.ts";
import { foldersOf } from "./project-folder.ts";

/**
 * By what a process knows that policies on disk are still what they were when it last read them: what every file and folder
 * is that could have a say in which plan comes out, those that are not there among them.
 */
export type Witness = ReadonlyMap<string, string>;

/** Milliseconds that a change must be past: file systems tell times apart by some milliseconds, and clocks differ. */
const settledFor = 2_000;

/** Looks at what decides over a plan, `more` besides; undefined where something was changed just now. */
export function witnessOf(places: PlanPlaces, more: readonly string[], now: number): Witness | undefined {
  return witnessOfPaths([...placesOf(places), ...more], now);
}

/** The same of paths that the caller knows to decide over a plan. */
export function witnessOfPaths(paths: Iterable<string>, now: number): Witness | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const found = identity(path);
    if (found.changed > now - settledFor) return undefined;
    seen.set(path, found.is);
  }
  return seen;
}

/** True if all is as it was. */
export function holds(witness: Witness): boolean {
  for (const [path, is] of witness) if (identity(path).is !== is) return false;
  return true;
}

/** Links are followed: where one leads elsewhere now, that is another file. */
function identity(path: string): { readonly is: string; readonly changed: number } {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return { is: "none", changed: 0 };
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stat;
    return { is: [dev, ino, size, mtimeNs, ctimeNs].join(" "), changed: Number(ctimeMs) };
  } catch (fault) {
    return { is: `none: ${(fault as NodeJS.ErrnoException).code ?? ""}`, changed: 0 };
  }
}

function* placesOf({ policies, cwd, project, home, state }: PlanPlaces): Generator<string> {
  yield trustFile(state);
  yield* usualPlaces(cwd, project, home);
  yield* placesNamed(policies, cwd);
}

/** Paths that decide over which policies stand in the usual locations. */
export function* usualPlaces(cwd: string, project: PlanPlaces["project"], home?: string): Generator<string> {
  const { managed, user } = defaultRoots(cwd, home);
  for (const root of [managed, user, ...projectRoots(project)]) yield* within(root);
}

/** Paths that decide over which policies these arguments name: packs, files and folders. */
export function* placesNamed(policies: readonly string[], cwd: string): Generator<string> {
  for (const policy of policies) {
    if (policy.startsWith("pack:")) yield packFile(policy.slice("pack:".length)) ?? policy;
    else yield* within(resolve(cwd, policy));
  }
}

/** Every folder of policies that the project could have, from where the agent works upwards. */
function* projectRoots({ cwd, workspace }: PlanPlaces["project"]): Generator<string> {
  for (const folder of foldersOf({ cwd, workspace }) ?? []) yield join(folder, ".hookwarden");
  yield join(workspace, ".hookwarden");
}

/**
 * A folder, what stands in it, and the policies one level down; or a file. Of a folder that holds more than is looked at
 * for policies nothing is used, and that it holds so much shows in its own times.
 */
function* within(path: string): Generator<string> {
  yield path;
  for (const name of namesIn(path)) {
    const inner = join(path, name);
    yield inner;
    yield join(inner, "policy.yaml");
    yield join(inner, "policy.yml");
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return policyEntries(folder)?.map(({ name }) => name) ?? [];
  } catch {
    return [];
  }
}
