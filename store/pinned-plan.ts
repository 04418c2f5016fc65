import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { StoredNeeds } from "../engine/index-stored.ts";
import type { Plan } from "../engine/plan.ts";
import type { RegexEngine } from "../schema/ports.ts";
import { engineVersion } from "../schema/version.ts";
import { sessionName } from "./human-decisions.ts";
import { installKey } from "./install-key.ts";
import { claim } from "./lock.ts";
import { asksForLabels, knownToAsk } from "./path-labels.ts";
import type { CachedImport } from "./plan-cache.ts";
import { changedAt, readSealedText, VerifiedText, writeSealedText } from "./sealed-file.ts";
import { latePlan, type ReadPart, type StoredHead, storePlan, wholePlan } from "./stored-plan.ts";

/**
 * The plan of a session for hooks that are started anew for each event: pinned at the session's first event, it serves
 * until a human reloads (semantics section 4). One sealed file per session in the user's state folder.
 */
const kind = "pinned-plan";

/** The file in which a session's plan is pinned. */
export function pinFile(state: string, session: string): string {
  return join(state, "sessions", `${sessionName(session)}${ending}`);
}

const ending = ".plan.json";

const day = 86_400_000;

/** Age of an unused session after which it has ended, or starts again with the plan of that time. */
const keptFor = 30 * day;

/** Plans that are checked when a new one is written: enough to remove them faster than they appear, and few enough for a hook. */
const lookedAt = 64;

/** The regex engine of a session, as records name it. */
export type RegexIdentity = Pick<RegexEngine, "name" | "version">;

/** Pinned state of a session: a plan, nothing yet, or something unusable, which closes the session. */
export type Pinned =
  | {
      readonly kind: "plan";
      readonly plan: Plan;
      readonly since: number;
      readonly regex: RegexIdentity | undefined;
      /** Digest of the plan's policies, and their imports, if known. */
      readonly made?: MadeFrom;
      /** Needs of the plan's rules, if this version of the engine derived them. */
      readonly needs?: StoredNeeds;
    }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly why: string };

/** Sources of a plan: by them a session can tell without compiling that nothing has changed on disk. */
export interface MadeFrom {
  readonly policies: string;
  readonly imports: readonly CachedImport[];
}

/** Data pinned beside the plan. */
export interface PinnedWith {
  readonly made?: MadeFrom | undefined;
  /** The regular expression engine that checked the plan's patterns. */
  readonly regex?: RegexIdentity | undefined;
  /** Needs of the plan's rules, as this engine derives them. */
  readonly needs?: StoredNeeds | undefined;
}

/**
 * Pins a plan; `since` is when, in milliseconds since the epoch. Removes plans of sessions that were not touched for long.
 * Throws when the plan cannot be written.
 */
export function pinPlan(state: string, session: string, plan: Plan, since: number, beside: PinnedWith = {}): void {
  const { regex, needs, made } = beside;
  const identity = regex && { name: regex.name, version: regex.version };
  const { head, parts } = storePlan(plan, needs);
  const value: PinnedHead = {
    session,
    since,
    regex: identity,
    labels: asksForLabels(plan),
    engine: engineVersion,
    ...(made && { made: { policies: made.policies, imports: made.imports } }),
    head,
  };
  const text = JSON.stringify(value);
  const length = String(Buffer.byteLength(text)).padStart(lengthDigits);
  writeSealedText(pinFile(state, session), kind, `${length}${text}${parts.toString("utf8")}`, installKey(state));
  prune(join(state, "sessions"), `${sessionName(session)}${ending}`, since);
}

/**
 * Waits for as long as another process begins the session, at most `patience` milliseconds, and returns the function that ends
 * this process's claim. Never throws.
 */
export function claimPin(state: string, session: string, patience: number): () => void {
  return claim(`${pinFile(state, session)}.lock`, patience);
}

/** Digits before the head: how many bytes it has. */
const lengthDigits = 10;

/** Sealed head of a session's file, before the parts of its plan. */
interface PinnedHead {
  readonly session: string;
  readonly since: number;
  readonly regex: RegexIdentity | undefined;
  /** True if the plan tests labels of files. */
  readonly labels: boolean;
  /** The engine that wrote it. */
  readonly engine: string;
  readonly made?: MadeFrom;
  readonly head: StoredHead;
}

/**
 * Reads the pinned plan of a session. Its seal and its session must fit. A file that is unchanged since it was `verified`
 * (`fileIdentity`) is not verified again, and its rules are read on demand. If it changes before that, the read of the rule
 * throws. Never throws itself.
 */
