import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, digest } from "../../engine/canonical.ts";
import { seed } from "../properties/seed.ts";

/** Objects whose keys are in order, as judged events are. */
const sorted = fc
  .dictionary(
    fc.string({ unit: "binary" }),
    fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant(undefined)),
  )
  .map((object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))));

describe("canonicalJson", () => {
  const cases: readonly [string, unknown, string][] = [
    [
      "sorts keys by UTF-16 units",
      { b: 1, a: 2, "\u20ac": 3, "\ud83d\ude00": 4, "\ufb33": 5 },
      '{"a":2,"b":1,"€":3,"😀":4,"\ufb33":5}',
    ],
    ["sorts keys that look like numbers as text", { 10: 1, 9: 2 }, '{"10":1,"9":2}'],
    [
      "writes the shortest numbers",
      [1e21, 1e-7, 0.1, -0, 100, 333333333.3333333],
      "[1e+21,1e-7,0.1,0,100,333333333.3333333]",
    ],
    ["writes null for numbers JSON cannot say", [Number.NaN, Number.POSITIVE_INFINITY], "[null,null]"],
    ["drops undefined in objects, keeps places in lists", { a: undefined, b: [undefined, null] }, '{"b":[null,null]}'],
    ["replaces lone surrogates", ["\ud800", "a\udfffb", "\ud83d\ude00"], '["\ufffd","a\ufffdb","😀"]'],
    ["keeps line breaks escaped", "a\nb\r\u0000", '"a\\nb\\r\\u0000"'],
    ["writes a key named __proto__", JSON.parse('{"__proto__":{"x":1},"a":2}'), '{"__proto__":{"x":1},"a":2}'],
    ["merges keys that are equal once well-formed", { "\ud800": 1, "\ud801": 2 }, '{"\ufffd":2}'],
    ["writes empty containers", [{}, []], "[{},[]]"],
  ];
  it.each(cases)("%s", (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it("holds on very deep data and on data inside itself", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 200_000; i++) deep = [deep];
    expect(canonicalJson(deep).length).toBe(400_001);
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    const shared = { x: 1 };
    expect(canonicalJson(loop)).toBe('{"self":"(circular)"}');
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });

  it("is a fixed point: reading and writing again gives the same bytes", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: false }), (value) => {
        const once = canonicalJson(value);
        expect(canonicalJson(JSON.parse(once))).toBe(once);
      }),
      { numRuns: 300 },
    );
  });

  it("writes the same whether data is shallow or deep, in order or not", () => {
    const levels = 64;
    const own = { withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withBoxedValues: true };
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(own), sorted, fc.constantFrom({ a: { toJSON: () => 1 } }, new (class {})())),
        (value) => {
          let deep: unknown = [value];
          for (let i = 1; i < levels; i++) deep = [deep];
          expect("[".repeat(levels) + canonicalJson(value) + "]".repeat(levels)).toBe(canonicalJson(deep));
        },
      ),
      { numRuns: 2_000, seed },
    );
  });

  it("does not depend on the order in which keys were written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const turned = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(object));
        expect(digest(turned)).toBe(digest(object));
      }),
      { numRuns: 200 },
    );
  });

  it("never spans lines and is well-formed Unicode for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("\n", "\r", "\ud800", "\udc00", "a", '"', "\\", "\u2028", "\u0000")),
        (units) => {
          const text = canonicalJson({ text: units.join("") });
          expect(text).not.toMatch(/[\n\r]/);
          expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("digest", () => {
  it("is the SHA-256 of the canonical JSON", () => {
    expect(digest({})).toBe("sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });
});
