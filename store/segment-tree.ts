import { Frontier, leafHash } from "../engine/audit/merkle.ts";

/** A segment's tree as a snapshot stores it: hashes in base64, and the last checkpoint. */
export interface StoredTree {
  readonly segment: number;
  readonly size: number;
  readonly hashes: readonly string[];
  /** Records that the last checkpoint covers; 0 without one. */
  readonly covered: number;
  /** Time of that checkpoint, or of the tree's beginning; milliseconds. */
  readonly at: number;
}

/** The Merkle tree over the lines of the newest segment, for checkpoints. */
export class SegmentTree {
  readonly segment: number;
  readonly frontier: Frontier;
  covered: number;
  at: number;

  /** Makes the tree of an empty segment, or with the given frontier. */
  constructor(segment: number, at: number, frontier: Frontier = new Frontier(), covered = 0) {
    this.segment = segment;
    this.frontier = frontier;
    this.covered = covered;
    this.at = at;
  }

  /** Restores the tree of a snapshot; undefined if the value is no valid tree. Total for any value. */
  static from(value: unknown): SegmentTree | undefined {
    if (typeof value !== "object" || value === null) return undefined;
    const { segment, size, hashes, covered, at } = value as Partial<Record<keyof StoredTree, unknown>>;
    if (!isCount(segment) || !isCount(size) || !isCount(covered) || !Number.isSafeInteger(at)) return undefined;
    if (!Array.isArray(hashes) || hashes.length > 64 || covered > size) return undefined;
    if (!hashes.every((hash): hash is string => typeof hash === "string" && hash.length === 44)) return undefined;
    const frontier = Frontier.from(
      size,
      hashes.map((hash) => Buffer.from(hash, "base64")),
    );
    return frontier && new SegmentTree(segment, at as number, frontier, covered);
  }

  /** Adds a line, without its line break. */
  add(line: Uint8Array): void {
    this.frontier.add(leafHash(line));
  }

  /** Returns the form that a snapshot stores. */
  stored(): StoredTree {
    const { segment, frontier, covered, at } = this;
    const hashes = frontier.hashes().map((hash) => Buffer.from(hash).toString("base64"));
    return { segment, size: frontier.size, hashes, covered, at };
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
