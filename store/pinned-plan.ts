import { existsSync, rmSync } from "node:fs";
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
  return join(state, "sessions", `${sessionName(session)}.plan.json`);
}

/** What is pinned for a session: a plan, nothing yet, or something that cannot be used, which closes the session. */
export type Pinned =
  | { readonly kind: "plan"; readonly plan: Plan; readonly since: number }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly why: string };

/** Pins a plan; `since` is when, in milliseconds since the epoch. Throws when it cannot be written. */
export function pinPlan(state: string, session: string, plan: Plan, since: number): void {
  writeSealed(fileOf(state, session), kind, { session, since, plan }, installKey(state));
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
  return { kind: "plan", plan: value.plan, since: value.since };
}

/** Forgets the plan of a session that has ended. */
export function unpinPlan(state: string, session: string): void {
  rmSync(fileOf(state, session), { force: true });
}
