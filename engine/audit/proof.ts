import type { AuditRecord } from "../../schema/generated.ts";
import { checkLine } from "../chain.ts";
import { type Checkpoint, parseCheckpoint } from "./checkpoint.ts";
import { leafHash, verifyConsistency, verifyInclusion } from "./merkle.ts";
import { base64Bytes, isSignedBy, type NoteKey, parseNote } from "./note.ts";
import { parseRotation } from "./rotation.ts";

/** Proof that a segment covered by a checkpoint contains one record. Bytes are base64, notes are signed notes. */
export interface InclusionProof {
  readonly v: 1;
  readonly kind: "inclusion";
  /** The record's line, without its line break. */
  readonly line: string;
  /** Index of the line in its segment, from 0. */
  readonly index: number;
  readonly checkpoint: string;
  /** Signed key rotations, oldest first. */
  readonly rotations: readonly string[];
  readonly proof: readonly string[];
}

/** Proof that the lines covered by one checkpoint are a prefix of the lines covered by a later one. */
export interface ConsistencyProof {
  readonly v: 1;
  readonly kind: "consistency";
  readonly first: string;
  readonly second: string;
  readonly rotations: readonly string[];
  readonly proof: readonly string[];
}

/** Result of checking a proof: its checkpoints and record, or why it proves nothing (it is invalid, or its key is unknown). */
export type ProofCheck =
  | { readonly ok: true; readonly checkpoints: readonly Checkpoint[]; readonly record: AuditRecord | undefined }
  | { readonly ok: false; readonly status: "altered" | "unchecked"; readonly why: string };

const mostHashes = 64;

/**
 * Checks a proof, parsed from JSON, with trusted keys. Total for any value. The rest of the trail is not needed: the proof holds
 * the record, the checkpoints and the later keys; the caller gives the first key.
 */
export function checkProof(value: unknown, keys: ReadonlyMap<number, NoteKey>): ProofCheck {
  if (!isObject(value) || value["v"] !== 1) return altered("it is no proof of hookwarden");
  const proof = hashesOf(value["proof"]);
  const rotations = textsOf(value["rotations"]);
  if (!proof || !rotations) return altered("its hashes or rotations cannot be read");
  const known = succession(keys, rotations);
  if (value["kind"] === "inclusion") return checkInclusion(value, proof, known);
  if (value["kind"] === "consistency") return checkConsistency(value, proof, known);
  return altered("it is no kind of proof that is known");
}

type Keys = ReadonlyMap<number, NoteKey>;
type Fields = Readonly<Record<string, unknown>>;

function checkInclusion(value: Fields, proof: readonly Uint8Array[], keys: Keys): ProofCheck {
  const { line, index } = value;
  const opened = open(value["checkpoint"], keys);
  if ("why" in opened) return opened;
  const check = typeof line === "string" ? checkLine(line) : undefined;
  if (check && !check.ok) return altered(`its record does not hold: ${check.why}`);
  if (typeof line !== "string" || !check) return altered("it has no record");
  const { size, root } = opened;
  const leaf = leafHash(Buffer.from(line, "utf8"));
  const holds = typeof index === "number" && verifyInclusion({ leaf, index, size, root }, proof);
  if (!holds) return altered("the record is not in what the checkpoint covers");
  return { ok: true, checkpoints: [opened], record: check.record };
}

function checkConsistency(value: Fields, proof: readonly Uint8Array[], keys: Keys): ProofCheck {
  const first = open(value["first"], keys);
  if ("why" in first) return first;
  const second = open(value["second"], keys);
  if ("why" in second) return second;
  const sameSegment =
    first.install === second.install && first.session === second.session && first.segment === second.segment;
  if (!sameSegment) return altered("its checkpoints are of two segments");
  const claim = { first: first.size, firstRoot: first.root, second: second.size, secondRoot: second.root };
  if (!verifyConsistency(claim, proof)) return altered("the first checkpoint is not the beginning of the second");
  return { ok: true, checkpoints: [first, second], record: undefined };
}

function open(note: unknown, keys: Keys): Checkpoint | (ProofCheck & { readonly ok: false }) {
  const parsed = typeof note === "string" ? parseNote(note) : undefined;
  const checkpoint = parsed && parseCheckpoint(parsed.text);
  if (!parsed || !checkpoint) return altered("its checkpoint cannot be read");
  const key = keys.get(checkpoint.epoch);
  if (!key) return { ok: false, status: "unchecked", why: `no key of epoch ${checkpoint.epoch} is known` };
  if (!isSignedBy(parsed, key)) return altered(`its checkpoint is not signed by key \`${key.name}\``);
  return checkpoint;
}

/** Returns the trusted keys and the keys that their rotations name. */
function succession(keys: Keys, rotations: readonly string[]): Keys {
  const known = new Map(keys);
  for (const text of rotations) {
    const note = parseNote(text);
    const rotation = note && parseRotation(note.text);
    const old = rotation && known.get(rotation.epoch - 1);
    if (note && old && isSignedBy(note, old) && !known.has(rotation.epoch)) known.set(rotation.epoch, rotation.key);
  }
  return known;
}

function hashesOf(value: unknown): readonly Uint8Array[] | undefined {
  const hashes = textsOf(value)?.map(base64Bytes);
  return hashes?.every((hash) => hash !== undefined) ? hashes : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > mostHashes) return undefined;
  return value.every((text): text is string => typeof text === "string") ? value : undefined;
}

function altered(why: string): ProofCheck & { readonly ok: false } {
  return { ok: false, status: "altered", why };
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
