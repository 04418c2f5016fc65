import { largestRequest, longestMark, markOf } from "./request.ts";

/** State of a request after the bytes so far. */
export type Heard = "more" | "whole" | "none" | "too much";

/** Cost of one read in addition to its bytes: otherwise a request in single bytes would keep the front busy for the others. */
const readCost = 128;

/** Maximum cost of a request: its bytes, and the reads in which they come. */
const allowed = largestRequest + 8_192 * readCost;

/**
 * Assembles a request from pieces. Each piece is scanned once, plus at most a mark's length of the bytes before it (`looked`
 * counts bytes), whatever its content.
 */
export class RequestReader {
  /** Number of bytes scanned. */
  looked = 0;
  /** Number of bytes received. */
  length = 0;
  #parts: Buffer[] = [];
  #charged = 0;
  /** The line that ends a part, with the line break before it; undefined until the first line has arrived. */
  #line: Buffer | undefined;
  #middle = -1;
  /** The last bytes received, fewer than the line has. */
  #tail: Buffer = Buffer.alloc(0);

  /** Takes a piece. After any result but `more` it takes no further pieces. */
  take(piece: Buffer): Heard {
    this.#parts.push(piece);
    this.length += piece.length;
    this.#charged += piece.length + readCost;
    if (this.length > largestRequest || this.#charged > allowed) return "too much";
    if (this.#line) return this.#search(this.#line, piece);
    const begin = this.#parts.length === 1 ? piece : Buffer.concat(this.#parts, this.length);
    this.looked += Math.min(begin.length, longestMark);
    const first = begin.toString("latin1", 0, longestMark);
    if (!first.includes("\n")) return begin.length < longestMark ? "more" : "none";
    const mark = markOf(first);
    if (mark === undefined) return "none";
    this.#line = Buffer.from(`\n${mark}\n`, "latin1");
    this.#parts = [begin];
    return this.#search(this.#line, begin);
  }

  /** Returns the whole request. */
  bytes(): Buffer {
    return this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.length);
  }

  /** Offset of the payload. */
  get payloadAt(): number {
    return this.#middle + (this.#line?.length ?? 0);
  }

  #search(line: Buffer, piece: Buffer): Heard {
    const tail = this.#tail.length;
    const near = tail === 0 ? piece : Buffer.concat([this.#tail, piece]);
    if (this.#middle < 0) {
      this.looked += near.length;
      const found = near.indexOf(line);
      if (found >= 0) this.#middle = this.length - near.length + found;
    }
    this.#tail = Buffer.from(near.subarray(Math.max(0, near.length - line.length + 1)));
    const end = near.subarray(Math.max(0, near.length - line.length));
    this.looked += end.length;
    return this.#middle >= 0 && this.#middle < this.length - line.length && end.equals(line) ? "whole" : "more";
  }
}
