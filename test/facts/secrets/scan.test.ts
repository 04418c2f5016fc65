import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { entropy } from "../../../facts/secrets/checks.ts";
import { detectorExamples, expandExample } from "../../../facts/secrets/examples.ts";
import { scanSecrets } from "../../../facts/secrets/facts.ts";
import { KeywordAutomaton } from "../../../facts/secrets/keywords.ts";
import { createScanner } from "../../../facts/secrets/scan.ts";
import { judged } from "../event.ts";

const made = createScanner(createRegexEngine(), ["secrets/*"]);
if (made.kind !== "scanner") throw new Error("unknown detectors");
const scanner = made;
const key = expandExample("ghp_{A36}");
const aws = expandExample("AKIA{U16}");
const samples = Object.entries(detectorExamples)
  .filter(([id]) => id.startsWith("secrets/"))
  .flatMap(([, e]) => e.match.map(expandExample));

describe("createScanner", () => {
  it("finds several secrets from left to right with exact spans", () => {
    const text = `a ${key} b ${aws} c ${key}`;
    expect(scanner.find(text).map((f) => [f.detector, text.slice(f.start, f.end)])).toEqual([
      ["secrets/github-token", key],
      ["secrets/aws-access-key", aws],
      ["secrets/github-token", key],
    ]);
  });
  it("names overlapping findings once, by the surer one", () => {
    const text = `export GITHUB_TOKEN=${key}`;
    expect(scanner.find(text)).toEqual([{ start: 20, end: 60, detector: "secrets/github-token", confidence: "high" }]);
  });
  it("has UTF-16 offsets", () => {
    const text = `😀é ${aws} 日本`;
    expect(scanner.find(text).map((f) => text.slice(f.start, f.end))).toEqual([aws]);
  });
  it.each([
    ["plain words"],
    [""],
    [expandExample("{h40} commit {h64}")],
    [expandExample('"integrity": "sha512-{b86}=="')],
    ["id: 123e4567-e89b-12d3-a456-426614174000"],
    [expandExample("//# sourceMappingURL=data:application/json;base64,{b200}")],
  ])("leaves %j", (text) => {
    expect(scanner.find(text)).toEqual([]);
  });
  it("redacts every sample once and for all", () => {
    for (const sample of samples) {
      const once = scanner.redact(sample);
      expect(once).toContain("[REDACTED:");
      expect(scanner.redact(once)).toBe(once);
    }
  });
  it("reads a large clean text before the test's time is out", () => {
    const line = "2026-11-21 INFO request served in 12ms path=/api/items/42 status=200 key path token\n";
    expect(scanner.find(line.repeat(12_000))).toEqual([]);
  });
});

describe("KeywordAutomaton", () => {
  it("finds the same occurrences as a search for each word", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "-", "1"), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
        fc.string({ unit: fc.constantFrom("a", "B", "b", "-", "1", "é", "😀"), maxLength: 30 }),
        (words, text) => {
          const lower = text.toLowerCase();
          const expected = places(lower, words);
          const found: string[] = [];
          new KeywordAutomaton(words).scan(text, (index, end) => found.push(`${end} ${words[index]}`));
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
      { numRuns: 300 },
    );
  });
  it("finds them in the same order with its table and without", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "-"), minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom("a", "B", "b", "-", "é"), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 12 }), text, (words, one) => {
        const untabled = new KeywordAutomaton(words);
        const tabled = new KeywordAutomaton(words);
        tabled.scan(" ".repeat(100_000), () => {});
        const found = [untabled, tabled].map((automaton) => {
          const ends: string[] = [];
          automaton.scan(one, (index, end) => ends.push(`${end} ${words[index]}`));
          return ends;
        });
        expect(found[0]).toEqual(found[1]);
      }),
      { numRuns: 300 },
    );
  });
  it("finds words across the edges of its buffer", () => {
    for (const length of [32_765, 32_766, 32_767, 32_768, 65_534]) {
      const found: number[] = [];
      new KeywordAutomaton(["needle"]).scan(`${" ".repeat(length)}neeDLE `, (_, end) => found.push(end));
      expect(found).toEqual([length + 6]);
    }
  });
});

function places(text: string, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const found: string[] = [];
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      found.push(`${at + word.length} ${word}`);
    return found;
  });
}

describe("entropy", () => {
  it.each([
    ["", 0],
    ["aaaa", 0],
    ["abab", 1],
    ["abcd", 2],
  ])("of %j is %d", (text, bits) => expect(entropy(text)).toBeCloseTo(bits));
});

describe("scanSecrets", () => {
  it("names place and detector for every kind of text, never the value", () => {
    const event = judged({
      args: { command: `curl -H ${aws}`, env: { list: [key] }, password: "hunter2-Zx9" },
      result: {
        content: [
          { type: "text", text: `see ${key}` },
          { type: "image", data: key },
        ],
        details: { a: { [key]: 1 } },
        structured: { raw: JSON.stringify({ k: aws }) },
        is_error: false,
      },
      messages: [{ role: "user", content: key }],
      prompt: key,
      system_prompt: aws,
      input: { text: key, source: "user", images: [] },
      command: `echo ${key}`,
      fields: { summary: aws },
    });
    const facts = scanSecrets(event);
    expect(facts.map((f) => `${f.where} ${f.detector.slice(8)} ${f.confidence}`)).toEqual([
      "args.command aws-access-key high",
      "args.env.list[0] github-token high",
      "args.password generic-password low",
      "content[0].text github-token high",
      "content[1].data github-token high",
      "details.a github-token high",
      "structured.raw aws-access-key high",
      "messages[0].content github-token high",
      "prompt github-token high",
      "system_prompt aws-access-key high",
      "text github-token high",
      "command github-token high",
      "fields.summary aws-access-key high",
    ]);
    expect(JSON.stringify(facts)).not.toContain(key);
  });
  it("does not take a payload over its bounds for clean", () => {
    let deep: unknown = key;
    for (let i = 0; i < 200; i++) deep = [deep];
    expect(scanSecrets(judged({ args: { deep } }))).toEqual([
      { detector: "secrets/unscanned", confidence: "low", where: "args" },
    ]);
  });
});
