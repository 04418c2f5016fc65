import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepPassed, passedCases, withRun } from "./passed.ts";

const result = (name: string, ok = true) => ({ name, ok, seen: "" });

describe("the list of passed cases", () => {
  it("has what held in this run, sorted, and not what failed", () => {
    const ran = new Map([["x 1", [result("b"), result("a"), result("c", false)]]]);
    expect(withRun({}, "x", ["x 1"], ran)).toEqual({ x: { "x 1": ["a", "b"] } });
  });

  it("does not have a case that held once and failed once under the same title", () => {
    const ran = new Map([["x 1", [result("a"), result("a", false)]]]);
    expect(withRun({ x: { "x 1": ["a"] } }, "x", ["x 1"], ran)).toEqual({ x: { "x 1": [] } });
  });

  it("keeps versions that were not run and other hosts, and forgets versions that are not tested any more", () => {
    const before = { y: { "y 1": ["z"] }, x: { "x 0": ["old"], "x 1": ["kept"], "x 2": ["gone"] } };
    const after = withRun(before, "x", ["x 1", "x 2"], new Map([["x 2", [result("new")]]]));
    expect(after).toEqual({ x: { "x 1": ["kept"], "x 2": ["new"] }, y: { "y 1": ["z"] } });
    expect(Object.keys(after)).toEqual(["x", "y"]);
  });

  it("is read back as it was written, and is empty where there is none", () => {
    const folder = mkdtempSync(join(tmpdir(), "hookwarden-passed-"));
    const file = join(folder, "passed.json");
    try {
      expect(passedCases(file)).toEqual({});
      keepPassed({ x: { "x 1": ["a"] } }, file);
      expect(passedCases(file)).toEqual({ x: { "x 1": ["a"] } });
      expect(readFileSync(file, "utf8").endsWith("\n")).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
