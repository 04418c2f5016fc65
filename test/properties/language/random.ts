/** A seeded source of choices: the same seed gives the same choices on every machine (xorshift over 32 bits, mixed). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An int from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** True with this chance. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items; throws for none, which is a fault of the generator. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("nothing to pick from");
    return items[this.below(items.length)] as T;
  }

  /** `count` items by the function. */
  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  /** A generator of its own, so that one more choice here changes nothing elsewhere. */
  fork(): Random {
    return new Random(this.below(0x7fffffff));
  }
}
