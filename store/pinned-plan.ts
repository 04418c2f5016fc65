import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { digest } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { sessionName } from "./human-decisions.ts";
import { installKey } from "./install-key.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/**
 * The plan of a session for hooks that are started anew for each event: pinned at the session's first event, it serves
 * until a human reloads (semantics section 4). One sealed file per session in the user's state folder.
 */
const kind = "plan";

function fileOf(state: string, session: string): string {
  return join(state, "sessions", `${sessionName(session)}${ending}`);
}

const ending = ".plan.json";

const day = 86_400_000;

/** A session that was not touched for so long has ended, or begins anew with the plan that stands then. */
const keptFor = 30 * day;

/** Plans that are looked at when a new one is written: enough to go faster than they come, few enough for a hook. */
const lookedAt = 64;

/** What is pinned for a session: a plan, nothing yet, or something that cannot be used, which closes the session. */
export type Pinned =
  | { readonly kind: "plan"; readonly plan: Plan; readonly since: number }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly why: string };

/**
 * Pins a plan; `since` is when, in milliseconds since the epoch. Plans of sessions that nobody has touched for long go.
 * Throws when it cannot be written.
 */
export function pinPlan(state: string, session: string, plan: Plan, since: number): void {
  writeSealed(fileOf(state, session), kind, { session, since, plan }, installKey(state));
  prune(join(state, "sessions"), `${sessionName(session)}${ending}`, since);
}

/** The pinned plan of a session. Its seal, its session and its digest must all fit. Never throws. */
export function pinnedPlan(state: string, session: string): Pinned {
  let key: Buffer;
  try {
    if (!existsSync(fileOf(state, session))) return { kind: "none" };
    key = installKey(state);
  } catch (error) {
    return { kind: "unusable", why: error instanceof Error ? error.message : String(error) };
  }
  const found = readSealed(fileOf(state, session), kind, key);
  if ("problem" in found)
    return found.problem === "absent"
      ? { kind: "none" }
      : { kind: "unusable", why: `the pinned plan of this session is ${found.problem}` };
  const value = found.value as { session?: unknown; since?: unknown; plan?: Plan };
  if (value.session !== session || typeof value.since !== "number" || !value.plan)
    return { kind: "unusable", why: "the pinned plan is another session's" };
  const { digest: claimed, ...rest } = value.plan;
  if (digest(rest) !== claimed) return { kind: "unusable", why: "the pinned plan was changed" };
  touch(fileOf(state, session));
  return { kind: "plan", plan: value.plan, since: value.since };
}

/** Forgets the plan of a session that has ended. */
export function unpinPlan(state: string, session: string): void {
  rmSync(fileOf(state, session), { force: true });
}

/** Says that the session is in use; once a day is enough. */
function touch(path: string): void {
  try {
    const now = Date.now();
    if (now - statSync(path).mtimeMs > day) utimesSync(path, now / 1_000, now / 1_000);
  } catch {
    // A plan that cannot be touched may go too early; the session is then pinned anew.
  }
}

/**
 * Removes old plans, and what was last told of their sessions. Names are digests, so that those behind the new one are as
 * good as drawn by lot, and each old one is found before long.
 */
function prune(folder: string, own: string, now: number): void {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(ending));
    const behind = [...names.filter((name) => name > own).sort(), ...names.filter((name) => name < own).sort()];
    for (const name of behind.slice(0, lookedAt)) {
      const path = join(folder, name);
      if (now - statSync(path).mtimeMs <= keptFor) continue;
      rmSync(path, { force: true });
      rmSync(`${path.slice(0, -ending.length)}.change`, { force: true });
    }
  } catch {
    // What stays costs room and nothing else.
  }
}
