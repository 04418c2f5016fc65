import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { installKey } from "./install-key.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/**
 * Decisions of a human outside the agent, as sealed files in the user's state folder: `hookwarden reload` and `hookwarden
 * approve --once` write them, adapters take them (semantics sections 4 and 5). Any process of the same user that can read the
 * install key can write one too. The built-in policy keeps tool calls away from them; no more than that is claimed.
 */
const digestForm = /^sha256:[0-9a-f]{64}$/;

/** True for a text that names a plan or a call here. */
export function isDigest(text: string): boolean {
  return digestForm.test(text);
}

function fileOf(state: string, folder: "reload" | "approvals", digest: string): string {
  return join(state, folder, `${digest.slice("sha256:".length)}.json`);
}

/** Records a human's request that running sessions continue with the plan of this digest. `time` is milliseconds since the epoch. */
export function requestReload(state: string, plan: string, time: number): void {
  if (!isDigest(plan)) throw new Error("a plan is named by its digest");
  writeSealed(fileOf(state, "reload", plan), "reload", { plan, time }, installKey(state));
}

/** True when a human asked for this plan at or after `since`; an older request was for another session. Never throws. */
export function reloadRequested(state: string, plan: string, since: number): boolean {
  if (!isDigest(plan)) return false;
  const request = sealed(state, fileOf(state, "reload", plan), "reload");
  return request?.["plan"] === plan && typeof request["time"] === "number" && request["time"] >= since;
}

/** Requests that are read where the plan is not known; more than a human makes while a session runs. */
const requestsLookedAt = 64;

/** True when a human asked for any plan at or after `since`. Never throws. */
export function anyReloadRequested(state: string, since: number): boolean {
  try {
    const names = readdirSync(join(state, "reload")).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
    const dated = names.map((name) => ({ name, time: statSync(join(state, "reload", name)).mtimeMs }));
    dated.sort((a, b) => b.time - a.time);
    return dated
      .slice(0, requestsLookedAt)
      .some(({ name }) => reloadRequested(state, `sha256:${name.slice(0, -".json".length)}`, since));
  } catch {
    return false;
  }
}

/** Records a human's one-time approval of the call with this key (`Question.key`). */
export function approveOnce(state: string, key: string, time: number): void {
  if (!isDigest(key)) throw new Error("a call is named by the key of its question");
  writeSealed(fileOf(state, "approvals", key), "approval", { key, time }, installKey(state));
}

/** Takes a one-time approval, if there is one; of several concurrent callers only one gets it. Never throws. */
export function takeApproval(state: string, key: string): boolean {
  if (!isDigest(key)) return false;
  const path = fileOf(state, "approvals", key);
  const taken = `${path}.${randomBytes(6).toString("hex")}.used`;
  try {
    renameSync(path, taken);
  } catch {
    return false;
  }
  const approval = sealed(state, taken, "approval");
  rmSync(taken, { force: true });
  return approval?.["key"] === key;
}

function sealed(state: string, path: string, kind: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // Only writers make a key, never readers.
    if (!existsSync(path)) return undefined;
    const found = readSealed(path, kind, installKey(state));
    const value = "value" in found ? found.value : undefined;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the name of a session's files; ids come from hosts and may be no valid file names. */
export function sessionName(session: string): string {
  return createHash("sha256").update(session).digest("hex");
}
