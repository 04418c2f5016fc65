import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { limits } from "../../schema/limits.ts";
import { type Line, linesOf } from "../../store/lines.ts";

/** Maximum bytes of a line: more than the largest event takes, since JSON may escape every byte. */
export const lineBytes = limits.eventBytes * 8;

/**
 * Reads the lines of a file of records, in constant memory. A compressed file is recognized by its first two bytes, not by
 * its name. Throws errors of the file system or the decompression, and throws if it is no regular file.
 */
export async function* linesOfRecords(path: string): AsyncGenerator<Line> {
  const packed = await isPacked(path);
  const stream = createReadStream(path);
  const bytes = packed ? createGunzip() : stream;
  if (bytes !== stream) {
    stream.on("error", (error) => bytes.destroy(error));
    stream.pipe(bytes as ReturnType<typeof createGunzip>);
  }
  try {
    yield* linesOf(bytes as AsyncIterable<Uint8Array>, lineBytes);
  } finally {
    stream.destroy();
    bytes.destroy();
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file");
    const { bytesRead, buffer } = await file.read(new Uint8Array(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** A line as JSON: the value, the reason why it is none, or undefined for a blank line. */
export type JsonLine = { readonly value: unknown } | { readonly why: string } | undefined;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a line as JSON. Messages do not quote the line, which may hold a secret. */
export function jsonOfLine(line: Line): JsonLine {
  if (!line.bytes) return { why: "the line is too long" };
  let text: string;
  try {
    text = utf8.decode(line.bytes);
  } catch {
    return { why: "the line is not UTF-8" };
  }
  if (text.trim() === "") return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { why: line.complete ? "the line is not JSON" : "the last line was not finished" };
  }
}

/** An object from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object and no list. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Returns an own field that is text. */
export function textOf(fields: Fields | undefined, name: string): string | undefined {
  const value = fields && Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