export function pinnedPlan(state: string, session: string, verified?: string): Pinned {
  const path = pinFile(state, session);
  const known = verified === undefined ? undefined : verifiedPlan(state, session, verified);
  if (known) return known;
  let key: Buffer;
  try {
    if (!existsSync(path)) return { kind: "none" };
    key = installKey(state);
  } catch (error) {
    return { kind: "unusable", why: error instanceof Error ? error.message : String(error) };
  }
  const found = readSealedText(path, kind, key);
  if ("problem" in found)
    return found.problem === "absent"
      ? { kind: "none" }
      : { kind: "unusable", why: `the pinned plan of this session is ${found.problem}` };
  const { text } = found;
  try {
    const at = lengthDigits + Number(text.toString("latin1", 0, lengthDigits));
    const part: ReadPart = (from, length) => text.subarray(at + from, at + from + length);
    const pinned = pinnedIn(text.toString("utf8", lengthDigits, at), session, (head) => wholePlan(head, part));
    touch(path, statSync(path).mtimeMs);
    return pinned;
  } catch {
    return { kind: "unusable", why: "the pinned plan of this session is altered" };
  }
}

/** Returns the plan of an already verified file; undefined if the file changed, is due to be touched, or cannot be read. */
function verifiedPlan(state: string, session: string, verified: string): Pinned | undefined {
  let text: VerifiedText | undefined;
  try {
    // Its times change then, and with them its identity.
    if (isUntouched(changedAt(verified))) return undefined;
    text = new VerifiedText(pinFile(state, session), verified);
    const pinned = readLate(text, state, session);
    // The text stays open for later reads of the plan, until the process ends.
    if (pinned.kind === "plan") text = undefined;
    return pinned;
  } catch {
    return undefined;
  } finally {
    text?.close();
  }
}

/** Reads a plan's head only; the first read is as long as most heads. */
function readLate(text: VerifiedText, state: string, session: string): Pinned {
  const begin = text.readUpTo(0, usualHead);
  const length = Number(begin.toString("latin1", 0, lengthDigits));
  const at = lengthDigits + length;
  const rest = at - begin.length;
  const bytes = rest > 0 ? Buffer.concat([begin, text.read(begin.length, rest)]) : begin;
  const head = bytes.toString("utf8", lengthDigits, at);
  let whole: Buffer | undefined;
  const part: ReadPart = (from, size) => {
    try {
      if (!whole) return text.read(at + from, size);
    } catch {
      whole = sameText(state, session, head);
    }
    return (whole as Buffer).subarray(from, from + size);
  };
  return pinnedIn(head, session, (stored) => latePlan(stored, part));
}

/** Bytes that are read at once: a little more than the head of `recommended`, the largest of most users. */
const usualHead = 49_152;

/**
 * Reads the text of a pinned plan that was touched or pinned again meanwhile, as by processes that begin a session at the same
 * time. Throws when its seal does not hold, or it is another plan.
 */
function sameText(state: string, session: string, head: string): Buffer {
  const found = readSealedText(pinFile(state, session), kind, installKey(state));
  if ("problem" in found) throw new Error(`the pinned plan of this session is ${found.problem}`);
  const at = lengthDigits + Number(found.text.toString("latin1", 0, lengthDigits));
  const now = JSON.parse(found.text.toString("utf8", lengthDigits, at)) as PinnedHead;
  const then = JSON.parse(head) as PinnedHead;
  if (now.session !== session || JSON.stringify(now.head) !== JSON.stringify(then.head))
    throw new Error("the pinned plan of this session was changed while it was in use");
  return found.text.subarray(at);
}

function pinnedIn(text: string, session: string, planOf: (head: StoredHead) => Plan): Pinned {
  const { head, engine, labels, ...value } = JSON.parse(text) as PinnedHead;
  if (value.session !== session || typeof value.since !== "number")
    return { kind: "unusable", why: "the pinned plan is another session's" };
  const plan = planOf(head);
  knownToAsk(plan, labels);
  const needs = engine === engineVersion ? head.needs : undefined;
  return {
    kind: "plan",
    plan,
    since: value.since,
    regex: value.regex,
    ...(value.made && { made: value.made }),
    ...(needs && { needs }),
  };
}

/** Forgets the plan of a session that has ended. */
export function unpinPlan(state: string, session: string): void {
  rmSync(pinFile(state, session), { force: true });
}

/** Says that the session is in use; once a day is enough. `changed` is when that was last said. */
function touch(path: string, changed: number): void {
  try {
    const now = Date.now() / 1_000;
    if (isUntouched(changed)) utimesSync(path, now, now);
  } catch {
    // A plan that cannot be touched may go too early; the session is then pinned anew.
  }
}

function isUntouched(changed: number): boolean {
  return Date.now() - changed > day;
}

/**
 * Removes old plans, and the last notices of their sessions. Names are digests, so the plans after the new one are practically
 * random, and each old one is found soon.
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
    // Files that stay cost disk space and nothing else.
  }
}
