import { describe, expect, it } from "vitest";
import { freezeDeep, JudgedCalls, replaceArguments } from "../../../adapters/pi/judged-calls.ts";
import { digest } from "../../../runtime.ts";

describe("judged calls", () => {
  it("tell a call that ran as judged from one that did not", () => {
    const calls = new JudgedCalls();
    calls.remember("a", digest({ x: 1, y: [2] }));
    calls.remember("b", digest({ x: 1 }));
    expect(calls.difference("a", { y: [2], x: 1 })).toBeUndefined();
    expect(calls.difference("b", { x: 2 })).toContain("other arguments");
  });

  it("compare a call once", () => {
    const calls = new JudgedCalls();
    calls.remember("a", digest({}));
    calls.difference("a", {});
    expect(calls.difference("a", {})).toContain("without having been judged");
  });

  it("stay bounded, the oldest going first", () => {
    const calls = new JudgedCalls();
    for (let i = 0; i < 5_000; i++) calls.remember(`c${i}`, digest({}));
    expect(calls.difference("c0", {})).toBeDefined();
    expect(calls.difference("c4999", {})).toBeUndefined();
  });
});

describe("replacing arguments", () => {
  it("removes, changes and adds in place", () => {
    const input: Record<string, unknown> = { a: 1, b: 2 };
    replaceArguments(input, { b: 3, c: 4 });
    expect(input).toEqual({ b: 3, c: 4 });
  });

  it("sets no prototype", () => {
    const input: Record<string, unknown> = {};
    replaceArguments(input, JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  it("throws on what is frozen", () => {
    expect(() => replaceArguments(Object.freeze({ a: 1 }) as Record<string, unknown>, {})).toThrow();
  });
});

describe("freezing deep", () => {
  it("freezes below what is frozen already, cycles and deep nesting included", () => {
    const inner = { list: [{ a: 1 }] };
    const outer: Record<string, unknown> = { inner };
    outer["self"] = outer;
    Object.freeze(outer);
    freezeDeep(outer);
    expect(Object.isFrozen(inner.list[0])).toBe(true);
    let deep: unknown[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(() => freezeDeep(deep)).not.toThrow();
  });

  it("leaves the bytes of a buffer, which the language cannot freeze", () => {
    expect(() => freezeDeep({ bytes: new Uint8Array(2) })).not.toThrow();
  });
});
