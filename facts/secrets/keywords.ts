import { spend } from "../meter.ts";
import { headLength, headPlace, WordStarts } from "./word-starts.ts";

/** UTF-16 units searched at a time: a power of two that fits into the first-level cache with the hot part of the table. */
const chunkLength = 32_768;

/** Shorter texts are copied here faster than by a call of the platform. */
const shortLength = 48;

/** Reads the bytes of one chunk, the units from an offset on, while they are in the buffer. */
export type OnChunk = (bytes: Uint8Array, length: number, from: number) => void;

/**
 * Replaces the long s and the Kelvin sign by `s` and `k`, which case-insensitive patterns match too. Offsets stay the same: each
 * is one UTF-16 unit. The result is searched only for keywords and the text beside them.
 */
export function plainLetters(text: string): string {
  if (!text.includes("\u017f") && !text.includes("\u212a")) return text;
  return text.replaceAll("\u017f", "s").replaceAll("\u212a", "k");
}

/**
 * Finds every occurrence of any number of ASCII words in one pass: Aho-Corasick with a full transition table over classes of
 * bytes. Letter case is folded. A text is read through a small byte buffer that holds the low byte of each UTF-16 unit, so
 * offsets are those of the text; other characters can look like a word, which the caller checks, but never hide one. Source:
 * libraries page, figures.
 */
export class KeywordAutomaton {
  readonly #starts: WordStarts;
  readonly #classes = new Uint8Array(256);
  /** Next state by `state + class`; a state is its row's offset. */
  #next: Int32Array = new Int32Array();
  /** States from here on mean three or more characters of a word, or the end of one. */
  #deep = 0;
  /** States from here on end a word. */
  #accepting = 0;
  #width = 0;
  /** By `headPlace`: 1 where three characters may lead to a deep state. */
  #heads: Uint8Array = new Uint8Array();
  /** Words that end in an accepting state, longest first, by rank. */
  #outputs: readonly (readonly number[])[] = [];
  #bytes: Buffer | undefined;
  /** UTF-16 units that may still be searched before building the table is worthwhile. */
  #untabled = untabledLength;

  /** Takes the words, or what a build has made of them. */
  constructor(words: readonly string[] | WordStarts) {
    this.#starts = words instanceof WordStarts ? words : WordStarts.of(words);
  }

