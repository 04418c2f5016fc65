import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { limits } from "../../schema/limits.ts";
import { socketInput } from "./socket-input.ts";

/** Bytes asked for at once: most payloads are smaller. */
const chunkBytes = 65_536;

/** Milliseconds before an empty pipe is read again: the first wait and the longest. */
const [firstWait, longestWait] = [1, 16];

/**
 * Returns the standard input of a hook. A file or pipe is read by plain calls, because making a stream takes longer than
 * reading most payloads. These calls do not block, so that a host that never ends its payload still gets its answer in time.
 * A socket cannot be read this way and is read by its handle (`socketInput`); anything else is read as a stream. Read errors
 * are thrown.
 */
export function standardInput(): AsyncIterable<Uint8Array> {
  const stat = fstatSync(0);
  if (stat.isFile()) return readAll(0);
  const own = stat.isFIFO() ? reopened() : undefined;
  if (own !== undefined) return readAll(own);
  const socket = stat.isSocket() ? socketInput(0) : undefined;
  return socket ? once(socket) : streamed(process.stdin);
}

async function* once(whole: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await whole;
}

/** Reopens the pipe of standard input in non-blocking mode; undefined if that fails. */
function reopened(): number | undefined {
  try {
    return openSync("/dev/stdin", constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    return undefined;
  }
}

async function* readAll(file: number): AsyncGenerator<Uint8Array> {
  try {
    for (let wait = firstWait; ; ) {
      const chunk = readChunk(file);
      if (chunk?.length === 0) return;
      if (chunk) yield chunk;
      else {
        await new Promise((done) => setTimeout(done, wait));
        wait = Math.min(2 * wait, longestWait);
      }
    }
  } finally {
    if (file !== 0) closeSync(file);
  }
}

/** Reads the bytes available now: empty at the end of the input, undefined if more may come later. */
function readChunk(file: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafe(chunkBytes);
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, chunkBytes, null));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw fault;
  }
}

/** Yields all of a stream at once, because an iterator is slower. Stops once there is more than a payload may have. */
async function* streamed(stream: NodeJS.ReadStream): AsyncGenerator<Uint8Array> {
  yield await new Promise<Uint8Array>((done, failed) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    stream.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limits.eventBytes) done(Buffer.concat(chunks));
    });
    stream.on("end", () => done(Buffer.concat(chunks)));
    stream.on("error", failed);
  });
}
