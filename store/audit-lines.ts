import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { type Line, linesOf, linesOfFile } from "./lines.ts";

/** Bytes of one record: above the record of an event of the largest size, since JSON may escape every byte. */
export const recordBytes = 134_217_728;

/**
 * Hands the lines of an audit file, plain or `.gz`, to `each` in order, in constant memory. Rejects with what reading or
 * unpacking throws.
 */
export async function eachAuditLine(path: string, each: (line: Line) => void): Promise<void> {
  if (!path.endsWith(".gz")) for (const line of linesOfFile(path, recordBytes)) each(line);
  else {
    const packed = createReadStream(path);
    const unpacked = packed.on("error", (error) => unpacked.destroy(error)).pipe(createGunzip());
    for await (const line of linesOf(unpacked, recordBytes)) each(line);
  }
}
