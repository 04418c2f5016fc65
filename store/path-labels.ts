import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { digest } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { labelsOfPath } from "../engine/session/paths.ts";
import type { AuditBody, AuditSeal, RecordedPathLabels } from "../schema/generated.ts";
import { limits } from "../schema/limits.ts";
import type { AuditStore } from "../schema/ports.ts";
import { engineVersion } from "../schema/version.ts";
import { makeFolder } from "./folders.ts";
import { installKey } from "./install-key.ts";
import { locked } from "./lock.ts";
import { fileIdentity, readSealed, writeSealed } from "./sealed-file.ts";
import type { HeldSession } from "./session-store.ts";

/** Labels of files by real path, oldest first, as this user's sessions gave them (semantics section 5). */
export type StoredPathLabels = ReadonlyMap<string, readonly string[]>;

const kind = "path-labels";

function fileIn(state: string): string {
  return join(state, "labels", "paths.json");
}

/** Labels that outlive their sessions. A file that this installation did not seal is an error, for a label must not get lost. */
export function storedPathLabels(state: string): StoredPathLabels {
  const path = fileIn(state);
  // Taken before the file is read: a change in between gives it another identity.
  const is = fileIdentity(path);
  if (is === undefined && isFree(dirname(path))) return none;
  const key = installKey(state);
  if (is !== undefined && last?.path === path && last.is === is && last.key.equals(key)) return last.labels;
  const found = readSealed(path, kind, key);
  if ("problem" in found) {
    if (found.problem === "absent") return none;
    throw new Error(`\`${path}\` is ${found.problem}`);
  }
  const labels = new Map(found.value as [string, string[]][]);
  last = is !== undefined && isSettled(path) ? { path, is, key, labels } : undefined;
  return labels;
}

const none: StoredPathLabels = new Map();

/**
 * Last labels that were read, valid while their file is unchanged: a process that judges many events asks for them at each.
 * Kept only for a file that was not touched lately, since file systems keep times to some milliseconds.
 */
let last:
  | { readonly path: string; readonly is: string; readonly key: Buffer; readonly labels: StoredPathLabels }
  | undefined;

const settledFor = 2_000;

function isSettled(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.ctimeMs < Date.now() - settledFor;
}

/** True if a file that is not there is just that: its folder is one, or is not there either. */
function isFree(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== false;
}

/** Adds labels of files. Over the bound the oldest path's labels move to its folder, so that no label is lost. */
export function storePathLabels(state: string, added: StoredPathLabels): void {
  if (added.size === 0) return;
  const path = fileIn(state);
  makeFolder(dirname(path), 0o700);
  locked(`${path}.lock`, () => {
    const known = new Map([...storedPathLabels(state)].map(([at, labels]) => [at, [...labels]]));
    if (![...added].some(([at, labels]) => labels.some((label) => !known.get(at)?.includes(label)))) return;
    for (const [at, labels] of added) addLabels(known, at, labels);
    while (known.size > limits.labelledPaths) {
      const [oldest, labels] = known.entries().next().value as [string, string[]];
      known.delete(oldest);
      addLabels(known, dirname(oldest), labels);
      if (oldest === "/") break;
    }
    writeSealed(path, kind, [...known], installKey(state));
  });
}

function addLabels(known: Map<string, string[]>, path: string, labels: readonly string[]): void {
  known.set(path, [...new Set([...(known.get(path) ?? []), ...labels])]);
}

/** Name of the record by which a session learns labels of files that other sessions gave. */
export const pathLabelsEvent = "path_labels";

/** Paths in one such record. */
const pathsPerRecord = 512;

/** The store of an open session whose labels of files reach this user's later sessions. */
export interface PathLabelStore extends AuditStore {
  /** Why labels could not be kept: the decision must not be used then (HW515). */
  readonly fault: unknown;
}

