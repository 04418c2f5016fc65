import { describe, expect, it } from "vitest";
import { path, url } from "../../rules/fact-types.ts";
import type { Type } from "../../rules/types.ts";
import {
  assignable,
  bool,
  comparable,
  double,
  duration,
  dyn,
  int,
  join,
  list,
  map,
  nullType,
  oneOf,
  open,
  optional,
  printType,
  string,
  substitute,
  timestamp,
  unify,
} from "../../rules/types.ts";

const A: Type = { kind: "var", name: "A" };

describe("types", () => {
  it("print as authors write them", () => {
    const printed = [list(string), map(string, dyn), optional(list(int)), path, nullType, oneOf("a")].map(printType);
    expect(printed).toEqual(["list(string)", "map(string, dyn)", "optional(list(int))", "path", "null", "string"]);
  });

  it("of an empty list give way to what they are joined with, dyn does not", () => {
    expect(join(open, int)).toEqual(int);
    expect(join(list(open), list(list(int)))).toEqual(list(list(int)));
    expect(join(dyn, int)).toEqual(dyn);
    expect(printType(list(open))).toBe("list(dyn)");
  });

  const comparisons: readonly (readonly [Type, Type, boolean])[] = [
    [int, double, true],
    [int, string, false],
    [dyn, string, true],
    [path, string, true],
    [string, url, true],
    [path, url, false],
    [path, int, false],
    [oneOf("a", "b"), string, true],
    [oneOf("a", "b"), oneOf("b"), true],
    [oneOf("a"), oneOf("b"), false],
    [list(int), list(double), true],
    [list(int), list(string), false],
    [list(dyn), list(string), true],
    [timestamp, duration, false],
    [optional(int), int, false],
    [bool, nullType, false],
  ];
  for (const [a, b, holds] of comparisons) {
    it(`${printType(a)} == ${printType(b)} ${holds ? "may hold" : "never holds"}`, () => {
      expect(comparable(a, b)).toBe(holds);
      expect(comparable(b, a)).toBe(holds);
    });
  }

  it("are assignable to themselves and to dyn, numbers not to each other", () => {
    expect([
      assignable(int, int),
      assignable(int, dyn),
      assignable(dyn, int),
      assignable(int, double),
      assignable(list(dyn), list(int)),
    ]).toEqual([true, true, true, false, true]);
  });

  it("join to dyn when they differ", () => {
    expect([join(int, int), join(int, string), join(list(int), list(string))].map(printType)).toEqual([
      "int",
      "dyn",
      "list(dyn)",
    ]);
  });

  it("unify variables over all arguments", () => {
    const bound = new Map<string, Type>();
    expect([unify(list(string), list(A), bound), unify(string, A, bound)]).toEqual([true, true]);
    expect(printType(substitute(optional(A), bound))).toBe("optional(string)");
    expect(unify(int, A, bound)).toBe(false);
  });
});
