import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Segment, Source } from "../../diagnostics/source.ts";

/** A run of text as the author wrote it, and as it reads when decoded; `even` runs read as written. */
interface Run {
  readonly outer: string;
  readonly inner: string;
}

const even = fc.string({ minLength: 1, maxLength: 6 }).map((text): Run => ({ outer: text, inner: text }));
const escapes = fc.constantFrom<Run>(
  { outer: "\\n", inner: "\n" },
  { outer: "''", inner: "'" },
  { outer: "\\u00e9", inner: "é" },
  { outer: "\n    ", inner: " " },
  { outer: "\\U0001F600", inner: "😀" },
);
const gap = fc.record({ outer: fc.constantFrom("\n  ", "\t", "# "), inner: fc.constant("") });
const runs = fc.array(fc.oneof(even, escapes, gap), { minLength: 1, maxLength: 12 });

/** The file, the text inside it, and the map between them, for these runs behind `lead`. */
function embedded(lead: string, list: readonly Run[]): { file: Source; inner: Source; segments: Segment[] } {
  const segments: Segment[] = [];
  let outerAt = lead.length;
  let innerAt = 0;
  for (const { outer, inner } of list) {
    const to = {
      inner: { start: innerAt, end: innerAt + inner.length },
      outer: { start: outerAt, end: outerAt + outer.length },
    };
    if (inner !== "") segments.push(to);
    outerAt += outer.length;
    innerAt += inner.length;
  }
  const file = new Source("policy.yaml", lead + list.map((r) => r.outer).join(""));
  return { file, inner: file.embed(list.map((r) => r.inner).join(""), segments), segments };
}

describe("text inside a file", () => {
  it("every character that reads as written maps to itself in the file", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), runs, (lead, list) => {
        const { file, inner, segments } = embedded(lead, list);
        for (const { inner: at, outer } of segments) {
          if (at.end - at.start !== outer.end - outer.start) continue;
          for (let offset = at.start; offset < at.end; offset++) {
            const span = inner.toFile({ start: offset, end: offset + 1 });
            expect(span.end - span.start).toBe(1);
            expect(file.text.slice(span.start, span.end)).toBe(inner.text[offset]);
          }
        }
      }),
    );
  });

  it("an escape maps as a whole, from whichever part of it", () => {
    fc.assert(
      fc.property(runs, (list) => {
        const { inner, segments } = embedded("key: ", list);
        for (const { inner: at, outer } of segments) {
          expect(inner.toFile(at)).toEqual(outer);
          if (at.end - at.start === outer.end - outer.start) continue;
          for (let offset = at.start; offset < at.end; offset++) {
            expect(inner.toFile({ start: offset, end: offset + 1 })).toEqual(outer);
          }
        }
      }),
    );
  });

  it("any span stays inside the scalar and keeps its order", () => {
    fc.assert(
      fc.property(runs, fc.nat(80), fc.nat(80), (list, a, b) => {
        const { file, inner } = embedded("key: ", list);
        const span = inner.toFile({ start: Math.min(a, b), end: Math.max(a, b) });
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(file.text.length);
        // The scalar starts behind the key; a text of gaps only has no segment to point at.
        if (inner.text !== "") expect(span.start).toBeGreaterThanOrEqual("key: ".length);
      }),
    );
  });

  it("text inside text inside a file maps through both", () => {
    const file = new Source("policy.yaml", 'reason: "say \\"{a.b}\\" now"');
    const scalar = file.embed('say "{a.b}" now', [
      { inner: { start: 0, end: 4 }, outer: { start: 9, end: 13 } },
      { inner: { start: 4, end: 5 }, outer: { start: 13, end: 15 } },
      { inner: { start: 5, end: 10 }, outer: { start: 15, end: 20 } },
      { inner: { start: 10, end: 11 }, outer: { start: 20, end: 22 } },
      { inner: { start: 11, end: 15 }, outer: { start: 22, end: 26 } },
    ]);
    const expression = scalar.embed("a.b", [{ inner: { start: 0, end: 3 }, outer: { start: 6, end: 9 } }]);
    const span = expression.toFile({ start: 2, end: 3 });
    expect(file.text.slice(span.start, span.end)).toBe("b");
    expect(expression.file).toBe(file);
  });

  it("the end of the text maps to the end of the scalar", () => {
    const { inner, file } = embedded("key: ", [{ outer: "abc", inner: "abc" }]);
    expect(inner.toFile({ start: 3, end: 3 })).toEqual({ start: file.text.length, end: file.text.length });
  });

  it("an empty text without segments maps to the start of the file", () => {
    expect(new Source("a", "x").embed("", []).toFile({ start: 0, end: 0 })).toEqual({ start: 0, end: 0 });
  });
});

describe("lines and columns", () => {
  it("agree with counting line breaks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r\n", ""), { maxLength: 30 }),
        fc.nat(60),
        (parts, at) => {
          const source = new Source("a", parts.join(""));
          const offset = Math.min(at, source.text.length);
          const before = source.text.slice(0, offset).split("\n");
          expect(source.position(offset)).toEqual({
            line: before.length,
            column: (before.at(-1) as string).length + 1,
          });
        },
      ),
    );
  });

  it.each([
    ["a\nbc\n", 1, "a"],
    ["a\nbc\n", 2, "bc"],
    ["a\nbc\n", 3, ""],
    ["a\r\nbc", 1, "a"],
    ["", 1, ""],
    ["a", 9, ""],
  ])("of %j, line %i is %j", (text, number, line) => {
    expect(new Source("a", text).line(number)).toBe(line);
  });
});
