import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Lines of our own logs are shorter than this. */
const tailBytes = 1_048_576;

/** Returns the last complete line of a file, without its line break; undefined if there is none. Throws the errors of reading. */
export function lastLine(path: string): Uint8Array | undefined {
  const bytes = readRange(path, -tailBytes);
  const end = bytes.lastIndexOf(10);
  return end < 0 ? undefined : bytes.subarray(bytes.lastIndexOf(10, end - 1) + 1, end);
}

/** Size of a file up to its last line break. Throws what reading throws. */
export function wholeSize(path: string): number {
  const bytes = readRange(path, 0);
  return bytes.lastIndexOf(10) + 1;
}

/** Returns the bytes of a regular file from an offset on, counted from its end if negative; none if there is no file. */
export function readRange(path: string, from: number): Uint8Array {
  const file = openRegular(path);
  if (file === undefined) return new Uint8Array(0);
  try {
    const { size } = fstatSync(file);
    const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size);
    const bytes = new Uint8Array(size - start);
    let done = 0;
    while (done < bytes.length) {
      const count = readSync(file, bytes, done, bytes.length - done, start + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  } finally {
    closeSync(file);
  }
}

function openRegular(path: string): number | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`\`${path}\` is not a regular file`);
}
