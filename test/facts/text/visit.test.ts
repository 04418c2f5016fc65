import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visitTexts } from "../../../facts/text/visit.ts";
import { mapTexts } from "../../../facts/text/walk.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { seed } from "../../properties/seed.ts";

describe("visitTexts", () => {
  const keys = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("type", "data", "url", "mimeType", "command"));
  const texts = fc.oneof(fc.string(), fc.constantFrom("image", "image/png", "data:image/png;base64,AAAA", "QUJD"));
  const flat = fc.dictionary(keys, fc.oneof(texts, fc.integer(), fc.constantFrom(null, undefined, true)));
  const deep = fc.dictionary(keys, fc.oneof(texts, flat, fc.array(flat), fc.jsonValue({ maxDepth: 3 })));

  it("shows what a walk that maps texts shows, in its order", () => {
    const same = (value: unknown): void => {
      const seen: unknown[] = [];
      const walked: unknown[] = [];
      const fault = visitTexts(value, (...given) => seen.push(given), "args");
      const map = (text: string, where: string, key: string | undefined): string => {
        walked.push([text, where, key]);
        return text;
      };
      const mapped = mapTexts(value, map, { root: "args", keys: true });
      expect(seen).toEqual(walked);
      expect(fault !== undefined).toBe(mapped instanceof EvaluationError);
    };
    fc.assert(fc.property(fc.oneof(flat, deep, texts), same), { seed, numRuns: 1_000 });
  });

  it("says when there is more than can be looked at", () => {
    let nested: unknown = "x";
    for (let i = 0; i < 200; i++) nested = { a: nested };
    expect(visitTexts(nested, () => {}, "args")).toBeInstanceOf(EvaluationError);
  });
});
