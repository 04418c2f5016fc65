/** One message between the daemon's front and a judge, in either direction. */
export interface Frame {
  readonly kind: FrameKind;
  /** The call of the message; 0 if there is none. */
  readonly call: number;
  readonly body: Buffer;
}

/**
 * Kinds of messages. The judge sends `loaded` once it is ready, and `begun` before it handles a call. It sends `free` when
 * it can hear another call while the last one waits, and `answer` with the hook's reply. The front sends `ask`.
 */
export type FrameKind = (typeof kinds)[number];

const kinds = ["loaded", "ask", "begun", "free", "answer"] as const;

/** Size of the header: length of the rest, kind, call. */
const headBytes = 9;

/** Largest frame, in bytes; no valid one is larger: an event with all its texts twice, and more. */
const largestFrame = 134_217_728;

/** Encodes a frame as bytes. */
export function frameBytes(kind: FrameKind, call: number, body: Uint8Array = new Uint8Array(0)): Uint8Array[] {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length, 0);
  head.writeUInt8(kinds.indexOf(kind), 4);
  head.writeUInt32BE(call, 5);
  return body.length === 0 ? [head] : [head, body];
}

/** Takes bytes in any pieces and returns complete frames. Each byte is copied once. */
export class FrameReader {
  #parts: Buffer[] = [];
  #length = 0;
  #wanted = headBytes;

  /** Returns the frames that these bytes complete. Throws for an invalid frame: the bytes after it cannot be read either. */
  take(bytes: Buffer): Frame[] {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    const frames: Frame[] = [];
    if (this.#length < this.#wanted) return frames;
    let rest = this.#parts.length === 1 ? bytes : Buffer.concat(this.#parts, this.#length);
    this.#wanted = headBytes;
    while (rest.length >= headBytes) {
      const end = headBytes + rest.readUInt32BE(0);
      const kind = kinds[rest.readUInt8(4)];
      if (kind === undefined || end > largestFrame) throw new Error("no frame");
      this.#wanted = end;
      if (rest.length < end) break;
      frames.push({ kind, call: rest.readUInt32BE(5), body: rest.subarray(headBytes, end) });
      rest = rest.subarray(end);
      this.#wanted = headBytes;
    }
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    return frames;
  }
}
