/** UTF-16 units looked at in one go; a power of two that stays in the first cache with the hot part of the table. */
const chunkLength = 32_768;

/** Looks at the bytes of one chunk, which stand for the units from an offset on, while they are at hand. */
export type OnChunk = (bytes: Uint8Array, length: number, from: number) => void;

/**
 * Finds every occurrence of many ASCII words in one pass, whatever their number: Aho-Corasick with a full transition
 * table over classes of bytes. Letter case is folded. A text is read through a small byte buffer that holds the low
 * byte of each UTF-16 unit, so offsets are those of the text; other characters can look like a word, which the caller
 * checks, but never hide one. Source: libraries page, figures.
 */
export class KeywordAutomaton {
  readonly #classes = new Uint8Array(256);
  /** Next state by `state + class`; a state is its row's offset. */
  readonly #next: Int32Array;
  /** States from here on end a word. */
  readonly #accepting: number;
  readonly #width: number;
  /** Words that end in an accepting state, longest first, by rank. */
  readonly #outputs: readonly (readonly number[])[];
  #bytes: Buffer | undefined;

  constructor(words: readonly string[]) {
    let classes = 1;
    for (const word of words) {
      const text = folded(word);
      for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i) & 255;
        if (this.#classes[c] === 0) this.#classes[c] = classes++;
      }
    }
    for (let c = 65; c <= 90; c++) this.#classes[c] = this.#classes[c + 32] as number;
    this.#width = classes;
    const trie = new Trie(words, this.#classes, classes);
    this.#next = trie.next;
    this.#accepting = trie.accepting;
    this.#outputs = trie.outputs;
  }

  /** Calls back for each word that ends, from left to right. The callback must not scan in turn. */
  scan(text: string, onWord: (word: number, end: number) => void, onChunk?: OnChunk): void {
    this.#bytes ??= Buffer.allocUnsafeSlow(chunkLength);
    let state = 0;
    for (let from = 0; from < text.length; from += chunkLength) {
      const length = Math.min(chunkLength, text.length - from);
      this.#bytes.write(length === text.length ? text : text.slice(from, from + length), 0, length, "latin1");
      state = this.#run(this.#bytes, length, state, from + 1, onWord);
      onChunk?.(this.#bytes, length, from);
    }
  }

  #run(
    bytes: Uint8Array,
    length: number,
    start: number,
    base: number,
    onWord: (word: number, end: number) => void,
  ): number {
    const classes = this.#classes;
    const next = this.#next;
    const accepting = this.#accepting;
    let state = start;
    for (let at = 0; at < length; at++) {
      state = next[state + (classes[bytes[at] as number] as number)] as number;
      if (state >= accepting) {
        const words = this.#outputs[(state - accepting) / this.#width] as readonly number[];
        for (let i = 0; i < words.length; i++) onWord(words[i] as number, base + at);
      }
    }
    return state;
  }
}

/** The words as a trie in a table, then as one in which every state has all transitions and accepting states come last. */
class Trie {
  readonly next: Int32Array;
  readonly accepting: number;
  readonly outputs: readonly (readonly number[])[];
  readonly #width: number;
  /** Child by `state * width + class`; 0 for none. */
  readonly #table: Int32Array;
  readonly #ends: (number[] | undefined)[] = [undefined];
  #states = 1;

  constructor(words: readonly string[], classes: Uint8Array, width: number) {
    this.#width = width;
    this.#table = new Int32Array((words.reduce((sum, { length }) => sum + length, 0) + 1) * width);
    for (let index = 0; index < words.length; index++) this.#add(folded(words[index] as string), index, classes);
    this.#link();
    const place = new Int32Array(this.#states);
    const final: (readonly number[])[] = [];
    const plain = this.#ends.reduce((count, ends) => count + (ends ? 0 : 1), 0);
    for (let state = 0, at = 0; state < this.#states; state++) {
      const ends = this.#ends[state];
      place[state] = (ends ? plain + final.push(ends) - 1 : at++) * width;
    }
    this.next = new Int32Array(this.#states * width);
    for (let state = 0; state < this.#states; state++) {
      const to = place[state] as number;
      for (let c = 0; c < width; c++) this.next[to + c] = place[this.#table[state * width + c] as number] as number;
    }
    this.accepting = plain * width;
    this.outputs = final;
  }

  #add(word: string, index: number, classes: Uint8Array): void {
    let state = 0;
    for (let i = 0; i < word.length; i++) {
      const at = state * this.#width + (classes[word.charCodeAt(i) & 255] as number);
      if (this.#table[at] === 0) {
        this.#table[at] = this.#states++;
        this.#ends.push(undefined);
      }
      state = this.#table[at] as number;
    }
    if (state === 0) return;
    this.#ends[state] ??= [];
    this.#ends[state]?.push(index);
  }

  /** Where a word cannot go on, the longest suffix that begins one does. States are met breadth first. */
  #link(): void {
    const fail = new Int32Array(this.#states);
    const queue = new Int32Array(this.#states);
    for (let head = 0, tail = 1; head < tail; head++) {
      const state = queue[head] as number;
      const back = (fail[state] as number) * this.#width;
      for (let c = 0; c < this.#width; c++) {
        const at = state * this.#width + c;
        const child = this.#table[at] as number;
        const other = state === 0 ? 0 : (this.#table[back + c] as number);
        if (child === 0) this.#table[at] = other;
        else {
          fail[child] = other;
          queue[tail++] = child;
        }
      }
      const more = this.#ends[fail[state] as number];
      if (state !== 0 && more) this.#ends[state] = [...(this.#ends[state] ?? []), ...more];
    }
  }
}

/** Lower case for ASCII letters alone: other letters must keep their low byte. */
function folded(word: string): string {
  return word.replace(/[A-Z]/g, (c) => c.toLowerCase());
}
