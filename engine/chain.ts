import type { AuditBody, AuditRecord, AuditSeal } from "../schema/generated.ts";
import { canonicalJson, sha256 } from "./canonical.ts";

/** Separates hashes of audit records from every other use of SHA-256. */
const domain = "hookwarden-audit-v1\n";

/** `prev` of the first record of a chain. */
export const firstPrev = `sha256:${"0".repeat(64)}`;

/** Where a record stands: everything in its seal but the hash. */
export type Link = Omit<AuditSeal, "hash">;

/** Seals a body: the hash covers the canonical JSON of the body and of the rest of the seal, `prev` among it. */
export function sealRecord(body: AuditBody, link: Link): AuditRecord {
  const seal: Link = {
    seq: link.seq,
    written: link.written,
    pid: link.pid,
    latency_us: link.latency_us,
    prev: link.prev,
  };
  return { body, seal: { ...seal, hash: hashOf(body, seal) } };
}

/** The one line of a record, without its line break. */
export function recordLine(record: AuditRecord): string {
  return canonicalJson(record);
}

/** What is wrong with one line, or the record and its hash when nothing is. */
export type LineCheck =
  | { readonly ok: true; readonly record: AuditRecord }
  | { readonly ok: false; readonly why: string; readonly seq: number | undefined };

/**
 * Checks a line by itself: UTF-8, canonical JSON byte for byte, the shape of a seal, and its hash.
 * Any other spelling of the same record (spaces, order of keys, escapes) counts as altered.
 */
export function checkLine(line: Uint8Array | string): LineCheck {
  const text = typeof line === "string" ? line : decode(line);
  if (text === undefined) return { ok: false, why: "it is not UTF-8", seq: undefined };
  const value = parse(text);
  if (!isRecordShape(value)) return { ok: false, why: "it is not an audit record", seq: undefined };
  const { hash, ...link } = value.seal;
  const seq = link.seq;
  if (canonicalJson(value) !== text) return { ok: false, why: "it is not in canonical form", seq };
  if (hashOf(value.body, link) !== hash) return { ok: false, why: "its content does not match its hash", seq };
  return { ok: true, record: value };
}

/** The first thing that is wrong with a chain; `line` counts from 1, `seq` is what that line claims. */
export interface ChainProblem {
  readonly line: number;
  readonly seq: number | undefined;
  readonly why: string;
}

/** What is known of a chain: all records hold; one is altered; or all hold and a last line was never finished. */
export interface ChainReport {
  readonly status: "intact" | "altered" | "incomplete";
  /** Records that hold, before the first problem. */
  readonly records: number;
  /** Hash of the last record that holds; it stands for all records before it. */
  readonly head: string;
  readonly problem: ChainProblem | undefined;
}

/**
 * Checks a chain line by line, in order, in constant memory. Once a line is altered, later ones are not looked at.
 * What it cannot see, and says nowhere else: records cut off whole at the end, unless the head is known from elsewhere
 * (threats page section 3.2, item 12).
 */
export class ChainVerifier {
  #records = 0;
  #line = 0;
  #head: string = firstPrev;
  #problem: ChainProblem | undefined;
  #incomplete = false;

  /** Takes the next line, without its line break. `complete` is false for a last line that has none. */
  push(line: Uint8Array | string, complete = true): void {
    this.#line += 1;
    if (this.#problem) return;
    if (complete) this.#check(line);
    else {
      this.#incomplete = true;
      this.#problem = { line: this.#line, seq: undefined, why: "the last line was not finished" };
    }
  }

  /** Takes a line too long to be held: altered, since no record is that long. */
  pushOversized(): void {
    this.#line += 1;
    this.#problem ??= { line: this.#line, seq: undefined, why: "it is longer than any record" };
  }

  report(): ChainReport {
    const status = this.#incomplete ? "incomplete" : this.#problem ? "altered" : "intact";
    return { status, records: this.#records, head: this.#head, problem: this.#problem };
  }

  #check(line: Uint8Array | string): void {
    const check = checkLine(line);
    const why = check.ok ? this.#misplaced(check.record.seal) : check.why;
    if (!check.ok || why !== undefined) {
      const seq = check.ok ? check.record.seal.seq : check.seq;
      this.#problem = { line: this.#line, seq, why: why ?? "it is not an audit record" };
      return;
    }
    this.#records += 1;
    this.#head = check.record.seal.hash;
  }

  #misplaced(seal: AuditSeal): string | undefined {
    if (seal.seq !== this.#records) {
      return `it has number ${seal.seq} where ${this.#records} was due: records were removed, repeated or moved`;
    }
    if (seal.prev !== this.#head) return "it does not follow the record before it";
    return undefined;
  }
}

function hashOf(body: AuditBody, link: Link): string {
  return sha256(domain + canonicalJson({ body, seal: link }));
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecordShape(value: unknown): value is AuditRecord {
  if (!isObject(value) || !sameKeys(value, ["body", "seal"])) return false;
  const { body, seal } = value;
  if (!isObject(body) || !isObject(seal) || !sameKeys(seal, sealKeys)) return false;
  const texts = [seal["written"], seal["prev"], seal["hash"]].every((part) => typeof part === "string");
  return texts && [seal["seq"], seal["pid"], seal["latency_us"]].every((part) => Number.isSafeInteger(part));
}

const sealKeys: readonly string[] = ["hash", "latency_us", "pid", "prev", "seq", "written"];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameKeys(object: object, wanted: readonly string[]): boolean {
  const keys = Object.keys(object).sort();
  return keys.length === wanted.length && keys.every((key, i) => key === wanted[i]);
}
