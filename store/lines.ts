import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const newline = 10;

/** One line of a byte stream, without its line break. `number` counts from 1. */
export interface Line {
  readonly number: number;
  /** Undefined when the line is longer than the bound; it was read past, not held. */
  readonly bytes: Uint8Array | undefined;
  /** False for a last line that has no line break. */
  readonly complete: boolean;
}

/** Cuts chunks into lines, holding at most `maxBytes` of one line. */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #oversized = false;
  #number = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end within this chunk. */
  *push(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    for (let at = chunk.indexOf(newline, start); at >= 0; at = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, at));
      yield this.#take(true);
      start = at + 1;
    }
    if (start < chunk.length) this.#hold(chunk.slice(start));
  }

  /** The last line, if bytes are left that no line break followed. */
  *end(): Generator<Line> {
    if (this.#held > 0 || this.#oversized) yield this.#take(false);
  }

  #hold(part: Uint8Array): void {
    if (this.#held + part.length > this.#maxBytes) {
      this.#oversized = true;
      this.#parts = [];
    }
    if (this.#oversized || part.length === 0) return;
    this.#parts.push(part);
    this.#held += part.length;
  }

  #take(complete: boolean): Line {
    const bytes = this.#oversized ? undefined : joined(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    this.#oversized = false;
    this.#number += 1;
    return { number: this.#number, bytes, complete };
  }
}

/** Lines of a stream as it arrives; memory is bounded by `maxBytes` and one chunk. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const splitter = new LineSplitter(maxBytes);
  for await (const chunk of stream) yield* splitter.push(chunk);
  yield* splitter.end();
}

/**
 * Yields the lines of a regular file, in constant memory. Throws for anything that is not a regular file, and for errors of the
 * file system.
 */
export function* linesOfFile(path: string, maxBytes: number): Generator<Line> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error("it is not a regular file");
    const splitter = new LineSplitter(maxBytes);
    for (;;) {
      const chunk = new Uint8Array(65_536);
      const count = readSync(file, chunk, 0, chunk.length, null);
      if (count === 0) break;
      yield* splitter.push(chunk.subarray(0, count));
    }
    yield* splitter.end();
  } finally {
    closeSync(file);
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
