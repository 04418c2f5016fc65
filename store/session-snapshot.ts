import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { canonicalJson } from "../engine/canonical.ts";
import type { SessionData } from "../engine/session/session.ts";
import { isSessionData } from "./session-shape.ts";

/** The last record that a snapshot holds: its number, its hash, and the offset of its line in the session's records. */
export interface SnapshotEnd {
  readonly seq: number;
  readonly hash: string;
  readonly start: number;
}

/** State of a session after one of its records, for one plan. */
export interface Snapshot {
  readonly end: SnapshotEnd;
  readonly data: SessionData;
}

/** What a snapshot is bound to beside its content: key of the installation, session and plan. */
export interface SnapshotBinding {
  readonly key: string | Uint8Array;
  readonly session: string;
  readonly policyDigest: string;
}

/** A snapshot as text: canonical JSON with a MAC over everything else in it (semantics section 5). */
export function encodeSnapshot({ end, data }: Snapshot, binding: SnapshotBinding): string {
  const content = { v: 1, session: binding.session, policy_digest: binding.policyDigest, end, data: toJson(data) };
  return `${canonicalJson({ ...content, mac: macOf(content, binding.key) })}\n`;
}

/**
 * The snapshot in a text, or undefined when it is not one that this installation wrote for this session and plan: it is
 * then of no use, and the state is rebuilt. Total for any bytes.
 */
export function decodeSnapshot(bytes: Uint8Array, binding: SnapshotBinding): Snapshot | undefined {
  const value = parse(bytes);
  if (!isObject(value)) return undefined;
  const { mac, ...content } = value;
  if (typeof mac !== "string" || !sameMac(mac, macOf(content, binding.key))) return undefined;
  if (content["v"] !== 1 || content["session"] !== binding.session) return undefined;
  if (content["policy_digest"] !== binding.policyDigest) return undefined;
  const data = fromJson(content["data"]);
  const end = content["end"];
  return isEnd(end) && isSessionData(data) ? { end, data } : undefined;
}

const tables = ["chains", "spending", "questions", "approvals", "paths"] as const;

/** Tables are lists of entries, since their order matters and objects would lose it. */
function toJson(data: SessionData): object {
  return { ...data, ...Object.fromEntries(tables.map((name) => [name, [...data[name]]])) };
}

function fromJson(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const made: Record<string, unknown> = { parent: undefined, ...value };
  for (const name of tables) {
    const entries = value[name];
    if (!Array.isArray(entries) || !entries.every(isEntry)) return undefined;
    made[name] = new Map(entries);
  }
  return made;
}

function isEntry(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

function isEnd(value: unknown): value is SnapshotEnd {
  if (!isObject(value)) return false;
  const { seq, hash, start } = value;
  return isCount(seq) && isCount(start) && typeof hash === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function macOf(content: object, key: string | Uint8Array): string {
  const own = hkdfSync("sha256", key, "", "hookwarden-session-snapshot-v1", 32);
  return createHmac("sha256", new Uint8Array(own)).update(canonicalJson(content)).digest("hex");
}

function sameMac(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
