/** Characters of a word that are looked up at once. */
export const headLength = 3;

/** Places of the table of heads: five bits of each character, which letters of either case share. */
export const headPlaces = 0x8000;

/** Returns the index of the head that ends in a character, from the index of the previous head. */
export function headPlace(before: number, byte: number): number {
  return ((before << 5) | (byte & 31)) & (headPlaces - 1);
}

/** The word of an index, found so that its last character is at `end - 1`. */
export interface FoundWord {
  readonly word: number;
  readonly end: number;
}

/** A `WordStarts` as texts, for a build that makes it once; numbers are in base64. */
export interface PackedStarts {
  readonly text: string;
  readonly ends: string;
  readonly heads: string;
  readonly starts: string;
  readonly order: string;
}

/**
 * ASCII words by how they begin. Finds them in short texts without the table of an automaton, which takes longer to make than
 * a short text takes to search. All of it is arrays of numbers, so that a build can make them and a process only reads them.
 */
export class WordStarts {
  /** All words, one after the other, and the end of each in it. */
  readonly #text: string;
  readonly #ends: Int32Array;
  /** One bit by `headPlace`: set where three characters may begin a word, or where a shorter word may end. */
  readonly #heads: Uint8Array;
  /** The first three characters of each word as a number, ascending; of shorter words, all of theirs. */
  readonly #starts: Int32Array;
  /** The word of each start. */
  readonly #order: Int32Array;

  private constructor(text: string, ends: Int32Array, heads: Uint8Array, starts: Int32Array, order: Int32Array) {
    this.#text = text;
    this.#ends = ends;
    this.#heads = heads;
    this.#starts = starts;
    this.#order = order;
  }

  static of(words: readonly string[]): WordStarts {
    const ends = new Int32Array(words.length);
    let end = 0;
    words.forEach((word, i) => {
      end += word.length;
      ends[i] = end;
    });
    const pairs = words
      .flatMap((word, i): readonly (readonly [number, number])[] => (word === "" ? [] : [[startOfWord(word), i]]))
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const starts = Int32Array.from(pairs, ([start]) => start);
    return new WordStarts(
      words.join(""),
      ends,
      headsOf(words),
      starts,
      Int32Array.from(pairs, ([, word]) => word),
    );
  }

  static unpacked({ text, ends, heads, starts, order }: PackedStarts): WordStarts {
    const bits = new Uint8Array(Buffer.from(heads, "base64"));
    return new WordStarts(text, numbersOf(ends), bits, numbersOf(starts), numbersOf(order));
  }

  packed(): PackedStarts {
    return {
      text: this.#text,
      ends: packedNumbers(this.#ends),
      heads: Buffer.from(this.#heads).toString("base64"),
      starts: packedNumbers(this.#starts),
      order: packedNumbers(this.#order),
    };
  }

  /** The words, in the order in which they were given. */
  get words(): readonly string[] {
    return Array.from(this.#ends, (_, i) => this.word(i));
  }

  word(index: number): string {
    return this.#text.slice(this.#beginOf(index), this.#ends[index]);
  }

  /** The bits of heads as bytes, for a search that reads one for each character. */
  get headBytes(): Uint8Array {
    const bytes = new Uint8Array(headPlaces);
    for (let at = 0; at < headPlaces; at++) bytes[at] = this.#hasHead(at) ? 1 : 0;
    return bytes;
  }

  /** Finds words in the order of an automaton: by their ends; of those with the same end, the longest first. */
  in(bytes: Uint8Array, length: number): readonly FoundWord[] {
    const found: FoundWord[] = [];
    let head = 0;
    for (let at = 0; at < length; at++) {
      head = headPlace(head, bytes[at] as number);
      if (!this.#hasHead(head)) continue;
      for (let given = 1; given <= headLength && given <= at + 1; given++)
        this.#beginning(bytes, at + 1 - given, given, length, found);
    }
    return found.sort((a, b) => a.end - b.end || this.#lengthOf(b.word) - this.#lengthOf(a.word) || a.word - b.word);
  }

  #hasHead(place: number): boolean {
    return ((this.#heads[place >> 3] as number) & (1 << (place & 7))) !== 0;
  }

  /** Adds the words that begin at an offset with the given number of characters. */
  #beginning(bytes: Uint8Array, from: number, given: number, length: number, found: FoundWord[]): void {
    const start = startOf(bytes, from, given);
    for (let i = this.#first(start); i < this.#starts.length && this.#starts[i] === start; i++) {
      const word = this.#order[i] as number;
      if (this.#stands(word, bytes, from, length)) found.push({ word, end: from + this.#lengthOf(word) });
    }
  }

  /** Returns the place of the first of several equal starts. */
  #first(start: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] as number) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #beginOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] as number);
  }

  #lengthOf(index: number): number {
    return (this.#ends[index] as number) - this.#beginOf(index);
  }

  #stands(index: number, bytes: Uint8Array, from: number, length: number): boolean {
    const begin = this.#beginOf(index);
    const size = this.#lengthOf(index);
    if (from + size > length) return false;
    for (let i = headLength; i < size; i++)
      if (foldedByte(bytes[from + i] as number) !== foldedByte(this.#text.charCodeAt(begin + i) & 255)) return false;
    return true;
  }
}

/** Returns numbers in base64, each as four bytes, the lowest first. */
export function packedNumbers(numbers: ArrayLike<number>): string {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (let i = 0; i < numbers.length; i++) bytes.writeInt32LE(numbers[i] as number, i * 4);
  return bytes.toString("base64");
}

/** Reads numbers that `packedNumbers` wrote. */
export function numbersOf(text: string): Int32Array {
  const bytes = Buffer.from(text, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const numbers = new Int32Array(bytes.length >> 2);
  for (let i = 0; i < numbers.length; i++) numbers[i] = view.getInt32(i * 4, true);
  return numbers;
}

function headsOf(words: readonly string[]): Uint8Array {
  const heads = new Uint8Array(headPlaces >> 3);
  for (const word of words) {
    const given = Math.min(word.length, headLength);
    let place = 0;
    for (let i = 0; i < given; i++) place = headPlace(place, word.charCodeAt(i));
    const step = 1 << (5 * given);
    for (let at = place & (step - 1); at < headPlaces; at += step)
      heads[at >> 3] = (heads[at >> 3] as number) | (1 << (at & 7));
  }
  return heads;
}

/** Returns the first characters of a word as one number, which also encodes how many they are. */
function startOf(bytes: Uint8Array, from: number, given: number): number {
  let start = given;
  for (let i = 0; i < given; i++) start = start * 256 + foldedByte(bytes[from + i] as number);
  return start;
}

function startOfWord(word: string): number {
  const given = Math.min(word.length, headLength);
  let start = given;
  for (let i = 0; i < given; i++) start = start * 256 + foldedByte(word.charCodeAt(i) & 255);
  return start;
}

function foldedByte(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}
