import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { snapshot } from "../../../adapters/hooks/snapshot.ts";
import { limits } from "../../../schema/limits.ts";

const cyclic: Record<string, unknown> = { a: 1 };
cyclic["self"] = cyclic;
const deep = Array.from({ length: limits.payloadDepth + 1 }).reduce<unknown>((inner) => [inner], 1);
const broken = Object.defineProperty({}, "x", { enumerable: true, get: () => JSON.parse("{") });

describe("snapshot", () => {
  it("equals plain data and shares nothing with it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const taken = snapshot(value, { unfit: "refuse" });
        expect(taken).toEqual({ ok: true, value });
        if (typeof value === "object" && value !== null && taken.ok) expect(taken.value).not.toBe(value);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["a cycle", cyclic, "contains itself"],
    ["a function", { run: () => 1 }, "a function is not data"],
    ["a symbol", [Symbol("s")], "a symbol is not data"],
    ["a map", { map: new Map() }, "[object Map] is not plain data"],
    ["a buffer", { bytes: new Uint8Array(2) }, "[object Uint8Array] is not plain data"],
    ["a getter that throws", broken, "`x` cannot be read"],
    ["too deep a value", deep, "nested deeper than a payload may be"],
  ])("%s is refused, or withheld in its place", (_name, value, reason) => {
    expect(snapshot(value, { unfit: "refuse" })).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    const shown = snapshot(value, { unfit: "withhold" });
    expect(shown.ok && JSON.stringify(shown.value)).toContain(`[withheld: `);
  });

  it.each([
    [
      "values that double at each level",
      () => Array.from({ length: 60 }).reduce<unknown>((inner) => [inner, inner], 1),
    ],
    ["a list with a huge length", () => new Array(4_000_000_000)],
    ["a proxy whose every trap throws", () => new Proxy({}, { ownKeys: () => JSON.parse("{") })],
  ])("%s are refused in bounded time, in both ways", (_name, make) => {
    expect(snapshot(make(), { unfit: "refuse" }).ok).toBe(false);
    expect(snapshot(make(), { unfit: "withhold" }).ok).toBe(false);
  });

  it("the same value twice is no cycle", () => {
    const shared = { a: 1 };
    expect(snapshot([shared, shared], { unfit: "refuse" })).toEqual({ ok: true, value: [{ a: 1 }, { a: 1 }] });
  });

  it("keeps `__proto__` as a key, undefined fields, dates, and the order of keys", () => {
    const given: unknown = JSON.parse('{"b":1,"__proto__":{"x":1},"a":2}');
    const taken = snapshot(given, { unfit: "refuse" });
    expect(taken.ok && Object.keys(taken.value as object)).toEqual(["b", "__proto__", "a"]);
    expect(taken.ok && Object.getPrototypeOf(taken.value)).toBe(Object.prototype);
    const more = { none: undefined, at: new Date(5) };
    expect(snapshot(more, { unfit: "refuse" })).toEqual({ ok: true, value: more });
  });
});
