/**
 * Finds which of many ASCII words occur in a text, in one pass whatever their number (Aho-Corasick with a full
 * transition table). Letter case is folded for ASCII only.
 */
export class KeywordFinder {
  /** Next state by `state * 128 + code`. */
  readonly #next: Int32Array;
  /** Owners of the words that end in a state. */
  readonly #owners: readonly (readonly number[])[];
  readonly #ownerCount: number;

  /** `words[i]` are the words of owner `i`, in lower case. */
  constructor(words: readonly (readonly string[])[]) {
    const trie = new Trie();
    words.forEach((list, owner) => {
      for (const word of list) trie.add(word, owner);
    });
    this.#next = trie.link();
    this.#owners = trie.owners;
    this.#ownerCount = words.length;
  }

  /** Owners of which some word occurs. */
  find(text: string): Set<number> {
    const found = new Set<number>();
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      let c = text.charCodeAt(at);
      if (c >= 65 && c <= 90) c += 32;
      state = c < 128 ? (this.#next[state * 128 + c] as number) : 0;
      const owners = this.#owners[state] as readonly number[];
      if (owners.length > 0) {
        for (const owner of owners) found.add(owner);
        if (found.size === this.#ownerCount) break;
      }
    }
    return found;
  }
}

class Trie {
  readonly owners: number[][] = [[]];
  readonly #children: Map<number, number>[] = [new Map()];

  add(word: string, owner: number): void {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const c = word.charCodeAt(at) & 127;
      const children = this.#children[state] as Map<number, number>;
      let child = children.get(c);
      if (child === undefined) {
        child = this.#children.length;
        this.#children.push(new Map());
        this.owners.push([]);
        children.set(c, child);
      }
      state = child;
    }
    (this.owners[state] as number[]).push(owner);
  }

  /** The transition table: where a word cannot go on, the longest suffix that begins one does. */
  link(): Int32Array {
    const next = new Int32Array(this.#children.length * 128);
    const fail = new Int32Array(this.#children.length);
    const queue: number[] = [0];
    for (let head = 0; head < queue.length; head++) {
      const state = queue[head] as number;
      const from = (fail[state] as number) * 128;
      if (state !== 0) next.copyWithin(state * 128, from, from + 128);
      for (const [c, child] of this.#children[state] as Map<number, number>) {
        const back = state === 0 ? 0 : (next[from + c] as number);
        fail[child] = back;
        next[state * 128 + c] = child;
        queue.push(child);
      }
      if (state !== 0) (this.owners[state] as number[]).push(...(this.owners[fail[state] as number] as number[]));
    }
    return next;
  }
}
