import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../engine/plan.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { sessionName } from "./human-decisions.ts";
import { installKey } from "./install-key.ts";
import { asksForLabels, knownToAsk } from "./path-labels.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/**
 * The plan of a session for hooks that are started anew for each event: pinned at the session's first event, it serves
 * until a human reloads (semantics section 4). One sealed file per session in the user's state folder.
 */
const kind = "plan";

/** The file in which a session's plan is pinned. */
export function pinFile(state: string, session: string): string {
  return join(state, "sessions", `${sessionName(session)}${ending}`);
}

const ending = ".plan.json";

const day = 86_400_000;

/** A session that was not touched for so long has ended, or begins anew with the plan that stands then. */
const keptFor = 30 * day;

/** Plans that are looked at when a new one is written: enough to go faster than they come, few enough for a hook. */
const lookedAt = 64;

/** The engine for regular expressions that a session began with, as records name it. */
export type RegexIdentity = Pick<RegexEngine, "name" | "version">;

/** What is pinned for a session: a plan, nothing yet, or something that cannot be used, which closes the session. */
export type Pinned =
  | { readonly kind: "plan"; readonly plan: Plan; readonly since: number; readonly regex: RegexIdentity | undefined }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly why: string };

/**
 * Pins a plan; `since` is when, in milliseconds since the epoch, `regex` what its patterns were checked with. Plans of sessions that nobody has touched for long go.
 * Throws when it cannot be written.
 */
export function pinPlan(state: string, session: string, plan: Plan, since: number, regex?: RegexIdentity): void {
  const identity = regex && { name: regex.name, version: regex.version };
  const value = { session, since, plan, regex: identity, labels: asksForLabels(plan) };
  writeSealed(pinFile(state, session), kind, value, installKey(state));
  prune(join(state, "sessions"), `${sessionName(session)}${ending}`, since);
}

/** The pinned plan of a session. Its seal and its session must fit; `verified` as for `readSealed`. Never throws. */
export function pinnedPlan(state: string, session: string, verified?: string): Pinned {
  let key: Buffer;
  try {
    if (!existsSync(pinFile(state, session))) return { kind: "none" };
    key = installKey(state);
  } catch (error) {
    return { kind: "unusable", why: error instanceof Error ? error.message : String(error) };
  }
  const found = readSealed(pinFile(state, session), kind, key, verified);
  if ("problem" in found)
    return found.problem === "absent"
      ? { kind: "none" }
      : { kind: "unusable", why: `the pinned plan of this session is ${found.problem}` };
  const value = found.value as PinnedValue;
  if (value.session !== session || typeof value.since !== "number" || !value.plan)
    return { kind: "unusable", why: "the pinned plan is another session's" };
  touch(pinFile(state, session));
  if (value.labels !== undefined) knownToAsk(value.plan, value.labels);
  return { kind: "plan", plan: value.plan, since: value.since, regex: value.regex };
}

/** What is sealed of a session. */
interface PinnedValue {
  readonly session?: unknown;
  readonly since?: unknown;
  readonly plan?: Plan;
  readonly regex?: RegexIdentity;
  /** Whether the plan asks for labels of files. */
  readonly labels?: boolean;
}

/** Forgets the plan of a session that has ended. */
export function unpinPlan(state: string, session: string): void {
  rmSync(pinFile(state, session), { force: true });
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
      for (const more of [".change", ".seen"]) rmSync(`${path.slice(0, -ending.length)}${more}`, { force: true });
    }
  } catch {
    // What stays costs room and nothing else.
  }
}
