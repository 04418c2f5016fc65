import btree from "sorted-btree";
import differences from "sorted-btree/extended/diffAgainst.js";
import { spend } from "../../meter.ts";

// Node gives the module for the default of a module of CommonJS; bundlers and loaders may give the default itself.
const Tree = ("default" in btree ? btree.default : btree) as typeof btree.default;
const difference = ("default" in differences ? differences.default : differences) as typeof differences.default;

let compared = 0;

/** The order of names, and the count of what looking for them takes. */
function compare(one: string, other: string): number {
  compared += 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * What is known of names, in their order. A table never changes: another value gives another table, which shares with the first all that
 * is the same. It takes as many steps as the logarithm of the size, so that each way of a script may have a table of its own.
 */
export class Table<T> implements Iterable<[string, T]> {
  private readonly tree: btree.default<string, T>;

  private constructor(tree: btree.default<string, T>) {
    this.tree = tree;
  }

  /** A table of these names; of a name that is given twice the last value counts. */
  static of<T>(entries: Iterable<readonly [string, T]>): Table<T> {
    const tree = new Tree<string, T>(undefined, compare);
    for (const [name, value] of entries) tree.set(name, value);
    return new Table(tree);
  }

  get size(): number {
    return this.tree.size;
  }

  get(name: string): T | undefined {
    return this.tree.get(name);
  }

  has(name: string): boolean {
    return this.tree.has(name);
  }

  /** True where a name begins so. */
  hasBeginning(beginning: string): boolean {
    return this.tree.has(beginning) || this.tree.nextHigherKey(beginning)?.startsWith(beginning) === true;
  }

  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.tree.entries();
  }

  names(): IterableIterator<string> {
    return this.tree.keys();
  }

  /** This table with another value for a name. */
  with(name: string, value: T): Table<T> {
    spend(1);
    return new Table(this.tree.with(name, value, true) as btree.default<string, T>);
  }

  /** This table without a name. */
  without(name: string): Table<T> {
    spend(1);
    return this.tree.has(name) ? new Table(this.tree.without(name)) : this;
  }

  /** A table of the same names with other values. */
  map(value: (before: T, name: string) => T): Table<T> {
    spend(this.size);
    return new Table(this.tree.mapValues(value));
  }

  /** Names whose values are not the same ones in both tables. What both share is not looked at. */
  differing(other: Table<T>): readonly string[] {
    if (this === other) return [];
    const names: string[] = [];
    const add = (name: string): void => {
      names.push(name);
    };
    compared = 0;
    difference(this.tree, other.tree, add, add, add);
    spend(1 + (compared >> 2) + names.length);
    return names;
  }
}
