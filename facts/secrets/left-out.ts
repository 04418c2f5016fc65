import type { EncodedPiece } from "./encodings.ts";

/** Builder of a piece of a text from which parts are left out. */
export class LeftOut {
  /** End of the part that was left out last. */
  last: number;
  readonly #text: string;
  readonly #start: number;
  readonly #parts: string[] = [];
  /** For each omitted part: its offset in the text without it, and the source offset after it. */
  readonly #places: number[] = [];
  readonly #behind: number[] = [];
  #length = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.last = start;
  }

  /** Leaves a part out; parts come from left to right. */
  leaveOut(start: number, end: number): void {
    this.#parts.push(this.#text.slice(this.last, start));
    this.#length += start - this.last;
    this.#places.push(this.#length);
    this.#behind.push(end);
    this.last = end;
  }

  /** Returns the piece, whose text ends at an offset. */
  finish(end: number): EncodedPiece {
    return {
      text: this.#parts.join("") + this.#text.slice(this.last, end),
      end,
      cutStart: this.#start > 0,
      cutEnd: end < this.#text.length,
      span: (from, to) => [this.#source(from), this.#source(to - 1) + 1],
    };
  }

  /** Returns the source offset of the character at a place. */
  #source(place: number): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] as number) <= place) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return this.#start + place;
    return (this.#behind[low - 1] as number) + place - (this.#places[low - 1] as number);
  }
}
