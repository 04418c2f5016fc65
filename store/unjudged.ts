import { closeSync, constants, fstatSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ownFolder, readOwn } from "./session-file.ts";

/** Events of a host with one name that were not judged. */
export interface Unjudged {
  /** The event as the host named it; empty where it named none. */
  readonly name: string;
  readonly times: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
}

/** Bytes of one host's count. Later events are not counted; `times` is then a lower bound. */
const countBytes = 262_144;

/** UTF-16 units of a name that are kept. */
const nameLength = 64;

/**
 * Counts an event that was not judged, one line each: appended lines of several processes do not mix. Gives how often the
 * host was counted with this name, this time among them; 0 where it cannot be counted, for nothing is decided by it.
 */
export function countUnjudged(state: string, host: string, name: string, now: number): number {
  try {
    const folder = join(state, "unjudged");
    ownFolder(folder);
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants;
    const file = openSync(pathOf(state, host), O_APPEND | O_CREAT | O_WRONLY | (O_NOFOLLOW ?? 0), 0o600);
    try {
      if (fstatSync(file).size < countBytes) writeSync(file, `${JSON.stringify([shortName(name), now])}\n`);
    } finally {
      closeSync(file);
    }
    return unjudgedOf(state, host).find((one) => one.name === shortName(name))?.times ?? 0;
  } catch {
    return 0;
  }
}

/** Lists a host's events that were not judged, the most frequent first; empty if the count cannot be read. */
export function unjudgedOf(state: string, host: string): readonly Unjudged[] {
  const found = new Map<string, Unjudged>();
  for (const line of linesOf(pathOf(state, host))) {
    const [name, last] = entryOf(line);
    if (name === undefined || last === undefined) continue;
    found.set(name, { name, last, times: (found.get(name)?.times ?? 0) + 1 });
  }
  return [...found.values()].sort((a, b) => b.times - a.times);
}

/** Time for which sessions are told about earlier events that were not judged, in milliseconds. */
const recently = 7 * 24 * 3_600_000;

/** Describes a host's events that were not judged in the last week; undefined if there are none. */
export function recentlyUnjudged(state: string, host: string, now: number): string | undefined {
  const unjudged = unjudgedOf(state, host).filter(({ last }) => last >= now - recently);
  return unjudged.length === 0 ? undefined : unjudgedText(host, unjudged);
}

/** Describes a host's events that were not judged: how often, and the most frequent names. */
export function unjudgedText(host: string, unjudged: readonly Unjudged[]): string {
  const times = unjudged.reduce((sum, one) => sum + one.times, 0);
  const names = unjudged.slice(0, 3).map(({ name, times: n }) => `\`${name || "(no name)"}\` ${n}`);
  const more = unjudged.length > names.length ? ", …" : "";
  return `${times} event${times === 1 ? "" : "s"} of ${host} were not judged, since no rule can be about them (${names.join(", ")}${more})`;
}

/** Counts the judged events of a host in the newest part of the audit trail: its records, without notes. */
export function judgedOf(state: string, host: string): number {
  const folder = join(state, "audit");
  const mark = `"host":${JSON.stringify(host)}`;
  let judged = 0;
  let left = trailBytes;
  for (const path of segmentsIn(folder)) {
    const bytes = attempted(() => readOwn(path, left));
    if (!bytes) break;
    left -= bytes.length;
    for (const line of Buffer.from(bytes).toString("utf8").split("\n"))
      if (line.includes(mark) && !line.includes('"kind":"note"')) judged += 1;
  }
  return judged;
}

/** Bytes of the audit trail that are read for a count. */
const trailBytes = 67_108_864;

/** Segments of all sessions, the newest first. */
function segmentsIn(folder: string): readonly string[] {
  const names = attempted(() => readdirSync(folder, { recursive: true, encoding: "utf8" })) ?? [];
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .map(({ path }) => path);
}

function pathOf(state: string, host: string): string {
  return join(state, "unjudged", `${host.replace(/[^a-z0-9-]/g, "_")}.jsonl`);
}

/** Names come from payloads: they are shown on terminals, and are neither long nor more than one line. */
function shortName(name: string): string {
  return name.slice(0, nameLength).replace(/[^\x20-\x7e]|`/g, "?");
}

function linesOf(path: string): readonly string[] {
  const bytes = attempted(() => readOwn(path, 2 * countBytes));
  return bytes ? Buffer.from(bytes).toString("utf8").split("\n") : [];
}

function entryOf(line: string): readonly [name?: string, last?: number] {
  const value: unknown = attempted(() => JSON.parse(line) as unknown);
  if (!Array.isArray(value)) return [];
  const [name, last] = value as readonly unknown[];
  return typeof name === "string" && typeof last === "number" ? [name, last] : [];
}

function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
