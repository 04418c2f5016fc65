import btree from "sorted-btree";
import differences from "sorted-btree/extended/diffAgainst.js";
import { spend } from "../../meter.ts";

// Node gives the module for the default of a module of CommonJS; bundlers and loaders may give the default itself.
const Tree = ("default" in btree ? btree.default : btree) as typeof btree.default;
const difference = ("default" in differences ? differences.default : differences) as typeof differences.default;

let compared = 0;

/** Orders names, and counts each comparison as work. */
function compare(one: string, other: string): number {
  compared += 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/**
 * An immutable map from names to values, sorted by name. `with` and `without` return another table, which shares all unchanged nodes with
 * this one and costs O(log size), so that each way of a script can have a table of its own.
 */
export class Table<T> implements Iterable<[string, T]> {
  private readonly tree: btree.default<string, T>;

  private constructor(tree: btree.default<string, T>) {
    this.tree = tree;
  }

  /** Makes a table. The last value of a repeated name counts. */
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

  /** True if a name begins with this text. */
  hasBeginning(beginning: string): boolean {
    return this.tree.has(beginning) || this.tree.nextHigherKey(beginning)?.startsWith(beginning) === true;
  }

  [Symbol.iterator](): IterableIterator<[string, T]> {
    return this.tree.entries();
  }

  names(): IterableIterator<string> {
    return this.tree.keys();
  }

  /** Returns a table in which a name has this value. */
  with(name: string, value: T): Table<T> {
    spend(1);
    return new Table(this.tree.with(name, value, true) as btree.default<string, T>);
  }

  /** Returns a table without a name. */
  without(name: string): Table<T> {
    spend(1);
    return this.tree.has(name) ? new Table(this.tree.without(name)) : this;
  }

  /** Returns a table of the same names with other values. */
  map(value: (before: T, name: string) => T): Table<T> {
    spend(this.size);
    return new Table(this.tree.mapValues(value));
  }

  /** Lists the names whose values are not identical in both tables. Skips the nodes that both share. */
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
