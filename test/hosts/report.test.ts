import { describe, expect, it } from "vitest";
import { Cases, summary } from "./report.ts";

const good = { name: "a", ok: true, seen: "" };
const bad = { name: "b", ok: false, seen: "x" };

describe("summary of a real-host run", () => {
  it("passes when every case holds", () => {
    expect(summary([good, good], [])).toEqual({ lines: ["2 passed, 0 failed"], passed: true });
  });

  it("fails when a case does not hold", () => {
    expect(summary([good, bad], [])).toEqual({ lines: ["1 passed, 1 failed"], passed: false });
  });

  it("never counts a host that could not be had as a pass", () => {
    const { lines, passed } = summary([good], ["pi 0.87.1: cannot be installed"]);
    expect(passed).toBe(false);
    expect(lines).toEqual(["not run - pi 0.87.1: cannot be installed", "1 passed, 0 failed"]);
  });

  it("fails when nothing was tried", () => {
    expect(summary([], []).passed).toBe(false);
  });
});

describe("cases of a real-host run", () => {
  it("print as they are known, with what was seen instead", () => {
    const lines: string[] = [];
    const cases = new Cases("pi 1", (line) => lines.push(line));
    cases.check("holds", true, "unsaid");
    cases.check("does not", false, { exit: 1 });
    expect(lines).toEqual(["ok - pi 1: holds", "not ok - pi 1: does not", '  seen: {"exit":1}']);
  });

  it("count a group that throws as failed", async () => {
    const cases = new Cases("pi 1", () => undefined);
    await cases.group("starts", () => Promise.reject(new Error("gone")));
    expect(cases.results).toEqual([{ name: "starts", ok: false, seen: "gone" }]);
  });
});
