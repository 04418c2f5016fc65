import { spend, spendText } from "../meter.ts";

/** Links that a call itself makes. */
export class MadeLinks {
  /** Target of each link, by the link's case-folded path, in the order the links are made. */
  readonly targets: ReadonlyMap<string, string>;
  #order: ReadonlyMap<string, number> | undefined;

  constructor(targets: ReadonlyMap<string, string>) {
    this.targets = targets;
  }

  /** Returns the first link created among a path and its parent folders; `path` is case-folded. */
  first(path: string): string | undefined {
    if (!this.#order) {
      spend(this.targets.size);
      this.#order = new Map([...this.targets.keys()].map((name, i) => [name, i]));
    }
    let found: string | undefined;
    for (let end = path.length; end >= 0; end = path.lastIndexOf("/", end - 1)) {
      spendText(end);
      const name = path.slice(0, end);
      const place = this.#order.get(name);
      if (place !== undefined && (found === undefined || place < (this.#order.get(found) as number))) found = name;
      if (end === 0) break;
    }
    return found;
  }
}
