import { createHmac, timingSafeEqual } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { canonicalJson } from "../engine/canonical.ts";
import { writeAtomically } from "./output-file.ts";

/** Bytes of a sealed file: a plan is the largest. */
const maxBytes = 67_108_864;

/** What a sealed file holds, or why nothing in it is believed. */
export type Unsealed = { readonly value: unknown } | { readonly problem: "absent" | "unreadable" | "altered" };

/**
 * Writes a value with a seal before it: HMAC-SHA-256 with the install key, over what kind of file it is and over the text of
 * the value, byte for byte, so that a reader need not write it anew. Folders are made with mode 0700. Throws what the file
 * system throws.
 */
export function writeSealed(path: string, kind: string, value: unknown, key: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const text = Buffer.from(canonicalJson(value), "utf8");
  writeAtomically(path, `${sealOf(kind, text, key)}\n${text.toString("utf8")}\n`);
}

/**
 * Reads what `writeSealed` wrote. Anything else, and a file of another kind, is altered. A file whose seal is known to have
 * held when it was `verified` (`fileIdentity`), and that is the very same since, is not verified again. Never throws.
 */
export function readSealed(path: string, kind: string, key: Buffer, verified?: string): Unsealed {
  let bytes: Buffer | undefined;
  let known = false;
  try {
    const found = read(path);
    bytes = found?.bytes;
    known = found !== undefined && found.is === verified;
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "unreadable" };
  }
  if (bytes === undefined) return { problem: "unreadable" };
  try {
    const text = bytes.subarray(sealLength + 1, -1);
    if (known) return { value: JSON.parse(text.toString("utf8")) };
    const given = bytes.subarray(0, sealLength);
    const expected = Buffer.from(sealOf(kind, text, key), "ascii");
    const whole = bytes[sealLength] === newline && bytes.at(-1) === newline;
    const holds = whole && given.length === expected.length && timingSafeEqual(given, expected);
    return holds ? { value: JSON.parse(text.toString("utf8")) } : { problem: "altered" };
  } catch {
    return { problem: "altered" };
  }
}

/** Digits of a seal. */
const sealLength = 64;
const newline = 10;

function sealOf(kind: string, text: Uint8Array, key: Buffer): string {
  return createHmac("sha256", key).update(`hookwarden-${kind}-v2\n`).update(text).digest("hex");
}

/** What tells one state of a file from all that it had or will have: no write leaves its times as they were. */
export function fileIdentity(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && identityOf(stat);
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

function read(path: string): { readonly bytes: Buffer; readonly is: string } | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file, { bigint: true });
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    const bytes = readFileSync(file);
    const is = identityOf(stat);
    return { bytes, is: identityOf(fstatSync(file, { bigint: true })) === is ? is : "" };
  } finally {
    closeSync(file);
  }
}
