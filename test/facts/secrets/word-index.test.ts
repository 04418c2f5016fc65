import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selectDetectors } from "../../../facts/secrets/detectors.ts";
import { KeywordAutomaton } from "../../../facts/secrets/keywords.ts";
import { detectors } from "../../../facts/secrets/table.ts";
import { wordIndexOf } from "../../../facts/secrets/usual-index.ts";
import { ListedIndex, type WordIndex } from "../../../facts/secrets/word-index.ts";
import { numbersOf, packedNumbers, WordStarts } from "../../../facts/secrets/word-starts.ts";

const usual = selectDetectors(["secrets/*"]).selected;
const listed = new ListedIndex(usual.rows, []);

/** The words that an index finds in a text, with their owners. */
function found(index: WordIndex, text: string): readonly unknown[] {
  const all: unknown[] = [];
  index.automaton.scan(text, (word, end) => {
    all.push([end, index.count(word), index.isName(word), index.uses(word)]);
  });
  return all;
}

describe("the index of all secrets that the build makes", () => {
  it.each(listed.words)("finds %j and its owners as the index of the rows does", (word) => {
    const text = `x ${word}=${word.toUpperCase()} y`;
    expect(found(wordIndexOf(usual, []), text)).toEqual(found(listed, text));
    expect(found(listed, text).length).toBeGreaterThan(0);
  });
  it("is the same for texts of parts of keywords", () => {
    const index = wordIndexOf(usual, []);
    const part = fc.constantFrom(...listed.words.flatMap((word) => [word, word.slice(0, 3), word.slice(2)]), " ", "=");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(found(index, parts.join(""))).toEqual(found(listed, parts.join("")));
      }),
    );
  });
  it("is used for that selection alone", () => {
    expect(wordIndexOf(usual, [])).not.toBeInstanceOf(ListedIndex);
    for (const names of [["pii/*"], ["secrets/aws-*"], ["secrets/*", "pii/*"]])
      expect(wordIndexOf(selectDetectors(names).selected, [])).toBeInstanceOf(ListedIndex);
    const form = { text: "a value of ours", word: "a value", exact: true } as never;
    expect(wordIndexOf(usual, [form])).toBeInstanceOf(ListedIndex);
  });
});

describe("a selection", () => {
  it("is the same one for the same detectors, however they are named", () => {
    const ids = detectors.map(({ id }) => id).filter((id) => id.startsWith("secrets/"));
    const all = selectDetectors(["secrets/*"]).selected;
    expect(selectDetectors(ids).selected).toBe(all);
    expect(selectDetectors(["secrets/*", "secrets/aws-*"]).selected).toBe(all);
    expect(selectDetectors(["secrets/aws-*"]).selected).not.toBe(all);
  });
});

describe("packed words", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "-", "é"), maxLength: 5 });
  it("are found as before", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "B", "b", "-", "é"), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 12 }), text, (words, one) => {
        const made = WordStarts.of(words);
        const read = WordStarts.unpacked(JSON.parse(JSON.stringify(made.packed())));
        expect(read.words).toEqual(words);
        const ends = [words, read].map((given) => {
          const all: string[] = [];
          new KeywordAutomaton(given).scan(one, (index, end) => all.push(`${end} ${index}`));
          return all;
        });
        expect(ends[1]).toEqual(ends[0]);
      }),
    );
  });
  it("hold numbers of 31 bits", () => {
    for (const numbers of [[], [0], [1, 255, 256, 65_536, 67_108_863, 2_147_483_647, -1]])
      expect([...numbersOf(packedNumbers(numbers))]).toEqual(numbers);
  });
});
