import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { detectorIds, selectDetectors } from "../../../facts/secrets/detectors.ts";
import { detectorExamples, expandExample } from "../../../facts/secrets/examples.ts";
import { extentOf } from "../../../facts/secrets/pattern-extent.ts";
import type { Scanner } from "../../../facts/secrets/scan.ts";
import { createScanner, redactionToken } from "../../../facts/secrets/scan.ts";
import { detectors } from "../../../facts/secrets/table.ts";

const engines = [createRegexEngine({ prefer: "re2" }), createRegexEngine({ prefer: "re2js" })];
const scanner = (names: readonly string[], engine = engines[0]): Scanner => {
  const made = createScanner(engine as (typeof engines)[0], names);
  if (made.kind !== "scanner") throw new Error(made.unknown.join());
  return made;
};

describe("the table", () => {
  it("has at least 120 kinds of secrets, each with its own id, title, keywords and examples", () => {
    expect(detectorIds.filter((id) => id.startsWith("secrets/")).length).toBeGreaterThanOrEqual(120);
    expect(new Set(detectorIds).size).toBe(detectors.length);
    expect(Object.keys(detectorExamples).sort()).toEqual([...detectorIds].sort());
    for (const detector of detectors) {
      expect(detector.id).toMatch(/^(?:secrets|pii)\/[a-z][a-z0-9-]*$/);
      expect(detector.title.length).toBeGreaterThan(3);
      expect(detector.keywords.length).toBeGreaterThan(0);
      for (const word of detector.keywords) expect(word).toMatch(/^[\x20-\x7e]+$/);
      if (detector.confidence === "low") expect(detector.id).toMatch(/generic-|phone/);
    }
  });
  it("has a bound for every pattern, but for those with a window of their own", () => {
    for (const { id, pattern, window } of detectors) {
      const { min, max } = extentOf(pattern);
      expect([id, max === Number.POSITIVE_INFINITY]).toEqual([id, window !== undefined]);
      if (window === undefined) expect([id, max <= 1_300]).toEqual([id, true]);
      expect([id, min > 3]).toEqual([id, true]);
    }
  });
  it.each(engines.map((engine) => [engine.name, engine] as const))("compiles with %s", (_, engine) => {
    for (const detector of detectors)
      expect([detector.id, engine.compile(detector.pattern)]).toEqual([
        detector.id,
        expect.not.objectContaining({ kind: "regex_error" }),
      ]);
  });
});

describe.each(detectors.map((detector) => [detector.id, detector] as const))("%s", (id, detector) => {
  const examples = detectorExamples[id];
  it("has two examples of each side", () => {
    expect(new Set(examples?.match).size).toBeGreaterThanOrEqual(2);
    expect(new Set(examples?.noMatch).size).toBeGreaterThanOrEqual(2);
  });
  for (const engine of engines) {
    const own = scanner([id], engine);
    it.each(examples?.match ?? [])(`${engine.name} finds %j`, (template) => {
      const text = expandExample(template);
      const found = own.find(text);
      expect(found.map((f) => f.detector)).toEqual([id]);
      const [{ start, end } = { start: 0, end: 0 }] = found;
      expect(end - start).toBeLessThanOrEqual(extentOf(detector.pattern).max);
      expect(detector.keywords.some((word) => text.toLowerCase().includes(word.toLowerCase()))).toBe(true);
      const redacted = text.slice(0, start) + redactionToken(id) + text.slice(end);
      expect(scanner(["secrets/*"], engine).find(redacted)).toEqual([]);
    });
    it.each(examples?.noMatch ?? [])(`${engine.name} leaves %j`, (template) => {
      expect(own.find(expandExample(template))).toEqual([]);
    });
  }
  it("does not find any token", () => {
    const text = detectorIds
      .map((other) => `password=${redactionToken(other)} "${redactionToken(other)}": x ${redactionToken(other)}`)
      .join("\n");
    expect(scanner([id]).find(text)).toEqual([]);
  });
});

describe("selectDetectors", () => {
  it.each([
    ["secrets/*", detectorIds.filter((id) => id.startsWith("secrets/")).length],
    ["pii/*", 5],
    ["*", detectors.length],
    ["secrets/aws-access-key", 1],
    ["secrets/aws-*", detectorIds.filter((id) => id.startsWith("secrets/aws-")).length],
    ["*-key", detectorIds.filter((id) => id.endsWith("-key")).length],
    ["s*/g*t*n", detectorIds.filter((id) => /^s.*\/g.*t.*n$/.test(id)).length],
  ])("%s selects %i", (name, count) => {
    expect(selectDetectors([name]).selected.ids.length).toBe(count);
    expect(count).toBeGreaterThan(0);
  });
  it("names what selects nothing", () => {
    expect(selectDetectors(["secrets/*", "secrets/nope", "nope*"]).unknown).toEqual(["secrets/nope", "nope*"]);
    expect(createScanner(createRegexEngine(), ["x"])).toEqual({ kind: "unknown_detectors", unknown: ["x"] });
  });
});
