import { hashBytes } from "./merkle.ts";
import { base64Bytes } from "./note.ts";

/**
 * A checkpoint: it commits to the records of a segment so far and to all earlier checkpoints. Its text is a C2SP tlog-checkpoint
 * with further fields as extension lines (threats page section 3.2, item 3).
 */
export interface Checkpoint {
  /** Sixteen hexadecimal digits that name the installation. */
  readonly install: string;
  /** Name of the session's folder, or of a trail of its own such as `retired`. */
  readonly session: string;
  /** Number of the segment, from 1. */
  readonly segment: number;
  /** Lines of the segment so far. */
  readonly size: number;
  /** Root of the RFC 6962 tree over these lines. */
  readonly root: Uint8Array;
  /** Number of the last of these records. */
  readonly seq: number;
  /** Hash of the last of these records. */
  readonly head: string;
  /** Epoch of the key that signs. */
  readonly epoch: number;
  /** Records in the log of checkpoints before this one, and the hash of the last of them. */
  readonly log: { readonly count: number; readonly head: string };
  /** Wall clock, RFC 3339 with milliseconds. */
  readonly time: string;
}

/** Returns the name of the key of one epoch. The id of a key covers its name, so that a key belongs to one epoch only. */
export function keyName(install: string, epoch: number): string {
  return `hookwarden/${install}/epoch-${epoch}`;
}

/** Parses the name of a key into installation and epoch; undefined for a name that `keyName` never returns. */
export function parseKeyName(name: string): { readonly install: string; readonly epoch: number } | undefined {
  const [, install = "", digits = ""] = /^hookwarden\/([0-9a-f]{16})\/epoch-([0-9]{1,9})$/.exec(name) ?? [];
  const epoch = Number(digits);
  return epoch > 0 && keyName(install, epoch) === name ? { install, epoch } : undefined;
}

/** Returns the file name of a segment: its number with six digits, or more if the number needs them. */
export function segmentName(number: number): string {
  return String(number).padStart(6, "0");
}

/**
 * Returns the text of a checkpoint, which is then signed. Undefined for an invalid field: a name that could forge a line or
 * another origin, a number that is no count, or a malformed hash.
 */
export function formatCheckpoint(checkpoint: Checkpoint): string | undefined {
  const { install, session, segment, size, root, seq, head, epoch, log, time } = checkpoint;
  const names = /^[0-9a-f]{16}$/.test(install) && /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(session);
  const counts = isCount(size) && isCount(seq) && isCount(log.count) && isNumber(segment) && isNumber(epoch);
  if (!names || !counts || !isHash(head) || !isHash(log.head)) return undefined;
  if (root.length !== hashBytes || !isTime(time)) return undefined;
  const lines = [
    `hookwarden/${install}/${session}/${segmentName(segment)}`,
    `${size}`,
    Buffer.from(root).toString("base64"),
    `seq ${seq}`,
    `head ${head}`,
    `epoch ${epoch}`,
    `log ${log.count} ${log.head}`,
    `time ${time}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Reads the text of a checkpoint; undefined for anything that `formatCheckpoint` would not write, byte for byte. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = "", size = "", root = "", ...rest] = text.split("\n");
  const [product, install = "", session = "", segment = "", ...more] = origin.split("/");
  const bytes = base64Bytes(root);
  if (product !== "hookwarden" || more.length > 0 || !bytes || rest.length !== 6) return undefined;
  const [seq, head, epoch, log, time] = ["seq", "head", "epoch", "log", "time"].map((name, i) =>
    valueOf(rest[i], name),
  );
  const [count = "", before = ""] = (log ?? "").split(" ");
  const found: Checkpoint = {
    install,
    session,
    segment: Number(segment),
    size: Number(size),
    root: bytes,
    seq: Number(seq),
    head: head ?? "",
    epoch: Number(epoch),
    log: { count: Number(count), head: before },
    time: time ?? "",
  };
  return formatCheckpoint(found) === text ? found : undefined;
}

function valueOf(line: string | undefined, name: string): string | undefined {
  return line?.startsWith(`${name} `) ? line.slice(name.length + 1) : undefined;
}

function isHash(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isNumber(value: number): boolean {
  return isCount(value) && value >= 1 && value < 1e9;
}
