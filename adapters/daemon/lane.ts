/** A limited number of places, given out in the order of the requests. */
export class Lane {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Calls `enter` when a place is free, perhaps at once. Returns a function that leaves the place, or the queue. */
  enter(enter: () => void): () => void {
    let state: "waits" | "in" | "left" = "waits";
    const turn = (): void => {
      state = "in";
      enter();
    };
    if (this.#free > 0) {
      this.#free -= 1;
      turn();
    } else this.#waiting.add(turn);
    return () => {
      if (state === "waits") this.#waiting.delete(turn);
      else if (state === "in") this.#next();
      state = "left";
    };
  }

  #next(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(turn);
    turn();
  }
}
