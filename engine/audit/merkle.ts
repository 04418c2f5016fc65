import crypto, { createHash } from "node:crypto";

/** Bytes of every hash of the tree. */
export const hashBytes = 32;

/** Most hashes of a frontier; more would describe more leaves than a number can count. */
const mostLevels = 53;

const leafPrefix = Uint8Array.of(0);
const nodePrefix = Uint8Array.of(1);

/** Returns the hash of one leaf of an RFC 6962 tree: SHA-256 over a zero byte and the bytes of a line without its line break. */
export function leafHash(line: Uint8Array): Uint8Array {
  return hashOf(leafPrefix, line);
}

/** Bytes of the buffer in which an input is joined before hashing; nearly all lines of a trail fit. */
const roomFor = 32_768;
let room: Uint8Array | undefined;

/** Returns SHA-256 over a prefix of one byte and two parts; in one call if the platform has it, which takes half the time. */
function hashOf(prefix: Uint8Array, first: Uint8Array, second: Uint8Array = nothing): Uint8Array {
  const size = 1 + first.length + second.length;
  if (typeof crypto.hash !== "function" || size > roomFor)
    return createHash("sha256").update(prefix).update(first).update(second).digest();
  room ??= new Uint8Array(roomFor);
  room.set(prefix);
  room.set(first, 1);
  room.set(second, 1 + first.length);
  return crypto.hash("sha256", room.subarray(0, size), "buffer");
}

const nothing = new Uint8Array();

/** Returns the root of a tree without leaves: SHA-256 of nothing. */
export function emptyRoot(): Uint8Array {
  return createHash("sha256").digest();
}

/**
 * The right edge of an RFC 6962 tree: root hashes of its whole subtrees, the largest first, one for each bit that is set in its
 * size. It suffices to add leaves and to compute the root, in O(log n) space.
 */
export class Frontier {
  #size = 0;
  #hashes: Uint8Array[] = [];

