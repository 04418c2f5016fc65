import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { formatCheckpoint } from "../engine/audit/checkpoint.ts";
import type { Frontier } from "../engine/audit/merkle.ts";
import { digest } from "../engine/canonical.ts";
import { checkLine, firstPrev, recordLine } from "../engine/chain.ts";
import type { AuditBody, AuditRecord } from "../schema/generated.ts";
import { engineVersion } from "../schema/version.ts";
import { type AuditFile, type Durability, openAuditFile } from "./audit-file.ts";
import { loadAuditSettings, loadSigner, loadVerifiers, type Signer } from "./audit-keys.ts";
import { lastLine, readRange, wholeSize } from "./audit-tail.ts";
import { makeFolder } from "./folders.ts";
import { locked } from "./lock.ts";

/** Name of the log of checkpoints in the audit folder. */
export const checkpointLog = "checkpoints.jsonl";

/** End of a segment at the time of its checkpoint. */
export interface SegmentEnd {
  /** Name of the session's folder; `retired` for the trail of retired sessions. */
  readonly session: string;
  /** Number of the segment, from 1. */
  readonly number: number;
  /** Frontier of the tree over all lines of the segment. */
  readonly frontier: Frontier;
  /** Number of its last record. */
  readonly seq: number;
  /** Hash of its last record. */
  readonly head: string;
}

/** Options for when and where checkpoints are written. */
export interface CheckpointOptions {
  /** Records of a segment after which one is due; 256 when not given. */
  readonly every?: number;
  /** Milliseconds after the last one; 60,000 when not given. */
  readonly afterMs?: number;
  /** `strict` when not given: a checkpoint is on the disk when `write` returns. */
  readonly durability?: Durability;
  /** Second file to which checkpoints are appended; default the file that `audit init --copy-to` set. */
  readonly copyTo?: string;
}

/**
 * Writes checkpoints of segments to `<audit>/checkpoints.jsonl`, a chain of its own, and to the second file. Without a key
 * (`audit init` never ran) there are none. Files are opened for each checkpoint, so that an unused checkpointer costs nothing.
 * Source: threats page section 3.2, item 3.
 */
export class Checkpointer {
  readonly #audit: string;
  readonly #state: string;
  readonly #options: CheckpointOptions;

  constructor(auditFolder: string, stateFolder: string, options: CheckpointOptions = {}) {
    this.#audit = auditFolder;
    this.#state = stateFolder;
    this.#options = options;
  }

  /** True when that many records or milliseconds after the last checkpoint the next one is due. */
  due(sizeSince: number, msSince: number): boolean {
    const { every = 256, afterMs = 60_000 } = this.#options;
    return sizeSince >= every || (sizeSince > 0 && msSince >= afterMs);
  }

  /**
   * Writes the checkpoint of a segment. The result is why none could be written, or why it did not reach the second file;
   * undefined when all is well, or there is no key. Never throws: a decision does not wait for its checkpoint.
   */
  write(segment: SegmentEnd, now: number): string | undefined {
    try {
      const signer = loadSigner(this.#state);
      if (!signer) return undefined;
      return this.#inLog(now, (written, path) => this.#append(written, path, signer, segment, now));
    } catch (fault) {
      return fault instanceof Error ? fault.message : String(fault);
    }
  }

  /**
   * Begins the log if it is empty, so that from now on it cannot be removed unseen. Brings the log up to the newest key, and the
   * second file up to the log. Returns why the second file could not be written. Throws on any other failure.
   */
  begin(now: number): string | undefined {
    return this.#inLog(now, (written, path) => {
      if (written.count === 0) written.add("begun", { epoch: 1 });
      const signer = loadSigner(this.#state);
      if (signer) this.#appendRotations(written, signer.epoch);
      return this.#copy(path, written);
    });
  }

  #inLog(now: number, work: (written: Written, path: string) => string | undefined): string | undefined {
    const path = join(this.#audit, checkpointLog);
    makeFolder(this.#audit, 0o700);
    return locked(join(this.#audit, "checkpoints.lock"), () => {
      const end = endOf(path);
      // A seal never runs backwards here: a note about the clock would move the checkpoint from the place that it states.
      const clock = { now: () => Math.max(now, end.written) };
      const durability = this.#options.durability ?? "strict";
      const log = openAuditFile(path, { clock, monotonic: clock, durability });
      try {
        return work(new Written(log, end, now), path);
      } finally {
        log.close();
      }
    });
  }

  #append(written: Written, path: string, signer: Signer, segment: SegmentEnd, now: number): string | undefined {
    this.#appendRotations(written, signer.epoch);
    const { session, number, frontier, seq, head } = segment;
    const text = formatCheckpoint({
      install: signer.install,
      session,
      segment: number,
      size: frontier.size,
      root: frontier.root(),
      seq,
      head,
      epoch: signer.epoch,
      log: { count: written.count, head: written.head },
      time: new Date(now).toISOString(),
    });
    const note = text === undefined ? undefined : signer.sign(text);
    if (note === undefined) return "the segment has a name or an end that no checkpoint can state";
    written.add("checkpoint", { note, epoch: signer.epoch });
    return this.#copy(path, written);
  }

