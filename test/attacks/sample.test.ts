import { describe, expect, it } from "vitest";
import { readOptions } from "./options.ts";
import { everything, sampleAt } from "./sample.ts";

const attacks = Array.from({ length: 28 }, (_, n) => ({ id: `a${n}` }));
const told: string[] = [];
const at = (place: number, size: number, seed: number) => sampleAt(place, { size, seed }, (text) => told.push(text));
const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id);

describe("a sample of attacks", () => {
  it.each([1, 2, 7, 90, 268_435_455])("carries out each of them on some host, whatever the seed: %i", (seed) => {
    const places = [0, 1, 2, 3, 4, 5, 6].map((place) => at(place, 4, seed)("delay", attacks));
    expect(new Set(places.flatMap(ids)).size).toBe(28);
    for (const place of places) expect(place).toHaveLength(4);
  });

  it("is the same for the same seed and another for another one", () => {
    expect(at(0, 6, 5)("delay", attacks)).toEqual(at(0, 6, 5)("delay", attacks));
    expect(at(0, 6, 5)("delay", attacks)).not.toEqual(at(0, 6, 6)("delay", attacks));
  });

  it("says all that it leaves out", () => {
    told.length = 0;
    const taken = ids(at(3, 5, 9)("delay", attacks));
    const [line = ""] = told;
    expect([...taken, ...line.replace("delay: ", "").split(", ")].sort()).toEqual(ids(attacks).sort());
  });

  it("has others in the place of those that do not fit, and is silent where nothing is left out", () => {
    const even = ({ id }: { readonly id: string }): boolean => Number(id.slice(1)) % 2 === 0;
    expect(at(2, 5, 3)("delay", attacks, even).filter(even)).toHaveLength(5);
    told.length = 0;
    expect(at(4, 40, 3)("delay", attacks, even)).toEqual(attacks.filter(even));
    expect(told).toEqual([]);
    expect(everything("delay", attacks, even)).toEqual(attacks.filter(even));
  });
});

describe("the command line of the attacks", () => {
  const read = (...words: string[]) => readOptions(words, ["codex", "pi"], ["delay", "guard"]);

  it.each([
    [[], { hosts: [], parts: [] }],
    [["delay", "pi"], { hosts: ["pi"], parts: ["delay"] }],
    [["--sample", "4"], { hosts: [], parts: [], sample: { size: 4, seed: 1 } }],
    [["pi", "--sample", "4", "--seed", "77"], { hosts: ["pi"], parts: [], sample: { size: 4, seed: 77 } }],
  ])("reads %j", (words, options) => {
    expect(read(...words)).toEqual(options);
  });

  it.each([["cursor"], ["--sample"], ["--sample", "0"], ["--sample", "x"], ["--seed", "3"], ["--all"]])(
    "says how it is used at %s %s",
    (...words) => {
      expect(read(...words)).toMatch(/^usage: /);
    },
  );
});
