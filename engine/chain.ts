import type { AuditBody, AuditRecord, AuditSeal } from "../schema/generated.ts";
import { canonicalJson, sha256 } from "./canonical.ts";

/** Separates hashes of audit records from every other use of SHA-256. */
export const domain = "hookwarden-audit-v1\n";

/** `prev` of the first record of a chain. */
export const firstPrev = `sha256:${"0".repeat(64)}`;

/** Position of a record: everything in its seal except the hash. */
export type Link = Omit<AuditSeal, "hash">;

/** A record as its one line, without its line break, and its seal. */
export interface SealedLine {
  readonly seal: AuditSeal;
  readonly line: string;
}

/** Seals a body: the hash covers the canonical JSON of the body and of the rest of the seal, `prev` among it. */
export function sealRecord(body: AuditBody, link: Link): AuditRecord {
  return { body, seal: sealLine(canonicalJson(body), link).seal };
}

/**
 * Returns the sealed line of a record whose body is already canonical JSON: the hashed text and the written line are both made
 * from it. The hash is the first key of the seal, and is computed over the line without it.
 */
export function sealLine(body: string, link: Link): SealedLine {
  const { seal, bytes } = sealBytes(body, link);
  return { seal, line: bytes.toString("utf8", 0, bytes.length - 1) };
}

/** A record as the bytes of its line, the line break among them, and its seal. */
export interface SealedBytes {
  readonly seal: AuditSeal;
  readonly bytes: Buffer;
}

/** The same as bytes: a long record is encoded once, for its hash and its file. */
export function sealBytes(body: string, { seq, written, mono, pid, latency_us, prev }: Link): SealedBytes {
  const rest = `"latency_us":${latency_us},"mono":${mono},"pid":${pid},"prev":${JSON.stringify(prev)},"seq":${seq},"written":${JSON.stringify(written)}}}\n`;
  const hashed = Buffer.from(`${domain}{"body":${body},"seal":{${rest}`, "utf8");
  const hash = sha256(hashed.subarray(0, -1));
  const member = `"hash":"${hash}",`;
  const place = hashed.length - Buffer.byteLength(rest);
  const bytes = Buffer.allocUnsafe(hashed.length - domain.length + member.length);
  const at = hashed.copy(bytes, 0, domain.length, place);
  hashed.copy(bytes, at + bytes.write(member, at, "latin1"), place);
  return { seal: { seq, written, mono, pid, latency_us, prev, hash }, bytes };
}

/** The one line of a record, without its line break. */
export function recordLine(record: AuditRecord): string {
  return canonicalJson(record);
}

/** Result of checking one line: its record, or what is wrong with it. */
export type LineCheck =
  | { readonly ok: true; readonly record: AuditRecord }
  | { readonly ok: false; readonly why: string; readonly seq: number | undefined };

/**
 * Checks a single line: UTF-8, canonical JSON byte for byte, the shape of a seal, and its hash. Any other spelling of the same
 * record (spaces, order of keys, escapes) counts as altered.
 */
export function checkLine(line: Uint8Array | string): LineCheck {
  const text = typeof line === "string" ? line : decode(line);
  if (text === undefined) return { ok: false, why: "it is not UTF-8", seq: undefined };
  const value = parse(text);
  if (!isRecordShape(value)) return { ok: false, why: "it is not an audit record", seq: undefined };
  const { hash, seq } = value.seal;
  if (!isCanonical(value, text)) return { ok: false, why: "it is not in canonical form", seq };
  if (hashOf(text, hash) !== hash) return { ok: false, why: "its content does not match its hash", seq };
  return { ok: true, record: value };
}

/** The first thing that is wrong with a chain; `line` counts from 1, `seq` is what that line claims. */
export interface ChainProblem {
  readonly line: number;
  readonly seq: number | undefined;
  readonly why: string;
}

/** Result of verifying a chain: `intact`, `altered` at some record, or `incomplete` (all hold, but the last line was never finished). */
export interface ChainReport {
  readonly status: "intact" | "altered" | "incomplete";
  /** Records that hold, before the first problem. */
  readonly records: number;
  /** Hash of the last record that holds; it commits to all records before it. */
  readonly head: string;
  readonly problem: ChainProblem | undefined;
}

/**
 * Checks a chain line by line, in order, in constant memory. Lines after an altered one are not checked. It cannot detect
 * whole records cut off at the end, unless the head is known from elsewhere (threats page section 3.2, item 12).
 */
