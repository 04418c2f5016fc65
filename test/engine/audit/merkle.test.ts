import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  consistencyProof,
  consistencyRanges,
  emptyRoot,
  Frontier,
  inclusionProof,
  inclusionRanges,
  leafHash,
  RangeRoots,
  verifyConsistency,
  verifyInclusion,
} from "../../../engine/audit/merkle.ts";

const largest = 40;
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");
const sha = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const lines = Array.from({ length: largest }, (_, i) => Buffer.from(`line ${i}`));
const leaves = lines.map((line) => leafHash(line));

/** The tree as RFC 6962 section 2.1 defines it, word by word. */
function treeHash(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha();
  if (hashes.length === 1) return hashes[0] as Uint8Array;
  let k = 1;
  while (k * 2 < hashes.length) k *= 2;
  return sha(Uint8Array.of(1), treeHash(hashes.slice(0, k)), treeHash(hashes.slice(k)));
}

const roots = Array.from({ length: largest + 1 }, (_, n) => treeHash(leaves.slice(0, n)));
const root = (n: number) => roots[n] as Uint8Array;
const sizes = Array.from({ length: largest + 1 }, (_, n) => n);

function frontierOf(count: number): Frontier {
  const frontier = new Frontier();
  for (const leaf of leaves.slice(0, count)) frontier.add(leaf);
  return frontier;
}

/** The proof with one thing changed, in every way that is tried. */
function spoiled(proof: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const flipped = proof.map((hash, at) =>
    proof.map((h, i) => (i === at ? hash.map((b, k) => (k === 5 ? b ^ 4 : b)) : h)),
  );
  return [...flipped, proof.slice(1), proof.slice(0, -1), [...proof, sha()], [sha(), ...proof]].filter(
    (p) => p.length !== proof.length || p.some((h, i) => hex(h) !== hex(proof[i])),
  );
}

describe("the hash of a leaf", () => {
  it.each([0, 1, 3_000, 32_766, 32_767, 32_768, 100_000])(
    "is SHA-256 over a zero byte and a line of %i bytes",
    (size) => {
      const line = new Uint8Array(size).fill(65);
      expect(hex(leafHash(line))).toBe(hex(sha(Uint8Array.of(0), line)));
      // What was hashed before leaves nothing behind.
      expect(hex(leafHash(Uint8Array.of(66)))).toBe(hex(sha(Uint8Array.of(0), Uint8Array.of(66))));
    },
  );
});

describe("leafHash", () => {
  it.each([
    // Test vectors of RFC 6962 trees as Certificate Transparency implementations use them.
    ["", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    ["00", "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"],
  ])("of %j", (input, wanted) => {
    expect(hex(leafHash(Buffer.from(input, "hex")))).toBe(wanted);
  });

  it("differs from the hash of a node over the same bytes", () => {
    const pair = Buffer.concat([root(1), root(1)]);
    expect(hex(leafHash(pair))).not.toBe(hex(sha(Uint8Array.of(1), pair)));
  });
});

describe("Frontier", () => {
  it("has the root of the empty tree", () => {
    expect(hex(new Frontier().root())).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hex(emptyRoot())).toBe(hex(root(0)));
  });

  it.each(sizes)("of %i leaves has the root of the tree", (n) => {
    expect(hex(frontierOf(n).root())).toBe(hex(root(n)));
  });

  it.each(sizes)("of %i leaves goes on from what was kept of it", (n) => {
    const kept = frontierOf(n);
    const again = Frontier.from(kept.size, kept.hashes());
    for (const leaf of leaves.slice(n)) again?.add(leaf);
    expect(hex(again?.root())).toBe(hex(root(largest)));
  });

  it.each([
    ["too few hashes", 3, 1],
    ["too many hashes", 4, 2],
    ["a negative size", -1, 0],
    ["a broken size", 1.5, 1],
    ["a size that no number counts", 2 ** 60, 1],
  ])("refuses %s", (_name, size, count) => {
    expect(Frontier.from(size, leaves.slice(0, count))).toBeUndefined();
  });

  it("refuses a hash of another length", () => {
    expect(Frontier.from(1, [new Uint8Array(31)])).toBeUndefined();
  });

  it("cannot be changed through what it hands out", () => {
    const frontier = frontierOf(5);
    (frontier.hashes() as Uint8Array[]).pop();
    expect(hex(frontier.root())).toBe(hex(root(5)));
  });
});

