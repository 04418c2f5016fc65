import { describe, expect, it } from "vitest";
import { allRequirements } from "./all.ts";
import digests from "./blocks.json" with { type: "json" };
import { seedSentences } from "./seed-sentences.ts";
import { seedNames, withSeeds } from "./seed-text.ts";
import { changedSentences, type KnownSentence, knownSentences, rowsOfBlocks, sentenceFaults } from "./sentences.ts";

const known = knownSentences();

describe("sentences of the seeds", () => {
  it("each has a row, or a reason why it asks for nothing; and each row is asked for", () => {
    expect(sentenceFaults(known, allRequirements)).toEqual([]);
  });

  it("a row is of a seed that asks for it", () => {
    const seedOf = new Map(allRequirements.map(({ id, seed }) => [id, seed]));
    const foreign = known.flatMap(({ id, rows }) =>
      rows.filter((row) => !id.startsWith(`${seedOf.get(row)} `)).map((row) => `${id}: ${row}`),
    );
    // The example of one omp seed is the contract of the other.
    expect(foreign).toEqual(["omp-authoring-hooks 68: omp-example-context"]);
  });

  it("blocks with rows of their own are blocks of a seed", () => {
    expect(Object.keys(rowsOfBlocks).filter((id) => !Object.hasOwn(digests, id))).toEqual([]);
  });

  it("that ask for something are the most", () => {
    const asking = known.filter(({ idle }) => idle === undefined);
    expect([known.length, asking.length]).toEqual([597, 495]);
  });
});

withSeeds("sentences as the seeds have them", () => {
  it.each(seedNames)("%s: the list has every one, in its order", (seed) => {
    const of = known.filter(({ id }) => id.startsWith(`${seed} `));
    expect(changedSentences(of, seedSentences(seed))).toEqual([]);
    expect(of.length).toBeGreaterThan(80);
  });
});

describe("the check of the list", () => {
  const sentence = (rows: string[], idle?: string): KnownSentence => ({
    id: "s 1",
    digest: "0",
    rows,
    ...(idle === undefined ? {} : { idle }),
  });
  const rows = [{ id: "a", seed: "s" }];

  it.each([
    ["a sentence without a row", [sentence([]), sentence(["a"])], "s 1 has no row"],
    ["a row that is not there", [sentence(["a", "b"])], "s 1: there is no row b"],
    ["a reason of one's own", [sentence(["a"]), sentence([], "too hard")], "s 1: `too hard` is no reason"],
    ["a row that nobody asks for", [], "no sentence asks for a"],
  ])("finds %s", (_name, sentences, fault) => {
    expect(sentenceFaults(sentences, rows, {})).toEqual([fault]);
  });

  it("takes rows of blocks", () => {
    expect(sentenceFaults([], rows, { "s 1": ["a"] })).toEqual([]);
    expect(sentenceFaults([sentence(["a"])], rows, { "s 2": ["b"] })).toEqual(["s 2: there is no row b"]);
  });

  it("finds what a seed has otherwise", () => {
    const found = { id: "s 1", text: "New.", digest: "1" };
    expect(changedSentences([sentence(["a"])], [found])).toEqual(["s 1 is another sentence: New."]);
    expect(changedSentences([], [found])).toEqual(["s 1 is new: New."]);
    expect(changedSentences([sentence(["a"])], [])).toEqual(["s 1 is gone"]);
  });

  it("reads both forms of a line", () => {
    expect(knownSentences({ s: ["0 a b", "1 - about the text"] })).toEqual([
      { id: "s 1", digest: "0", rows: ["a", "b"] },
      { id: "s 2", digest: "1", rows: [], idle: "about the text" },
    ]);
  });
});