  /** Rebuilds a frontier from the `size` and `hashes` of another; undefined if no tree has such a frontier. */
  static from(size: number, hashes: readonly Uint8Array[]): Frontier | undefined {
    if (!Number.isSafeInteger(size) || size < 0 || hashes.length > mostLevels) return undefined;
    if (hashes.length !== ones(size) || hashes.some((hash) => hash.length !== hashBytes)) return undefined;
    const frontier = new Frontier();
    frontier.#size = size;
    frontier.#hashes = [...hashes];
    return frontier;
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Adds the hash of the next leaf. */
  add(leaf: Uint8Array): void {
    let hash = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = half(rest)) hash = node(this.#hashes.pop() ?? hash, hash);
    this.#hashes.push(hash);
    this.#size += 1;
  }

  /** Returns the current root hash of the tree. */
  root(): Uint8Array {
    let root = this.#hashes.at(-1);
    if (!root) return emptyRoot();
    for (let i = this.#hashes.length - 2; i >= 0; i--) root = node(this.#hashes[i] as Uint8Array, root);
    return root;
  }

  /** Returns the hashes, largest subtree first; `from` needs only these and `size`. */
  hashes(): readonly Uint8Array[] {
    return [...this.#hashes];
  }
}

/** Leaves from `start` (included) to `end` (excluded). */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Lists the subtrees whose roots prove, in this order, that leaf `index` is in a tree of `size` leaves (RFC 6962 section 2.1.1).
 * Undefined if there is no such leaf.
 */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] | undefined {
  if (!isCount(index) || !isCount(size) || index >= size) return undefined;
  const ranges: LeafRange[] = [];
  for (let start = 0, end = size; end - start > 1; ) {
    const middle = start + split(end - start);
    ranges.push(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return ranges.reverse();
}

/**
 * Lists the subtrees whose roots prove, in this order, that a tree of `first` leaves is a prefix of a tree of `second` leaves
 * (RFC 6962 section 2.1.2). Empty if `first` is 0 or equals `second`; undefined if `first` is larger.
 */
export function consistencyRanges(first: number, second: number): readonly LeafRange[] | undefined {
  if (!isCount(first) || !isCount(second) || first > second) return undefined;
  if (first === 0 || first === second) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = second;
  while (end > first) {
    const middle = start + split(end - start);
    ranges.push(first <= middle ? { start: middle, end } : { start, end: middle });
    if (first <= middle) end = middle;
    else start = middle;
  }
  // The verifier knows the last subtree of the old tree only if it is the whole old tree.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** Computes the roots of ranges of leaves that do not overlap, in one pass over the leaves; memory is O(log n) for each range. */
export class RangeRoots {
  readonly #ranges: readonly { readonly range: LeafRange; readonly frontier: Frontier }[];
  #next = 0;

  constructor(ranges: readonly LeafRange[]) {
    this.#ranges = ranges.map((range) => ({ range, frontier: new Frontier() }));
  }

  /** Takes the hash of the next leaf. */
  add(leaf: Uint8Array): void {
    const at = this.#next++;
    for (const { range, frontier } of this.#ranges) if (at >= range.start && at < range.end) frontier.add(leaf);
  }

  /** Returns the roots in the order of the ranges; undefined while leaves are missing. */
  roots(): readonly Uint8Array[] | undefined {
    if (this.#ranges.some(({ range, frontier }) => frontier.size !== range.end - range.start)) return undefined;
    return this.#ranges.map(({ frontier }) => frontier.root());
  }
}

/** Returns a proof that leaf `index` is in the tree of these leaf hashes; undefined if there is no such leaf. */
export function inclusionProof(leaves: readonly Uint8Array[], index: number): readonly Uint8Array[] | undefined {
  return rootsOf(leaves, inclusionRanges(index, leaves.length));
}

/** Returns a proof that the tree of the first `first` leaf hashes is a prefix of the tree of all of them. */
export function consistencyProof(leaves: readonly Uint8Array[], first: number): readonly Uint8Array[] | undefined {
  return rootsOf(leaves, consistencyRanges(first, leaves.length));
}

/** Claim that an inclusion proof is checked against: the hash and number of the leaf, and the size and root of the tree. */
export interface InclusionClaim {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
}

/** True if the proof shows that the leaf is at this index of the tree (RFC 9162 section 2.1.3.2). */
export function verifyInclusion({ leaf, index, size, root }: InclusionClaim, proof: readonly Uint8Array[]): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leaf, root, ...proof])) return false;
  let hash = leaf;
  let place = index;
  let last = size - 1;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = node(sibling, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else hash = node(hash, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && sameBytes(hash, root);
}

/** Claim that the first of two trees is a prefix of the second, by their sizes and roots. */
export interface ConsistencyClaim {
  readonly first: number;
  readonly firstRoot: Uint8Array;
  readonly second: number;
  readonly secondRoot: Uint8Array;
}

/** True if the proof shows that the first tree is a prefix of the second (RFC 9162 section 2.1.4.2). */
export function verifyConsistency(claim: ConsistencyClaim, proof: readonly Uint8Array[]): boolean {
  const { first, firstRoot, second, secondRoot } = claim;
  if (!isCount(first) || !isCount(second) || first > second) return false;
  if (!areHashes([firstRoot, secondRoot, ...proof])) return false;
  if (first === 0) return proof.length === 0 && sameBytes(firstRoot, emptyRoot());
  if (first === second) return proof.length === 0 && sameBytes(firstRoot, secondRoot);
  const path = isPowerOfTwo(first) ? [firstRoot, ...proof] : proof;
  return foldsTo(path, first, second, firstRoot, secondRoot);
}

function foldsTo(
  path: readonly Uint8Array[],
  first: number,
  second: number,
  firstRoot: Uint8Array,
  secondRoot: Uint8Array,
): boolean {
  const [begin, ...rest] = path;
  if (!begin) return false;
  let [place, last] = [first - 1, second - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  let [older, newer] = [begin, begin];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [older, newer] = [node(sibling, older), node(sibling, newer)];
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else newer = node(newer, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && sameBytes(older, firstRoot) && sameBytes(newer, secondRoot);
}

function rootsOf(
  leaves: readonly Uint8Array[],
  ranges: readonly LeafRange[] | undefined,
): readonly Uint8Array[] | undefined {
  return ranges?.map(({ start, end }) => {
    const frontier = new Frontier();
    for (let i = start; i < end; i++) frontier.add(leaves[i] as Uint8Array);
    return frontier.root();
  });
}

function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hashOf(nodePrefix, left, right);
}

/** Returns the largest power of two below `count`; `count` is at least 2. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** Halves a size, rounded down. Sizes may exceed the 32 bits of bit operations. */
function half(count: number): number {
  return Math.floor(count / 2);
}

function ones(count: number): number {
  let set = 0;
  for (let rest = count; rest > 0; rest = half(rest)) set += rest % 2;
  return set;
}

function isPowerOfTwo(count: number): boolean {
  return ones(count) === 1;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function areHashes(values: readonly Uint8Array[]): boolean {
  return values.length <= 2 * mostLevels + 4 && values.every((value) => value.length === hashBytes);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