describe("inclusion proofs", () => {
  it.each(sizes.slice(1))("in a tree of %i leaves hold for every leaf, and for no other", (n) => {
    for (let index = 0; index < n; index++) {
      const proof = inclusionProof(leaves.slice(0, n), index) ?? [];
      const claim = { leaf: leaves[index] as Uint8Array, index, size: n, root: root(n) };
      expect(verifyInclusion(claim, proof)).toBe(true);
      for (const other of sizes.slice(0, n)) {
        if (other !== index) expect(verifyInclusion({ ...claim, index: other }, proof)).toBe(false);
        if (other !== index)
          expect(verifyInclusion({ ...claim, leaf: leaves[other] as Uint8Array }, proof)).toBe(false);
      }
      for (const wrong of spoiled(proof)) expect(verifyInclusion(claim, wrong)).toBe(false);
      expect(verifyInclusion({ ...claim, root: sha() }, proof)).toBe(false);
    }
  });

  it.each([
    [0, 0],
    [3, 3],
    [-1, 3],
    [0.5, 3],
  ])("leaf %d of %i is none", (index, size) => {
    expect(inclusionRanges(index, size)).toBeUndefined();
    expect(verifyInclusion({ leaf: root(1), index, size, root: root(1) }, [])).toBe(false);
  });
});

describe("consistency proofs", () => {
  it.each(sizes)("from every size to %i hold, and no others", (n) => {
    for (let m = 0; m <= n; m++) {
      const proof = consistencyProof(leaves.slice(0, n), m) ?? [];
      const claim = { first: m, firstRoot: root(m), second: n, secondRoot: root(n) };
      expect(verifyConsistency(claim, proof)).toBe(true);
      for (const wrong of spoiled(proof)) expect(verifyConsistency(claim, wrong)).toBe(false);
      if (m > 0) expect(verifyConsistency({ ...claim, firstRoot: sha() }, proof)).toBe(false);
      if (m > 0) expect(verifyConsistency({ ...claim, secondRoot: sha() }, proof)).toBe(false);
      if (m > 1) expect(verifyConsistency({ ...claim, firstRoot: root(m - 1) }, proof)).toBe(false);
    }
  });

  it("is none from a larger tree to a smaller one", () => {
    expect(consistencyRanges(4, 3)).toBeUndefined();
    expect(verifyConsistency({ first: 4, firstRoot: root(4), second: 3, secondRoot: root(3) }, [])).toBe(false);
  });
});

describe("RangeRoots", () => {
  it("finds a proof while the leaves pass by, equal to that of all leaves at once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: largest }), fc.nat(largest - 1), (n, at) => {
        const index = at % n;
        const inclusion = new RangeRoots(inclusionRanges(index, n) ?? []);
        const consistency = new RangeRoots(consistencyRanges(index, n) ?? []);
        for (const leaf of leaves.slice(0, n)) {
          inclusion.add(leaf);
          consistency.add(leaf);
        }
        expect(inclusion.roots()?.map(hex)).toEqual(inclusionProof(leaves.slice(0, n), index)?.map(hex));
        expect(consistency.roots()?.map(hex)).toEqual(consistencyProof(leaves.slice(0, n), index)?.map(hex));
      }),
    );
  });

  it("has no roots while leaves are missing", () => {
    const ranges = new RangeRoots([{ start: 0, end: 2 }]);
    ranges.add(root(1));
    expect(ranges.roots()).toBeUndefined();
  });
});

describe("trees of random lines", () => {
  it("every leaf and every earlier tree is proved", () => {
    const line = fc.uint8Array({ maxLength: 50 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 120 }), fc.nat(), fc.nat(), (given, a, b) => {
        const hashes = given.map(leafHash);
        const [index, first] = [a % hashes.length, b % (hashes.length + 1)];
        const [tree, older] = [new Frontier(), new Frontier()];
        hashes.forEach((hash, i) => {
          tree.add(hash);
          if (i < first) older.add(hash);
        });
        const [size, end] = [hashes.length, tree.root()];
        const leaf = hashes[index] as Uint8Array;
        expect(verifyInclusion({ leaf, index, size, root: end }, inclusionProof(hashes, index) ?? [])).toBe(true);
        const claim = { first, firstRoot: older.root(), second: size, secondRoot: end };
        expect(verifyConsistency(claim, consistencyProof(hashes, first) ?? [])).toBe(true);
      }),
    );
  });

  it("sizes above 32 bits are counted right", () => {
    const size = 2 ** 40 + 5;
    const ranges = inclusionRanges(2 ** 40 + 1, size) ?? [];
    expect(ranges.map((r) => r.end - r.start)).toEqual([1, 2, 1, 2 ** 40]);
  });
});
