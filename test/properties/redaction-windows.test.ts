import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectorExamples, expandExample } from "../../facts/secrets/examples.ts";
import { detectors } from "../../facts/secrets/table.ts";
import { seed } from "./seed.ts";
import { twoScans } from "./two-scans.ts";

/**
 * A scan that runs patterns only in windows round keywords finds what a loop of the same patterns over the whole text
 * finds, with the same checks of what was matched. Texts are made of examples of every detector, whole and cut, of
 * keywords, of what may stand between them, and of runs that are longer than any window. Source: libraries page, figures.
 */
const { windowed, full } = twoScans("re2");

const examples = Object.values(detectorExamples).flatMap(({ match, noMatch }) =>
  [...match, ...noMatch].map(expandExample),
);
const keywords = [...new Set(detectors.flatMap((detector) => detector.keywords))];

const example = fc.constantFrom(...examples);
const keyword = fc.constantFrom(...keywords);
const glue = fc.constantFrom(
  ..."\n|\r\n| |  |\t|=|:| = |: |\"|'|`|=>|,|;|/|.|-|_|\\|\\n|)|(|[|]|{|}|@|?|&|#|é|ß|🔑|\u00a0|\u017f|\u212a|\u0000||".split(
    "|",
  ),
);
const run = fc
  .tuple(fc.constantFrom("a", "A", "0", "=", "x9", "kQ7", "-", "_", ".", "/", " ", "é", "🔑"), fc.nat(400))
  .map(([text, count]) => text.repeat(count));
const cut = fc
  .tuple(example, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([text, from, to]) => text.slice(Math.floor(from * text.length * 0.5), Math.ceil((0.5 + to / 2) * text.length)));
const shouted = fc
  .tuple(fc.oneof(example, keyword), fc.boolean())
  .map(([text, up]) => (up ? text.toUpperCase() : text));
const piece = fc.oneof(
  { arbitrary: example, weight: 4 },
  { arbitrary: cut, weight: 4 },
  { arbitrary: glue, weight: 6 },
  { arbitrary: keyword, weight: 3 },
  { arbitrary: run, weight: 2 },
  { arbitrary: shouted, weight: 1 },
  { arbitrary: fc.string({ maxLength: 12, unit: "grapheme" }), weight: 1 },
);
const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""));

describe("windows round keywords", () => {
  it("find what a loop of all patterns over the whole text finds", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(windowed(given)).toEqual(full(given));
      }),
      { seed, numRuns: 200 },
    );
  });

  it("find it at the edge of every window: an example behind runs of every length up to the reach of its neighbours", () => {
    const gap = fc.tuple(example, fc.constantFrom("a", "=", " ", "é", "\n"), fc.nat(1_500), example);
    fc.assert(
      fc.property(gap, ([first, filler, length, second]) => {
        const given = `${first}${filler.repeat(length)}${second}`;
        expect(windowed(given)).toEqual(full(given));
      }),
      { seed, numRuns: 150 },
    );
  });

  it("are compared over texts in which most detectors find something", () => {
    const found = new Set(examples.flatMap((given) => full(given).map((one) => one.split(" ")[0])));
    expect(found.size).toBeGreaterThan(detectors.length * 0.9);
  });
});