/**
 * Puts the labels of files that this user's sessions gave before into an open session, where its plan asks for such labels, and
 * returns a store that keeps the labels the session itself adds (semantics section 5, labels on paths). They are kept before
 * the record is written: a process that ends in between leaves a label too many, never one too few. Labels that the session
 * learns go into a record of their own, so that its state is a fold over its records alone. `now` is the time of that record,
 * milliseconds since the epoch. Throws when kept labels cannot be read, or the session not written.
 */
export function withPathLabels(
  state: string,
  session: string,
  held: HeldSession,
  plan: Plan,
  now: number,
): PathLabelStore {
  if (asksForLabels(plan)) learn(state, session, held, plan, now);
  return new KeepingStore(state, held.store);
}

/** True if any condition or text of a plan may ask for labels of a file. Plans are not changed once they are made. */
export function asksForLabels(plan: Plan): boolean {
  const known = asking.get(plan);
  if (known !== undefined) return known;
  const asks = JSON.stringify([plan.rules, plan.conditions]).includes('"paths.labels"');
  asking.set(plan, asks);
  return asks;
}

const asking = new WeakMap<Plan, boolean>();

/** Says of a plan what `asksForLabels` once found of it: looking takes as long as writing the whole plan. */
export function knownToAsk(plan: Plan, asks: boolean): void {
  asking.set(plan, asks);
}

function learn(state: string, session: string, held: HeldSession, plan: Plan, now: number): void {
  const data = held.state.data(session);
  const known = data?.paths ?? new Map<string, string[]>();
  const news: RecordedPathLabels[] = [];
  for (const [path, labels] of storedPathLabels(state)) {
    const own = labelsOfPath(known, path);
    const added = labels.filter((label) => !own.includes(label));
    if (added.length > 0) news.push({ path, labels: added });
  }
  for (let from = 0; from < news.length; from += pathsPerRecord) {
    const paths = news.slice(from, from + pathsPerRecord);
    const body = learnedRecord(session, data?.time ?? 0, paths, plan.digest, now);
    held.store.append(body, 0);
    held.state.fold(body);
  }
}

function learnedRecord(
  session: string,
  at: number,
  paths: RecordedPathLabels[],
  policyDigest: string,
  now: number,
): AuditBody {
  const note = `labels of ${paths.length} files from earlier sessions`;
  return {
    v: 1,
    kind: "note",
    event: pathLabelsEvent,
    id: "",
    time: new Date(now).toISOString(),
    host: "",
    session,
    agent: "",
    event_digest: digest({ event: pathLabelsEvent, note }),
    outcome: "allow",
    answered: "none",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    note,
    state: { at, paths },
    observations: {},
    policy_digest: policyDigest,
    engine: engineVersion,
    tables: {},
  };
}

class KeepingStore implements PathLabelStore {
  readonly #state: string;
  readonly #store: AuditStore;
  /** Labels kept last, by path, so that a file that is labelled again and again costs nothing more. */
  readonly #kept = new Map<string, readonly string[]>();
  fault: unknown;

  constructor(state: string, store: AuditStore) {
    this.#state = state;
    this.#store = store;
  }

  append(body: AuditBody, latencyUs: number): AuditSeal {
    const paths = body.event === pathLabelsEvent ? [] : (body.state?.paths ?? []);
    if (paths.length > 0) this.#keep(paths);
    return this.#store.append(body, latencyUs);
  }

  #keep(paths: readonly RecordedPathLabels[]): void {
    const added = new Map<string, string[]>();
    for (const { path, labels } of paths)
      if (labels.some((label) => !this.#kept.get(path)?.includes(label))) addLabels(added, path, labels);
    try {
      storePathLabels(this.#state, added);
    } catch (fault) {
      this.fault = fault;
      throw fault;
    }
    if (this.#kept.size + added.size > limits.labelledPaths) this.#kept.clear();
    for (const [path, labels] of added) this.#kept.set(path, labels);
  }
}
