import { createHmac, timingSafeEqual } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Plan } from "../engine/plan.ts";
import { limits } from "../schema/limits.ts";
import { installKey } from "./install-key.ts";
import { ownFolder, readOwn, writeOwn } from "./session-file.ts";

/**
 * Compiled plans of this user, so that a hook, which is a new process for each event, compiles nothing (semantics section
 * 5, "Plan cache"). An entry is found by what it was made from, and carries a MAC with the install key over all its bytes;
 * one that does not verify counts as not there. Whoever runs as the same user can read the key: against such an attacker
 * the MAC does not help.
 */

/** A file that a plan was made from besides those that its key is about: an import, and the digest of its bytes. */
export interface CachedImport {
  readonly path: string;
  readonly digest: string;
}

/** A plan from the cache. It may be used only if every import still has the digest that it had. */
export interface CachedPlan {
  readonly plan: Plan;
  readonly imports: readonly CachedImport[];
}

/** Entries that are kept; of more, those written longest ago are removed. */
const kept = 64;

function folderIn(state: string): string {
  return join(state, "plans");
}

/** The plan under a key, as hex digits. Undefined when there is none that verifies. Never throws. */
export function cachedPlan(state: string, key: string): CachedPlan | undefined {
  try {
    const bytes = readOwn(join(folderIn(state), `${key}.json`), limits.snapshotBytes);
    const end = bytes?.indexOf(10) ?? -1;
    if (!bytes || end !== macDigits) return undefined;
    const given = bytes.subarray(0, end);
    const text = bytes.subarray(end + 1);
    if (!timingSafeEqual(given, Buffer.from(macOf(state, text)))) return undefined;
    const entry = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8")) as Entry;
    return entry.key === key ? { plan: entry.plan, imports: entry.imports } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a plan. Throws what the file system throws. */
export function cachePlan(state: string, key: string, { plan, imports }: CachedPlan): void {
  const folder = folderIn(state);
  ownFolder(folder);
  const text = JSON.stringify({ key, imports, plan } satisfies Entry);
  writeOwn(join(folder, `${key}.json`), `${macOf(state, text)}\n${text}`, false);
  prune(folder);
}

interface Entry extends CachedPlan {
  readonly key: string;
}

const macDigits = 64;

function macOf(state: string, text: string | Uint8Array): string {
  return createHmac("sha256", installKey(state)).update("hookwarden-plan-cache-v1\n").update(text).digest("hex");
}

function prune(folder: string): void {
  const entries = readdirSync(folder).filter((name) => name.endsWith(".json"));
  if (entries.length <= kept) return;
  const dated = entries.flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat ? [{ name, time: stat.mtimeMs }] : [];
  });
  dated.sort((a, b) => b.time - a.time);
  for (const { name } of dated.slice(kept)) rmSync(join(folder, name), { force: true });
}
