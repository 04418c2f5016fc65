import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { dirname } from "node:path";
import { canonicalJson } from "../engine/canonical.ts";
import { makeFolder } from "./folders.ts";
import { writeAtomically } from "./output-file.ts";

/** Bytes of a sealed file: a plan is the largest. */
const maxBytes = 67_108_864;

/** Content of a sealed file, or why it is not trusted. */
export type Unsealed = { readonly value: unknown } | { readonly problem: "absent" | "unreadable" | "altered" };

/**
 * Writes a value with a seal before it: HMAC-SHA-256 with the install key, over what kind of file it is and over the text of
 * the value, byte for byte, so that a reader need not write it anew. Folders are made with mode 0700. Throws what the file
 * system throws.
 */
export function writeSealed(path: string, kind: string, value: unknown, key: Buffer): void {
  writeSealedText(path, kind, canonicalJson(value), key);
}

/** The same for a plain text. */
export function writeSealedText(path: string, kind: string, text: string, key: Buffer): void {
  makeFolder(dirname(path), 0o700);
  writeAtomically(path, `${sealOf(kind, Buffer.from(text, "utf8"), key)}\n${text}\n`);
}

/**
 * Reads what `writeSealed` wrote. Anything else, and a file of another kind, is altered. Never throws.
 */
export function readSealed(path: string, kind: string, key: Buffer): Unsealed {
  const found = readSealedText(path, kind, key);
  if ("problem" in found) return found;
  try {
    return { value: JSON.parse(found.text.toString("utf8")) };
  } catch {
    return { problem: "altered" };
  }
}

/** Reads a text of `writeSealedText` as bytes; returns why it is not trusted otherwise. Never throws. */
export function readSealedText(
  path: string,
  kind: string,
  key: Buffer,
): { readonly text: Buffer } | Extract<Unsealed, { problem: string }> {
  let bytes: Buffer | undefined;
  try {
    bytes = read(path);
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "unreadable" };
  }
  if (bytes === undefined) return { problem: "unreadable" };
  const text = bytes.subarray(sealLength + 1, -1);
  const given = bytes.subarray(0, sealLength);
  const expected = Buffer.from(sealOf(kind, text, key), "ascii");
  const whole = bytes[sealLength] === newline && bytes.at(-1) === newline;
  const holds = whole && given.length === expected.length && timingSafeEqual(given, expected);
  return holds ? { text } : { problem: "altered" };
}

/**
 * The text of a sealed file whose seal held when it was `verified` (`fileIdentity`), read in parts. It stays open between
 * reads: replacing the file at its path also changes its identity, since the open file loses its name. Where a file that is
 * open cannot be replaced, it is opened for each part.
 */
export class VerifiedText {
  readonly #path: string;
  readonly #verified: string;
  #file: number | undefined;

  constructor(path: string, verified: string) {
    this.#path = path;
    this.#verified = verified;
  }

  /** Reads some bytes. Throws when there are fewer, when the file has changed since, and for errors of the file system. */
  read(at: number, length: number): Buffer {
    const bytes = this.readUpTo(at, length);
    if (bytes.length < length) throw new Error(`\`${this.#path}\` is shorter than it was`);
    return bytes;
  }

  /** The same, or as many bytes as there are; they may include the line break after the text. */
  readUpTo(at: number, length: number): Buffer {
    this.#file ??= openSync(this.#path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const bytes = Buffer.allocUnsafe(length);
      let done = 0;
      while (done < length) {
        const count = readSync(this.#file, bytes, done, length - done, sealLength + 1 + at + done);
        if (count === 0) break;
        done += count;
      }
      // Checked after the read: any change before or during it shows in the file's times.
      const stat = fstatSync(this.#file, { bigint: true });
      if (!stat.isFile() || identityOf(stat) !== this.#verified)
        throw new Error(`\`${this.#path}\` was changed while it was in use`);
      return bytes.subarray(0, done);
    } finally {
      if (process.platform === "win32") this.close();
    }
  }

  /** Closes the file. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) closeSync(file);
  }
}

/** Digits of a seal. */
const sealLength = 64;
const newline = 10;

function sealOf(kind: string, text: Uint8Array, key: Buffer): string {
  return createHmac("sha256", key).update(`hookwarden-${kind}-v2\n`).update(text).digest("hex");
}

/** Returns an identity of a file's current state that no other state of it shares: every write changes its times. */
export function fileIdentity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && identityOf(stat);
}

/** Returns the time of a file's last write, in milliseconds since the epoch, by its identity. */
export function changedAt(identity: string): number {
  return Number(identity.split(" ")[3]) / 1e6;
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

function read(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
