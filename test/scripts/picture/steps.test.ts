import { describe, expect, it } from "vitest";
import { steps } from "../../../scripts/picture/steps.ts";

const output =
  "first\n\n\u001b[1m1. a\u001b[22m\n    b\n\n\u001b[1m2. c\u001b[22m\n    d\n    3. e\n\n3. f\n    g\n\n10. h\n";

describe("steps of a demonstration", () => {
  it.each([
    ["one step", 1, 1, "\u001b[1m1. a\u001b[22m\n    b"],
    [
      "several, with the blank lines between them",
      1,
      2,
      "\u001b[1m1. a\u001b[22m\n    b\n\n\u001b[1m2. c\u001b[22m\n    d\n    3. e",
    ],
    ["no step is taken from inside another", 2, 2, "\u001b[1m2. c\u001b[22m\n    d\n    3. e"],
  ])("%s", (_, first, last, text) => {
    expect(steps(output, first, last)).toEqual({ text, all: 4 });
  });

  it.each([
    ["the first", 0, 1, 0],
    ["one between", 3, 10, 4],
    ["the one after the last, which says where the last ends", 3, 3, 4],
  ])("throws where %s is missing", (_, first, last, missing) => {
    expect(() => steps(output, first, last)).toThrow(`the demonstration has no step ${missing}`);
  });
});