  /** Appends the rotations between the key of the last record and the current one. */
  #appendRotations(written: Written, epoch: number): void {
    if (written.epoch > epoch) throw new Error(`the log has checkpoints of a newer key than that of epoch ${epoch}`);
    if (written.epoch === epoch) return;
    const { rotations } = loadVerifiers(this.#state);
    for (let next = written.epoch + 1; next <= epoch; next++) {
      const note = rotations.get(next);
      if (note === undefined)
        throw new Error(`\`audit-${next}.rotation\` is missing: the keys do not follow each other`);
      written.add("rotation", { note, epoch: next });
    }
  }

  #copy(path: string, written: Written): string | undefined {
    const copyTo = this.#options.copyTo ?? loadAuditSettings(this.#state).copy_to;
    if (copyTo === undefined) return undefined;
    try {
      appendMissing(copyTo, path, written.lines);
      return undefined;
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      written.add("copy_failed", { why, epoch: written.epoch });
      return `the checkpoint could not be copied: ${why}`;
    }
  }
}

/** Records that this call adds to the log of checkpoints. */
class Written {
  readonly lines: { readonly seq: number; readonly line: string }[] = [];
  count: number;
  head: string;
  epoch: number;
  readonly #log: AuditFile;
  readonly #now: number;

  constructor(log: AuditFile, end: LogEnd, now: number) {
    this.#log = log;
    this.#now = now;
    this.count = end.count;
    this.head = end.head;
    this.epoch = end.epoch;
  }

  add(event: string, observations: { readonly epoch: number } & AuditBody["observations"]): void {
    const body = checkpointNote(event, observations, this.#now);
    const seal = this.#log.append(body, 0);
    this.lines.push({ seq: seal.seq, line: recordLine({ body, seal }) });
    this.count = seal.seq + 1;
    this.head = seal.hash;
    this.epoch = observations.epoch;
  }
}

interface LogEnd {
  readonly count: number;
  readonly head: string;
  readonly epoch: number;
  /** Time of its last record, in milliseconds. */
  readonly written: number;
}

/** The end of the log; its first key is always that of epoch 1. */
function endOf(path: string): LogEnd {
  const last = lastRecord(path);
  if (!last) return { count: 0, head: firstPrev, epoch: 1, written: 0 };
  const { seq, hash, written } = last.seal;
  const epoch = last.body.observations["epoch"];
  return {
    count: seq + 1,
    head: hash,
    epoch: typeof epoch === "number" ? epoch : 1,
    written: Date.parse(written) || 0,
  };
}

function lastRecord(path: string): AuditRecord | undefined {
  const line = lastLine(path);
  if (line === undefined) return undefined;
  const check = checkLine(line);
  return check.ok ? check.record : undefined;
}

/** Appends to the second file the lines of the log that it does not have yet; whole lines or none. */
function appendMissing(copy: string, log: string, written: Written["lines"]): void {
  const had = lastRecord(copy)?.seal.seq ?? -1;
  const first = written[0]?.seq ?? -1;
  // The usual case: the copy ends where this call began. Else some were missed, and the log itself has them.
  const lines = had + 1 === first ? written.map(({ line }) => line) : linesAfter(log, had);
  if (had >= first && written.length > 0) throw new Error(`\`${copy}\` has checkpoints that the log does not have`);
  if (lines.length > 0) appendWhole(copy, lines.map((line) => `${line}\n`).join(""));
}

function linesAfter(log: string, seq: number): readonly string[] {
  const lines = Buffer.from(readRange(log, 0)).toString("utf8").split("\n");
  return lines.slice(seq + 1, -1);
}

function appendWhole(path: string, text: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error(`\`${path}\` is a symbolic link`);
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`\`${path}\` is not a regular file`);
    // A line that an earlier copy left unfinished is whole in the log.
    const whole = wholeSize(path);
    if (whole < stat.size) ftruncateSync(file, whole);
    writeWhole(file, Buffer.from(text, "utf8"), whole);
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, bytes: Uint8Array, before: number): void {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(file, bytes, done);
  } catch (error) {
    if (done > 0) ftruncateSync(file, before);
    throw error;
  }
}

/** Body of a record of the log of checkpoints. */
function checkpointNote(event: string, observations: AuditBody["observations"], now: number): AuditBody {
  return {
    v: 1,
    kind: "note",
    event,
    id: "",
    time: new Date(now).toISOString(),
    host: "",
    session: "",
    agent: "",
    event_digest: digest({ event, observations }),
    outcome: "allow",
    answered: "none",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    observations,
    policy_digest: "",
    engine: engineVersion,
    tables: {},
  };
}