  /** Calls back for each word that ends, from left to right. The callback must not scan in turn. */
  scan(text: string, onWord: (word: number, end: number) => void, onChunk?: OnChunk): void {
    this.#bytes ??= Buffer.allocUnsafeSlow(chunkLength);
    if (this.#untabled > 0) {
      this.#untabled -= text.length;
      if (this.#untabled > 0 && text.length <= chunkLength) {
        this.#bytes.write(text, 0, text.length, "latin1");
        for (const { word, end } of this.#starts.in(this.#bytes, text.length)) onWord(word, end);
        onChunk?.(this.#bytes, text.length, 0);
        return;
      }
      this.#untabled = 0;
      this.#makeTable();
    }
    const place: Place = { state: 0, head: 0, last: 0, before: 0 };
    for (let from = 0; from < text.length; from += chunkLength) {
      const length = Math.min(chunkLength, text.length - from);
      if (length <= shortLength) for (let i = 0; i < length; i++) this.#bytes[i] = text.charCodeAt(from + i);
      else this.#bytes.write(length === text.length ? text : text.slice(from, from + length), 0, length, "latin1");
      this.#run(this.#bytes, length, place, from + 1, onWord);
      onChunk?.(this.#bytes, length, from);
    }
  }

  #makeTable(): void {
    let classes = 1;
    const { words } = this.#starts;
    this.#heads = this.#starts.headBytes;
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
    this.#deep = trie.deep;
    this.#accepting = trie.accepting;
    this.#outputs = trie.outputs;
  }

  /**
   * Most text is far from any word. There, three characters at a time are looked up, without state, so a step need not wait for
   * the previous one. From the head of a word, the automaton runs until it leaves the word; that costs a quarter of a unit.
   */
  #run(
    bytes: Uint8Array,
    length: number,
    place: Place,
    base: number,
    onWord: (word: number, end: number) => void,
  ): void {
    const classes = this.#classes;
    const next = this.#next;
    const heads = this.#heads;
    const deep = this.#deep;
    const classOf = (at: number): number =>
      at >= 0 ? (classes[bytes[at] as number] as number) : at === -1 ? place.last : place.before;
    let { state, head } = place;
    let begun = 0;
    let at = 0;
    while (at < length) {
      if (state < deep) {
        for (; at < length; at++) {
          head = ((head << 5) | ((bytes[at] as number) & 31)) & 0x7fff;
          if (heads[head] !== 0) break;
        }
        if (at >= length) break;
        begun += 1;
        state = next[(next[classOf(at - 2)] as number) + classOf(at - 1)] as number;
      } else head = headPlace(head, bytes[at] as number);
      state = next[state + classOf(at)] as number;
      at += 1;
      if (state >= this.#accepting) this.#report(state, base + at - 1, onWord);
    }
    // The rest of the text is paid for by its length.
    spend(begun >> 2);
    const last = classOf(length - 1);
    place.before = classOf(length - 2);
    place.last = last;
    place.state = state;
    place.head = head;
  }

  #report(state: number, end: number, onWord: (word: number, end: number) => void): void {
    const words = this.#outputs[(state - this.#accepting) / this.#width] as readonly number[];
    for (let i = 0; i < words.length; i++) onWord(words[i] as number, end);
  }
}

/** UTF-16 units that are scanned without the table: a little more than a hook process scans before it ends. */
const untabledLength = 49_152;

/** Most sets of words whose automata are kept; a process has few. */
const keptAutomata = 8;

const automata = new Map<string, KeywordAutomaton>();

/** Returns the automaton of a set of words, shared by all its users: making one takes longer than most scans. */
export function automatonOf(words: readonly string[]): KeywordAutomaton {
  const key = words.join("\0");
  const known = automata.get(key);
  if (known) return known;
  const made = new KeywordAutomaton(words);
  if (automata.size >= keptAutomata) automata.clear();
  automata.set(key, made);
  return made;
}

/** State of the automaton between two chunks: its state, its head, and the classes of the last two characters. */
interface Place {
  state: number;
  head: number;
  last: number;
  before: number;
}

/**
 * The words as a trie in a table, then as one in which every state has all transitions and states are sorted: less than
 * three characters, more, and those that end a word.
 */
class Trie {
  readonly next: Int32Array;
  readonly deep: number;
  readonly accepting: number;
  readonly outputs: readonly (readonly number[])[];
  readonly #width: number;
  /** Child by `state * width + class`; 0 for none. */
  readonly #table: Int32Array;
  readonly #ends: (number[] | undefined)[] = [undefined];
  readonly #depths: number[] = [0];
  #states = 1;

  constructor(words: readonly string[], classes: Uint8Array, width: number) {
    this.#width = width;
    this.#table = new Int32Array((words.reduce((sum, { length }) => sum + length, 0) + 1) * width);
    for (let index = 0; index < words.length; index++) this.#add(folded(words[index] as string), index, classes);
    this.#link();
    const place = new Int32Array(this.#states);
    const final: (readonly number[])[] = [];
    const plain = this.#ends.reduce((count, ends) => count + (ends ? 0 : 1), 0);
    const shallow = this.#ends.reduce((count, ends, state) => count + (ends || this.#isDeep(state) ? 0 : 1), 0);
    for (let state = 0, near = 0, far = shallow; state < this.#states; state++) {
      const ends = this.#ends[state];
      place[state] = (ends ? plain + final.push(ends) - 1 : this.#isDeep(state) ? far++ : near++) * width;
    }
    this.next = new Int32Array(this.#states * width);
    for (let state = 0; state < this.#states; state++) {
      const to = place[state] as number;
      for (let c = 0; c < width; c++) this.next[to + c] = place[this.#table[state * width + c] as number] as number;
    }
    this.deep = shallow * width;
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
        this.#depths.push(i + 1);
      }
      state = this.#table[at] as number;
    }
    if (state === 0) return;
    this.#ends[state] ??= [];
    this.#ends[state]?.push(index);
  }

  #isDeep(state: number): boolean {
    return (this.#depths[state] as number) >= headLength;
  }

  /**
   * Links each state to the longest suffix that begins a word, for the case that its own word cannot continue. States are visited
   * breadth first.
   */
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

/** Returns ASCII letters in lower case; other letters must keep their low byte. */
function folded(word: string): string {
  return word.replace(/[A-Z]/g, (c) => c.toLowerCase());
}
