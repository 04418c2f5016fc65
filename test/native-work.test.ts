import { describe, expect, it } from "vitest";
import { nativeWork } from "./native-work.ts";
import { fasterThanLinear } from "./work.ts";

/** Work that looks like one step in blocks and in units, by how it grows. */
const linear: Readonly<Record<string, (n: number) => unknown>> = {
  "a search for a short text": (n) => "a".repeat(n).indexOf("b"),
  "a copy of a list": (n) => [...Array.from({ length: n }, (_, i) => i)],
  "a regular expression that finds each": (n) => "ab".repeat(n).replace(/a/g, "c"),
  "a text of JSON": (n) => JSON.stringify(Array.from({ length: n }, () => 1)),
};
const faster: Readonly<Record<string, (n: number) => unknown>> = {
  "a search for a long text": (n) => "a".repeat(2 * n).includes(`a${"b".repeat(n)}`),
  "a search for a long text from the end": (n) => "a".repeat(2 * n).lastIndexOf(`${"a".repeat(n)}b`),
  "a text that is cut at a long one": (n) => "a".repeat(2 * n).split(`a${"b".repeat(n)}`),
  "a search at each place": (n) => Array.from({ length: n }, (_, i) => "a".repeat(n).indexOf("b", i)),
  "a list that is copied for each item": (n) => Array.from({ length: n }).reduce<unknown[]>((all) => [...all, 1], []),
  "a list that is cut for each item": (n) =>
    Array.from({ length: n }, (_, i, all = new Array(n).fill(0)) => all.slice(i)),
  "a list that is looked through for each item": (n) =>
    Array.from({ length: n }, (_, i) => i).filter((i, _, all) => all.includes(i)),
  "a table that is copied for each entry": (n) => {
    let all = new Map<number, number>();
    for (let i = 0; i < n; i++) all = new Map([...all, [i, i]]);
  },
  "a regular expression that looks to the end for each": (n) =>
    "a".repeat(n).replace(/a(?=a*b)|a/g, (a) => a && "a".repeat(n).replace(/b/, "")),
};

describe("native work", () => {
  it.each(Object.entries(linear))("that is linear grows as its input does: %s", (_, work) => {
    expect(fasterThanLinear((n) => nativeWork(() => work(n)), 500)).toBeUndefined();
    expect(nativeWork(() => work(500))).toBeGreaterThan(500);
  });

  it.each(Object.entries(faster))("that is not grows faster: %s", (_, work) => {
    expect(fasterThanLinear((n) => nativeWork(() => work(n)), 100)).toBeDefined();
  });

  it.each(Object.entries({ ...linear, ...faster }))("is the same in every run: %s", (_, work) => {
    const seen = new Set([1, 2, 3].map(() => nativeWork(() => work(100))));
    expect([...seen]).toHaveLength(1);
  });

  it("is none of what is done outside, and leaves every method as it was", () => {
    const methods = () => [String.prototype.indexOf, Array.prototype.slice, RegExp.prototype.exec, JSON.stringify];
    const before = methods();
    expect(nativeWork(() => undefined)).toBe(0);
    expect(() => nativeWork(() => JSON.parse("{"))).toThrow();
    expect(methods()).toEqual(before);
  });

  it("tells each piece of it to who asks where it is done", () => {
    const pieces: number[] = [];
    const all = nativeWork(
      () => ["ab".indexOf("b"), "ab".split("")],
      (elements) => pieces.push(elements),
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.reduce((sum, one) => sum + one, 0)).toBe(all);
  });
});
