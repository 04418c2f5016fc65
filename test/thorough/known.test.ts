import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Row, State } from "../../authoring/thorough/judge.ts";
import { type VariationName, variationNames } from "../../authoring/thorough/variation.ts";
import { type Exception, faultsOf, isFailure, isFor, keyOf, readExceptions, readGaps } from "./known.ts";
import { packs, specPages } from "./subjects.ts";

const folder = mkdtempSync(join(tmpdir(), "hookwarden-thorough-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function row(id: string, name: VariationName, state: State, shown = "call"): Row {
  const rule = { id } as Row["rule"];
  const example = { value: "", span: { start: 0, end: 0 } };
  return { rule, example, name, state, variation: { name, shown, event: { event: "tool_call" } } };
}

const exception: Exception = { rule: "p/r", ways: ["quotes"], reason: "a reason that is long enough" };
const many = (count: number, state: State): Row[] => Array.from({ length: count }, () => row("p/r", "quotes", state));

describe("exceptions", () => {
  it("are those that are checked in: for ways that there are, with reasons", () => {
    const found = readExceptions();
    expect(found.length).toBeGreaterThan(0);
    for (const { ways, reason } of found) {
      expect(variationNames).toEqual(expect.arrayContaining([...ways]));
      expect(reason).toMatch(/\.$/);
    }
  });

  it.each([
    ["an unknown way", "- { rule: p/r, ways: [loudly], reason: a reason that is long enough }", "no way `loudly`"],
    ["no reason", "- { rule: p/r, ways: [quotes], reason: '' }", "it has no reason"],
  ])("with %s are refused", (_, text, message) => {
    const path = join(folder, "..", `hookwarden-thorough-${process.pid}.yaml`);
    writeFileSync(path, text);
    expect(() => readExceptions(path)).toThrow(message);
    rmSync(path);
  });

  it("are for a rule, a way, and a call where one is given", () => {
    expect(isFor(exception, row("p/r", "quotes", "through"))).toBe(true);
    expect(isFor(exception, row("p/s", "quotes", "through"))).toBe(false);
    expect(isFor(exception, row("p/r", "list", "through"))).toBe(false);
    expect(isFor({ ...exception, call: "call" }, row("p/r", "quotes", "through"))).toBe(true);
    expect(isFor({ ...exception, call: "other" }, row("p/r", "quotes", "through"))).toBe(false);
  });

  it("fail where nothing uses them, and where they are for more than 2 % of the rows", () => {
    expect(faultsOf([exception], [...many(98, "holds"), ...many(2, "through")])).toEqual([]);
    expect(faultsOf([exception], [...many(97, "holds"), ...many(3, "weaker")])).toEqual([
      "exceptions are for 3 of 100 rows, and may be for 2 %",
    ]);
    expect(faultsOf([exception], many(100, "holds"))).toEqual([
      "exception for p/r (quotes) is used by nothing; take it out",
    ]);
  });
});

describe("gaps", () => {
  it("are a sorted list without doubles, of which none is excepted as well", () => {
    const text = readFileSync(join(import.meta.dirname, "gaps.tsv"), "utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines).toEqual([...new Set(lines)].sort());
    const ways: readonly string[] = variationNames;
    for (const line of lines) expect(ways).toContain(line.split("\t")[1]);
  });

  it("are all of calls that leave something open: the same call in another spelling holds everywhere", () => {
    const ways = new Set([...readGaps()].map((line) => line.split("\t")[1]));
    expect([...ways].filter((way) => !way?.startsWith("unknown ") && way !== "from above")).toEqual([]);
  });
});

describe("packs and pages", () => {
  it.each(["opta-builtins", "strict", "spec 17"])("%s: what does not hold is known", (name) => {
    const subject = [...packs(), ...specPages()].find((one) => one.name === name);
    const rows = subject?.rows() ?? [];
    expect(rows.length).toBeGreaterThan(40);
    const gaps = readGaps();
    const exceptions = readExceptions();
    const failing = rows.filter((one) => isFailure(one) && !exceptions.some((each) => isFor(each, one)));
    expect(failing.map(keyOf).filter((key) => !gaps.has(key))).toEqual([]);
  });
});
