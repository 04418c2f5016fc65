import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, keepConstant } from "../../engine/canonical.ts";
import "../properties/seed.ts";

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}

/** A value inside so many lists. */
function within(value: unknown, levels: number): unknown {
  let made = value;
  for (let n = 0; n < levels; n++) made = [made];
  return made;
}

describe("the canonical JSON of values that never change", () => {
  const text = fc.constantFrom("", "a", "\ud800", 'quote "', "é", "x".repeat(5_000));
  const value = fc.oneof(
    fc.dictionary(fc.constantFrom("b", "a", "\ud800", "10", "9", "__proto__"), fc.oneof(text, fc.jsonValue())),
    fc.array(fc.oneof(text, fc.jsonValue()), { maxLength: 3 }),
  );

  it("is what it is of a value that is written anew, wherever it stands and however often", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.nat(40), (values, levels) => {
        const anew = () => ({
          z: 1,
          list: structuredClone(values),
          a: [within(structuredClone(values), levels)],
          o: { b: structuredClone(values[0]), a: { x: structuredClone(values[0]) } },
        });
        const known = values.map((one) => frozen(one));
        known.forEach(keepConstant);
        const again = { z: 1, list: known, a: [within(known, levels)], o: { b: known[0], a: { x: known[0] } } };
        const wanted = canonicalJson(anew());
        for (let n = 0; n < 3; n++) expect(canonicalJson(again)).toBe(wanted);
        expect(canonicalJson(known)).toBe(canonicalJson(anew().list));
      }),
      { numRuns: 300 },
    );
  });
});
