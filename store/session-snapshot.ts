import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { SessionData } from "../engine/session/session.ts";
import type { TrailEnd } from "./segment-trail.ts";
import { SegmentTree } from "./segment-tree.ts";
import { isSessionData } from "./session-shape.ts";

/** The last record that a snapshot holds: its segment, its number, its hash, and the offset of its line in the segment. */
export type SnapshotEnd = TrailEnd;

/** State of a session after one of its records, for one plan. */
export interface Snapshot {
  readonly end: SnapshotEnd;
  readonly data: SessionData;
  /** Tree over the lines of the segment up to that record; undefined when it is not known. */
  readonly tree: SegmentTree | undefined;
}

/** Binding of a snapshot, beside its content: key of the installation, session and plan. */
export interface SnapshotBinding {
  readonly key: string | Uint8Array;
  readonly session: string;
  readonly policyDigest: string;
}

/** A snapshot as text: a MAC, and the JSON that it is over, byte for byte (semantics section 5). */
export function encodeSnapshot({ end, data, tree }: Snapshot, binding: SnapshotBinding): string {
  const { session, policyDigest } = binding;
  const stored = tree ? { tree: tree.stored() } : {};
  const content = JSON.stringify({ v: 3, session, policy_digest: policyDigest, end, data: toJson(data), ...stored });
  return `${macOf(Buffer.from(content, "utf8"), binding.key)}\n${content}\n`;
}

/** Digits of the MAC. */
const macLength = 64;
const newline = 10;

/**
 * Reads a snapshot; undefined unless this installation wrote it for this session and plan. The state is then rebuilt. Total for
 * any bytes.
 */
export function decodeSnapshot(bytes: Uint8Array, binding: SnapshotBinding): Snapshot | undefined {
  if (bytes[macLength] !== newline || bytes.at(-1) !== newline) return undefined;
  const text = bytes.subarray(macLength + 1, -1);
  if (!sameMac(Buffer.from(bytes.subarray(0, macLength)), macOf(text, binding.key))) return undefined;
  const content = parse(text);
  if (!isObject(content)) return undefined;
  if (content["v"] !== 3 || content["session"] !== binding.session) return undefined;
  if (content["policy_digest"] !== binding.policyDigest) return undefined;
  const data = fromJson(content["data"]);
  const end = content["end"];
  if (!isEnd(end) || !isSessionData(data)) return undefined;
  const tree = SegmentTree.from(content["tree"]);
  return { end, data, tree: tree?.segment === end.segment ? tree : undefined };
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
  const { segment, seq, hash, start } = value;
  return isCount(segment) && isCount(seq) && isCount(start) && typeof hash === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function macOf(content: Uint8Array, key: string | Uint8Array): string {
  return createHmac("sha256", derived(key)).update(content).digest("hex");
}

/** The last derived key; each installation has one. */
let last: { readonly of: Buffer; readonly own: Uint8Array } | undefined;

function derived(key: string | Uint8Array): Uint8Array {
  const of = Buffer.from(key);
  if (!last?.of.equals(of)) {
    const own = new Uint8Array(hkdfSync("sha256", of, "", "hookwarden-session-snapshot-v1", 32));
    last = { of, own };
  }
  return last.own;
}

function sameMac(given: Uint8Array, wanted: string): boolean {
  const expected = Buffer.from(wanted, "ascii");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parse(bytes: Uint8Array): unknown {
  try {
    // Bytes under a valid MAC were encoded from a string, so their UTF-8 needs no check.
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
