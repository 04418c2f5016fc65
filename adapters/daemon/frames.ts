/** One message between the daemon's front and a judge, in either direction. */
export interface Frame {
  readonly kind: FrameKind;
  /** The call that it is about; 0 where it is about none. */
  readonly call: number;
  readonly body: Buffer;
}

/**
 * The judge says `loaded` once it can be asked, `begun` before it looks at a call, `free` when it can hear of another one
 * while the last one waits for something, and `answer` with what the hook reads back. The front says `ask`.
 */
export type FrameKind = (typeof kinds)[number];

const kinds = ["loaded", "ask", "begun", "free", "answer"] as const;

/** Length of what follows, kind, call. */
const headBytes = 9;

/** Bytes of a frame that nobody means: an event with all that it says twice, and more. */
const largestFrame = 134_217_728;

/** A frame as bytes. */
export function frameBytes(kind: FrameKind, call: number, body: Uint8Array = new Uint8Array(0)): Uint8Array[] {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length, 0);
  head.writeUInt8(kinds.indexOf(kind), 4);
  head.writeUInt32BE(call, 5);
  return body.length === 0 ? [head] : [head, body];
}

/** Takes bytes in any pieces and gives the frames that are whole. Each byte is copied once. */
export class FrameReader {
  #parts: Buffer[] = [];
  #length = 0;
  #wanted = headBytes;

  /** The frames that these bytes end. Throws for what is none: what comes after it cannot be read either. */
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
