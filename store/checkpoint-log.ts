import { type Checkpoint, parseCheckpoint, parseKeyName, segmentName } from "../engine/audit/checkpoint.ts";
import { isSignedBy, type NoteKey, parseNote } from "../engine/audit/note.ts";
import { parseRotation } from "../engine/audit/rotation.ts";
import { ChainVerifier, checkLine, firstPrev } from "../engine/chain.ts";
import type { AuditRecord } from "../schema/generated.ts";
import { eachAuditLine } from "./audit-lines.ts";
import { type FileReport, fileReport } from "./segment-check.ts";

/** Valid content of a log of checkpoints. */
export interface CheckpointLog {
  readonly report: FileReport;
  /** Hash of each of its records, by number. */
  readonly hashes: ReadonlyMap<number, string>;
  /** Checkpoints of each segment in the order in which they were written, by `segmentKey`. */
  readonly bySegment: ReadonlyMap<string, readonly Checkpoint[]>;
  /** Checkpoints and rotations whose signature could not be checked, since no key was known for their epoch. */
  readonly unsigned: number;
  /** Checkpoints that did not reach the second file when they were written. */
  readonly notCopied: number;
  /** Epoch of the last key. */
  readonly epoch: number;
}

/** `<session>/<segment>` as origins name it. */
export function segmentKey(session: string, segment: number): string {
  return `${session}/${segmentName(segment)}`;
}

/**
 * Reads a log of checkpoints and checks its chain, each signature with the key of its epoch, the unbroken succession of keys, and
 * each checkpoint's count of the log before it. A copy (`isCopy`) may begin anywhere, the log itself only with its first record.
 * `file` is the name of the log in the report. Rejects with the errors of reading.
 */
export async function readCheckpointLog(
  path: string,
  file: string,
  keys: ReadonlyMap<number, NoteKey>,
  isCopy = false,
): Promise<CheckpointLog> {
  const reading = new Reading(keys, isCopy);
  await eachAuditLine(path, ({ bytes, complete }) => {
    if (bytes) reading.push(bytes, complete);
    else reading.pushOversized();
  });
  return reading.result(file);
}

/** Fault of one record of the log that does not affect the rest. */
interface LogProblem {
  readonly line: number;
  readonly seq: number;
  readonly why: string;
}

class Reading {
  readonly #keys: ReadonlyMap<number, NoteKey>;
  readonly #isCopy: boolean;
  readonly #hashes = new Map<number, string>();
  readonly #bySegment = new Map<string, Checkpoint[]>();
  #chain: ChainVerifier | undefined;
  #key: NoteKey | undefined;
  #epoch = 1;
  #head = firstPrev;
  #line = 0;
  #unsigned = 0;
  #notCopied = 0;
  #problem: LogProblem | undefined;

  constructor(keys: ReadonlyMap<number, NoteKey>, isCopy: boolean) {
    this.#keys = keys;
    this.#isCopy = isCopy;
    this.#key = keys.get(1);
  }

  push(bytes: Uint8Array, complete: boolean): void {
    this.#line += 1;
    if (this.#problem) return;
    this.#chain ??= this.#begin(bytes);
    const record = this.#chain.push(bytes, complete);
    if (!record) return;
    const why = this.#judge(record);
    if (why !== undefined) this.#problem = { line: this.#line, seq: record.seal.seq, why };
    this.#hashes.set(record.seal.seq, record.seal.hash);
    this.#head = record.seal.hash;
  }

  pushOversized(): void {
    this.#chain ??= new ChainVerifier();
    this.#chain.pushOversized();
  }

  result(file: string): CheckpointLog {
    const found = (this.#chain ?? new ChainVerifier()).report();
    const report = fileReport(file, this.#problem ? { ...found, status: "altered", problem: this.#problem } : found);
    return {
      report,
      hashes: this.#hashes,
      bySegment: this.#bySegment,
      unsigned: this.#unsigned,
      notCopied: this.#notCopied,
      epoch: this.#epoch,
    };
  }

  /**
   * Returns a verifier for the first record: a copy that was begun later goes on from the record that its first one names. The
   * log itself begins with number 0.
   */
  #begin(first: Uint8Array): ChainVerifier {
    const check = checkLine(first);
    if (!this.#isCopy || !check.ok || check.record.seal.seq === 0) return new ChainVerifier();
    const { body, seal } = check.record;
    const epoch = Number(body.observations["epoch"]);
    this.#epoch = Math.max(1, body.event === "rotation" ? epoch - 1 : epoch);
    this.#key = this.#keys.get(this.#epoch);
    this.#head = seal.prev;
    return new ChainVerifier({ seq: seal.seq - 1, hash: seal.prev });
  }

  #judge({ body, seal }: AuditRecord): string | undefined {
    if (body.event === "copy_failed") {
      this.#notCopied += 1;
      return undefined;
    }
    // The log begins when the first key is made, so that a missing log is seen.
    if (body.event === "begun" && seal.seq === 0) return undefined;
    const text = body.observations["note"];
    const note = typeof text === "string" ? parseNote(text) : undefined;
    // A note is written with one signature: further ones were added later.
    if (note?.signatures.length !== 1) return "it holds no signed note";
    const why = body.event === "checkpoint" ? this.#checkpoint(note.text, seal.seq) : this.#rotation(note.text);
    if (why !== undefined) return why;
    // A rotation is signed by the key that it replaces.
    const key = this.#key;
    if (body.event === "rotation") this.#succeed(note.text);
    if (key && !isSignedBy(note, key)) return `its signature is not one of key \`${key.name}\``;
    if (!key) this.#unsigned += 1;
    return undefined;
  }

  #checkpoint(text: string, seq: number): string | undefined {
    const checkpoint = parseCheckpoint(text);
    if (!checkpoint) return "its note is no checkpoint";
    if (checkpoint.epoch !== this.#epoch) return `it is of epoch ${checkpoint.epoch} where ${this.#epoch} was due`;
    const install = this.#key && parseKeyName(this.#key.name)?.install;
    if (install !== undefined && checkpoint.install !== install) return "it is of another installation";
    if (checkpoint.log.count !== seq || checkpoint.log.head !== this.#head)
      return "it was signed for another place of the log";
    const segment = segmentKey(checkpoint.session, checkpoint.segment);
    const known = this.#bySegment.get(segment);
    if (!known) this.#bySegment.set(segment, [checkpoint]);
    else if ((known.at(-1)?.size ?? 0) > checkpoint.size) return `segment ${segment} was longer before`;
    else known.push(checkpoint);
    return undefined;
  }

  #rotation(text: string): string | undefined {
    const rotation = parseRotation(text);
    if (!rotation) return "its note is neither a checkpoint nor a rotation of keys";
    if (rotation.epoch !== this.#epoch + 1) return `it begins epoch ${rotation.epoch} where ${this.#epoch + 1} was due`;
    const known = this.#keys.get(rotation.epoch);
    if (known && known.name !== rotation.key.name) return "it is of another installation";
    if (known && !Buffer.from(known.publicKey).equals(rotation.key.publicKey))
      return `it names another key of epoch ${rotation.epoch} than the one that is known`;
    return undefined;
  }

  /** Adds the key that a rotation names; a key named by an unknown key is unknown too. */
  #succeed(text: string): void {
    const rotation = parseRotation(text);
    if (!rotation) return;
    this.#epoch = rotation.epoch;
    this.#key = this.#key ? rotation.key : this.#keys.get(rotation.epoch);
  }
}
