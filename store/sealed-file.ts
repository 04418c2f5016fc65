import { createHmac, timingSafeEqual } from "node:crypto";
import { closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { canonicalJson } from "../engine/canonical.ts";
import { writeAtomically } from "./output-file.ts";

/** Bytes of a sealed file: a plan is the largest. */
const maxBytes = 67_108_864;

/** What a sealed file holds, or why nothing in it is believed. */
export type Unsealed = { readonly value: unknown } | { readonly problem: "absent" | "unreadable" | "altered" };

/**
 * Writes a value with a seal over it and over what kind of file it is (HMAC-SHA-256 with the install key). Folders are made
 * with mode 0700. Throws what the file system throws.
 */
export function writeSealed(path: string, kind: string, value: unknown, key: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeAtomically(path, `${canonicalJson({ kind, seal: sealOf(kind, value, key), value })}\n`);
}

/** Reads what `writeSealed` wrote. Anything else, and a file of another kind, is altered. Never throws. */
export function readSealed(path: string, kind: string, key: Buffer): Unsealed {
  let text: string | undefined;
  try {
    text = read(path);
  } catch (error) {
    return { problem: (error as NodeJS.ErrnoException).code === "ENOENT" ? "absent" : "unreadable" };
  }
  if (text === undefined) return { problem: "unreadable" };
  try {
    const given = JSON.parse(text) as { kind?: unknown; seal?: unknown; value?: unknown };
    if (given.kind !== kind || typeof given.seal !== "string") return { problem: "altered" };
    const expected = Buffer.from(sealOf(kind, given.value, key));
    const seal = Buffer.from(given.seal);
    const holds = seal.length === expected.length && timingSafeEqual(seal, expected);
    return holds ? { value: given.value } : { problem: "altered" };
  } catch {
    return { problem: "altered" };
  }
}

function sealOf(kind: string, value: unknown, key: Buffer): string {
  return createHmac("sha256", key)
    .update(`hookwarden-${kind}-v1\n${canonicalJson(value)}`)
    .digest("hex");
}

function read(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(file, "utf8") : undefined;
  } finally {
    closeSync(file);
  }
}
