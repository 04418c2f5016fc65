import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNamed } from "../../../facts/secrets/edits.ts";
import { detectorExamples, expandExample } from "../../../facts/secrets/examples.ts";
import { KeywordAutomaton } from "../../../facts/secrets/keywords.ts";
import { detectors } from "../../../facts/secrets/table.ts";
import { editText, type FindEdits } from "../../../facts/text/edit.ts";
import { redact } from "../../../rules/actions/redact.ts";
import { context } from "../../rules/actions/context.ts";
import { scannerFor } from "./made.ts";

const scanner = scannerFor(["secrets/*"]);
const examples = Object.entries(detectorExamples)
  .filter(([id]) => id.startsWith("secrets/"))
  .flatMap(([, { match, noMatch }]) => [...match, ...noMatch].map(expandExample));

describe("work on one text", () => {
  const keywords = [...new Set(detectors.flatMap((detector) => detector.keywords))].sort().join(" =");
  it("has a bound: a text of all keywords is withheld, and said to be", () => {
    const text = `${keywords}\n`.repeat(Math.ceil(1_000_000 / keywords.length));
    expect(scanner.find(text).map(({ detector }) => detector)).toEqual(["secrets/unscanned"]);
    const parameters = { detectors: ["secrets/*"] };
    const result = redact.transform?.({ content: [{ type: "text", text }] }, parameters, context());
    expect(result).toMatchObject({ code: "HW507" });
  });
  it.each([
    ["a list of all keywords", keywords],
    ["an environment file of 5,000 lines", expandExample("DB_PASSWORD={A24}\n").repeat(5_000)],
    ["a log with a password in every line", expandExample("INFO request served, password={A16} ok\n").repeat(10_000)],
  ])("is within it for %s", (_name, text) => {
    expect(scanner.find(text).some(({ detector }) => detector === "secrets/unscanned")).toBe(false);
  });
});

describe("places", () => {
  const find: FindEdits = (part, key) =>
    findNamed(scanner, part, key).map(({ start, end }) => ({ start, end, text: "#" }));
  const values = fc.oneof(
    fc.constantFrom(...examples),
    fc.string({ maxLength: 12 }),
    fc.constantFrom("a1B2c3D4e5F6g7H8", "plain", "", "password"),
  );
  const names = fc.oneof(
    fc.constantFrom("password", "api_key", "auth", "token", "note", "x", "AWS_SECRET_ACCESS_KEY"),
    values,
  );
  it("leave nothing out: JSON is edited as if each string were looked at", () => {
    const json = fc.array(
      fc.dictionary(names, fc.oneof(values, fc.integer(), fc.dictionary(names, values, { maxKeys: 2 }))),
      {
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(json, (given) => {
        const text = JSON.stringify(given);
        expect(editText(text, find, undefined, (part) => scanner.places(part))).toBe(editText(text, find));
      }),
      { numRuns: 150 },
    );
  });
  it("are none in plain text, and names tell by their keywords", () => {
    expect(scanner.places("the request was served from the cache.")).toEqual([]);
    expect(["password", "auth", "colour", "id"].map((name) => scanner.tells(name))).toEqual([true, true, false, false]);
  });
});

describe("KeywordAutomaton", () => {
  it("finds what a search for each word finds, over chunks too", () => {
    const words = ["a", "ab", "abc", "bcd", "-x", "token", "ken_", "é"];
    const automaton = new KeywordAutomaton(words);
    const piece = fc.constantFrom(..."a|b|c|d|-|x|TOKEN|token|ken_|to|ké| |\n|é|ż".split("|"));
    const texts = fc.tuple(fc.array(piece, { maxLength: 60 }), fc.nat(40)).map(([parts, n]) => {
      const part = parts.join("");
      return `${" ".repeat(Math.max(0, 32_768 - n))}${part}`;
    });
    fc.assert(
      fc.property(texts, (text) => {
        const found: string[] = [];
        automaton.scan(text, (word, end) => void found.push(`${end} ${word}`));
        const folded = [...text]
          .map((c) => String.fromCharCode(c.charCodeAt(0) & 255).replace(/[A-Z]/, (l) => l.toLowerCase()))
          .join("");
        const wanted = words.flatMap((word, index) => {
          const ends: string[] = [];
          for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1))
            ends.push(`${at + word.length} ${index}`);
          return ends;
        });
        expect(found.sort()).toEqual(wanted.sort());
      }),
      { numRuns: 60 },
    );
  });
});
