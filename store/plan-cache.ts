import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { limits } from "../schema/limits.ts";
import { installKey } from "./install-key.ts";
import { claim, isAbandoned, ownName } from "./lock.ts";
import { ownFolder, readOwn, writeOwn } from "./session-file.ts";

/**
 * Compiled plans of this user, so that a hook, which is a new process for each event, compiles nothing (semantics section 5,
 * "Plan cache"). An entry is found by its sources, and carries a MAC with the install key over all its bytes; one that does not
 * verify counts as missing. Any process of the same user can read the key: the MAC does not help against such an attacker.
 */

/** A source file of a plan that its key does not cover: an import. */
export interface CachedImport {
  readonly path: string;
  /** Name of the shipped pack that it is: another installation has it at another path. */
  readonly pack?: string;
  /** Digest of its bytes; undefined if it could not be used; `wanted` and `from` then say which file was meant. */
  readonly digest?: string;
  /** True where a human had trusted its bytes. */
  readonly trusted?: boolean;
  readonly wanted?: { readonly pack?: string; readonly file?: string };
  readonly from?: { readonly name: string; readonly path: string };
}

/** The reason why some policies have no plan. It is cached too, so that the next process need not compile again. */
export interface NoPlan {
  readonly message: string;
  readonly fix: string;
}

/** A plan with the data that later added policies need; plain JSON. */
export interface KeptPlan {
  readonly plan: Plan;
  readonly outline?: unknown;
}

/** A plan from the cache, or why there is none. It may be used only if every import is unchanged. */
export interface CachedPlan {
  /** The plan's own digest, the only field that a session with a pinned plan needs; empty where there is no plan. */
  readonly digest: string;
  readonly imports: readonly CachedImport[];
  readonly none?: NoPlan;
  /** Reads the plan. Undefined if it is not the plan of the entry. Never throws. */
  plan(): KeptPlan | undefined;
}

/** Entries that are kept; of more, those written longest ago are removed. */
const kept = 64;

function folderIn(state: string): string {
  return join(state, "plans");
}

/** Returns the plan under a key of hex digits; undefined if there is none that verifies. Never throws. */
export function cachedPlan(state: string, key: string): CachedPlan | undefined {
  try {
    const path = join(folderIn(state), `${key}.json`);
    const text = readOwn(path, headBytes);
    const end = text?.indexOf(10) ?? -1;
    if (!text || end !== macDigits) return undefined;
    const head = text.subarray(end + 1);
    if (!timingSafeEqual(text.subarray(0, end), Buffer.from(macOf(state, head)))) return undefined;
    const entry = JSON.parse(Buffer.from(head).toString("utf8")) as Entry;
    if (entry.key !== key) return undefined;
    const { digest, imports, none } = entry;
    return { digest, imports, ...(none && { none }), plan: () => planOf(state, entry) };
  } catch {
    return undefined;
  }
}

/** Caches a plan, or the reason why there is none. Throws the errors of the file system. */
export function cachePlan(state: string, key: string, made: KeptPlan | NoPlan, imports: readonly CachedImport[]): void {
  const folder = folderIn(state);
  ownFolder(folder);
  if (!("plan" in made)) {
    writeHead(state, { key, digest: "", imports, text: "", none: made });
  } else {
    const text = JSON.stringify(made);
    const entry: Entry = { key, digest: made.plan.digest, imports, text: sha256(text) };
    // The head names the text by its digest, so that in any order of writes a head has its own text or none.
    writeOwn(textFile(folder, entry), text, false);
    writeHead(state, entry);
  }
  prune(folder);
}

function writeHead(state: string, entry: Entry): void {
  const head = JSON.stringify(entry);
  writeOwn(join(folderIn(state), `${entry.key}.json`), `${macOf(state, head)}\n${head}`, false);
}

/**
 * Waits for as long as another process makes the plan of a key, at most `patience` milliseconds, and returns the function that
 * ends this process's claim. Never throws.
 */
export function claimPlan(state: string, key: string, patience: number): () => void {
  return claim(join(folderIn(state), `${key}.lock`), patience);
}

/** Attempts whose process ended before the plan was made, after which no hook tries again. */
const enough = 2;
const attemptEnding = ".attempt";

/**
 * Begins an attempt at the plan of a key: `end` is called when it is made, or cannot be. `isHopeless` says that earlier
 * attempts were ended by the processes that waited for them: the next one would be too. Never throws.
 */
export function attemptPlan(state: string, key: string): { readonly isHopeless: boolean; end(): void } {
  const folder = folderIn(state);
  const mine = join(folder, `${key}.${randomBytes(6).toString("hex")}${attemptEnding}`);
  try {
    ownFolder(folder);
    const others = readdirSync(folder).filter((name) => name.startsWith(`${key}.`) && name.endsWith(attemptEnding));
    const left = others.filter((name) => isAbandoned(join(folder, name)));
    if (left.length >= enough) return { isHopeless: true, end: () => {} };
    writeOwn(mine, ownName(), false);
    const end = (): void => {
      for (const path of [mine, ...left.map((name) => join(folder, name))]) rmSync(path, { force: true });
    };
    return { isHopeless: false, end: () => quietly(end) };
  } catch {
    // If nothing can be stored, other attempts are unknown.
    return { isHopeless: false, end: () => quietly(() => rmSync(mine, { force: true })) };
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It only costs the next process time.
  }
}

/** Head of an entry, under the MAC; separate because most events need no more of it. */
interface Entry {
  readonly key: string;
  readonly digest: string;
  readonly imports: readonly CachedImport[];
  /** Digest of the plan's text. */
  readonly text: string;
  readonly none?: NoPlan;
}

/** Most bytes of a head. */
const headBytes = 1_048_576;
const macDigits = 64;

function textFile(folder: string, { text }: Entry): string {
  return join(folder, `${text.slice("sha256:".length)}.plan`);
}

function planOf(state: string, entry: Entry): KeptPlan | undefined {
  if (entry.none) return undefined;
  try {
    const bytes = readOwn(textFile(folderIn(state), entry), limits.snapshotBytes);
    const text = bytes && Buffer.from(bytes).toString("utf8");
    return text !== undefined && sha256(text) === entry.text ? (JSON.parse(text) as KeptPlan) : undefined;
  } catch {
    return undefined;
  }
}

function macOf(state: string, text: string | Uint8Array): string {
  return createHmac("sha256", installKey(state)).update("hookwarden-plan-cache-v3\n").update(text).digest("hex");
}

function prune(folder: string): void {
  for (const ending of [".json", ".plan", attemptEnding]) pruneKind(folder, ending);
}

function pruneKind(folder: string, ending: string): void {
  const entries = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (entries.length <= kept) return;
  const dated = entries.flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat ? [{ name, time: stat.mtimeMs }] : [];
  });
  dated.sort((a, b) => b.time - a.time);
  for (const { name } of dated.slice(kept)) rmSync(join(folder, name), { force: true });
}