export class ChainVerifier {
  readonly #first: number;
  #records = 0;
  #line = 0;
  #head: string;
  #problem: ChainProblem | undefined;
  #incomplete = false;

  /** `after` is the known record before the first line: for a later segment, the last record of the segment before. */
  constructor(after: { readonly seq: number; readonly hash: string } = { seq: -1, hash: firstPrev }) {
    this.#first = after.seq + 1;
    this.#head = after.hash;
  }

  /**
   * Takes the next line, without its line break. `complete` is false for a last line that has none. Gives the record when it
   * holds, and all before it do.
   */
  push(line: Uint8Array | string, complete = true): AuditRecord | undefined {
    this.#line += 1;
    if (this.#problem) return undefined;
    if (complete) return this.#check(line);
    this.#incomplete = true;
    this.#problem = { line: this.#line, seq: undefined, why: "the last line was not finished" };
    return undefined;
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

  /** Takes the next line by its seal, once the line itself has been verified (`scanLine`); true if it follows. */
  follow(seal: Pick<AuditSeal, "seq" | "prev" | "hash">): boolean {
    this.#line += 1;
    if (this.#problem) return false;
    const why = this.#misplaced(seal);
    if (why !== undefined) {
      this.#problem = { line: this.#line, seq: seal.seq, why };
      return false;
    }
    this.#records += 1;
    this.#head = seal.hash;
    return true;
  }

  #check(line: Uint8Array | string): AuditRecord | undefined {
    const check = checkLine(line);
    const why = check.ok ? this.#misplaced(check.record.seal) : check.why;
    if (!check.ok || why !== undefined) {
      const seq = check.ok ? check.record.seal.seq : check.seq;
      this.#problem = { line: this.#line, seq, why: why ?? "it is not an audit record" };
      return undefined;
    }
    this.#records += 1;
    this.#head = check.record.seal.hash;
    return check.record;
  }

  #misplaced(seal: Pick<AuditSeal, "seq" | "prev">): string | undefined {
    const due = this.#first + this.#records;
    if (seal.seq !== due) {
      return `it has number ${seal.seq} where ${due} was due: records were removed, repeated or moved`;
    }
    if (seal.prev !== this.#head) return "it does not follow the record before it";
    return undefined;
  }
}

/**
 * Computes the hash that a canonical line should carry, from the line without its hash. The hash is in the last `"seal":{` of the
 * line, because the seal is the last key and quotes inside its texts are escaped.
 */
function hashOf(text: string, hash: string): string {
  const part = `"hash":${JSON.stringify(hash)},`;
  const at = text.lastIndexOf(`"seal":{${part}`) + `"seal":{`.length;
  return sha256(domain + text.slice(0, at) + text.slice(at + part.length));
}

/**
 * True if the text is the canonical JSON of its value. The runtime's own JSON is canonical if it has no escaped surrogate and
 * its keys are sorted; checking that is faster than writing canonical JSON.
 */
function isCanonical(value: AuditRecord, text: string): boolean {
  if (!text.includes("\\ud") && hasSortedKeys(value) && runtimeJson(value) === text) return true;
  return canonicalJson(value) === text;
}

/** Returns the runtime's JSON of a value; undefined for a value nested too deeply for it. */
function runtimeJson(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** True if all keys in a value are sorted by UTF-16 units. Keeps its own stack. */
function hasSortedKeys(value: object): boolean {
  const stack: object[] = [value];
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    let before: string | undefined;
    for (const key of Object.keys(one)) {
      if (before !== undefined && !Array.isArray(one) && before >= key) return false;
      before = key;
      const inner = (one as Readonly<Record<string, unknown>>)[key];
      if (typeof inner === "object" && inner !== null) stack.push(inner);
    }
  }
  return true;
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
  const numbers = [seal["seq"], seal["pid"], seal["latency_us"], seal["mono"]];
  return texts && numbers.every((part) => Number.isSafeInteger(part));
}

const sealKeys: readonly string[] = ["hash", "latency_us", "mono", "pid", "prev", "seq", "written"];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sameKeys(object: object, wanted: readonly string[]): boolean {
  const keys = Object.keys(object).sort();
  return keys.length === wanted.length && keys.every((key, i) => key === wanted[i]);
}
