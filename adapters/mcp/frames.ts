import { type Envelope, EnvelopeScan } from "./envelope-scan.ts";

/** One message as it was received: its text, or why there is none. An empty line is no message. */
export type Frame =
  | { readonly kind: "text"; readonly text: string }
  /** Not UTF-8. */
  | { readonly kind: "unreadable" }
  /** Longer than a message may be: it is skipped, and only its envelope is known. */
  | { readonly kind: "oversized"; readonly envelope: Envelope };

const newline = 10;

/**
 * Cuts a byte stream into messages, one a line (MCP over stdio), and holds at most `maxBytes` of one. Longer messages are
 * not held: only their id and method are read, so that whoever waits gets an answer.
 */
export class FrameReader {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #held = 0;
  #scan: EnvelopeScan | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Yields the messages that end within this chunk. */
  *push(chunk: Uint8Array): Generator<Frame> {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      this.#hold(chunk.subarray(start, at));
      yield* this.#take();
      start = at + 1;
    }
    if (start < chunk.length) this.#hold(chunk.slice(start));
  }

  /** Yields the last message, if bytes are left without a line break. */
  *end(): Generator<Frame> {
    yield* this.#take();
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0) return;
    if (!this.#scan && this.#held + part.length > this.#maxBytes) {
      this.#scan = new EnvelopeScan();
      for (const held of this.#parts) this.#scan.feed(held);
      this.#parts = [];
    }
    if (this.#scan) return this.#scan.feed(part);
    this.#parts.push(part);
    this.#held += part.length;
  }

  *#take(): Generator<Frame> {
    const parts = this.#parts;
    const scan = this.#scan;
    this.#parts = [];
    this.#held = 0;
    this.#scan = undefined;
    if (scan) yield { kind: "oversized", envelope: scan.envelope() };
    else if (parts.length > 0) yield* decoded(parts);
  }
}

function* decoded(parts: readonly Uint8Array[]): Generator<Frame> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    yield { kind: "unreadable" };
    return;
  }
  if (text.trim() !== "") yield { kind: "text", text };
}
