import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { limits } from "../../schema/limits.ts";
import { socketInput } from "./socket-input.ts";

/** Bytes asked for at once: most payloads are smaller. */
const chunkBytes = 65_536;

/** Milliseconds after which a pipe that had nothing is looked at again, at first and at most. */
const [firstWait, longestWait] = [1, 16];

/**
 * Standard input of a hook. A file or pipe is read by plain calls, since a stream takes longer to make than most payloads to
 * read. None of them waits, so that a host that never ends its payload is answered in time all the same; a socket, which no
 * such call reads, is read by its handle (`socketInput`), and what is left as a stream. Throws what reading throws.
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

/** The pipe that is standard input, opened anew so that reading from it does not wait. */
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

/** What there is; nothing of it at the end, undefined where there may be more later. */
function readChunk(file: number): Uint8Array | undefined {
  const bytes = Buffer.allocUnsafe(chunkBytes);
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, chunkBytes, null));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw fault;
  }
}

/** All of a stream at once, and of one that is larger than any payload as much as shows that: an iterator is slower. */
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
