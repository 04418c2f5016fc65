import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultRoots } from "../store/discover.ts";
import { policyEntries } from "../store/folder-entries.ts";
import { packFile } from "../store/packs.ts";
import { trustFile } from "../store/trust.ts";
import type { PlanPlaces } from "./one-shot/plans.ts";
import { foldersOf } from "./project-folder.ts";

/**
 * Proof that policies on disk are unchanged since a process last read them: the identity of every file and folder that could
 * affect the plan, including those that do not exist.
 */
export type Witness = ReadonlyMap<string, string>;

/** Minimum age of a change, in milliseconds: file systems round times to some milliseconds, and clocks differ. */
const settledFor = 2_000;

/** Records the state of the paths that affect a plan, and of `more`; undefined if something changed just now. */
export function witnessOf(places: PlanPlaces, more: readonly string[], now: number): Witness | undefined {
  return witnessOfPaths([...placesOf(places), ...more], now);
}

/** Like `witnessOf`, for paths that the caller knows to affect a plan. */
export function witnessOfPaths(paths: Iterable<string>, now: number): Witness | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const found = identity(path);
    if (found.changed > now - settledFor) return undefined;
    seen.set(path, found.is);
  }
  return seen;
}

/** True if everything is unchanged. */
export function holds(witness: Witness): boolean {
  for (const [path, is] of witness) if (identity(path).is !== is) return false;
  return true;
}

/** Returns the identity of a path. Links are followed: a link with a new target is another file. */
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

/** Yields the paths that decide which policies are in the usual locations. */
export function* usualPlaces(cwd: string, project: PlanPlaces["project"], home?: string): Generator<string> {
  const { managed, user } = defaultRoots(cwd, home);
  for (const root of [managed, user, ...projectRoots(project)]) yield* within(root);
}

/** Yields the paths that decide which policies these arguments name: packs, files and folders. */
export function* placesNamed(policies: readonly string[], cwd: string): Generator<string> {
  for (const policy of policies) {
    if (policy.startsWith("pack:")) yield packFile(policy.slice("pack:".length)) ?? policy;
    else yield* within(resolve(cwd, policy));
  }
}

/** Yields every folder of policies that the project could have, from the working folder upwards. */
function* projectRoots({ cwd, workspace }: PlanPlaces["project"]): Generator<string> {
  for (const folder of foldersOf({ cwd, workspace }) ?? []) yield join(folder, ".hookwarden");
  yield join(workspace, ".hookwarden");
}

/**
 * Yields a folder, its entries, and the policies one level down; or a file. A folder with more entries than are searched for
 * policies is not used at all, and its own times show a change of that.
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
