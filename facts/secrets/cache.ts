/** Bounds of a cache. */
export interface DigestCacheOptions {
  readonly maxEntries?: number;
  /** Most weight of all values together, in units of the caller's choice, such as UTF-16 units of text. */
  readonly maxWeight?: number;
}

/**
 * Caches the result for a message by the message's digest, so that a long history is scanned once and not at every turn. At a
 * bound, the least recently used result is dropped first. A digest must cover everything that the value depends on, including the
 * detectors. Values stay in memory only.
 */
export class DigestCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #maxEntries: number;
  readonly #maxWeight: number;
  #weight = 0;

  constructor(options: DigestCacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 4_096;
    this.#maxWeight = options.maxWeight ?? 33_554_432;
  }

  /** Number of values remembered. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value of a digest; makes it if it is not cached. `weigh` returns its weight; too heavy a value is not cached. */
  get(digest: string, make: () => Value, weigh: (value: Value) => number = () => 0): Value {
    const known = this.find(digest);
    if (known) return known.value;
    const value = make();
    this.keep(digest, value, weigh(value));
    return value;
  }

  /** Returns the entry for a digest, if there is one. */
  find(digest: string): { readonly value: Value } | undefined {
    const known = this.#entries.get(digest);
    if (!known) return undefined;
    this.#entries.delete(digest);
    this.#entries.set(digest, known);
    return known;
  }

  /** Remembers a value for a digest that has none, unless it is too heavy. */
  keep(digest: string, value: Value, weight: number): void {
    if (weight > this.#maxWeight || this.#maxEntries < 1 || this.#entries.has(digest)) return;
    this.#entries.set(digest, { value, weight });
    this.#weight += weight;
    this.#shrink();
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #shrink(): void {
    for (const [digest, { weight }] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight) return;
      this.#entries.delete(digest);
      this.#weight -= weight;
    }
  }
}
