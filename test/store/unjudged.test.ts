import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countUnjudged, judgedOf, recentlyUnjudged, unjudgedOf, unjudgedText } from "../../store/unjudged.ts";

let state = "";
beforeEach(() => {
  state = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-unjudged-")));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const file = (): string => join(state, "unjudged/cline.jsonl");

describe("events that were not judged", () => {
  it("are counted by host and name", () => {
    expect([1, 2, 3].map((now) => countUnjudged(state, "cline", "agent_foo", now))).toEqual([1, 2, 3]);
    countUnjudged(state, "cline", "", 9);
    countUnjudged(state, "codex", "agent_foo", 9);
    expect(unjudgedOf(state, "cline")).toEqual([
      { name: "agent_foo", times: 3, last: 3 },
      { name: "", times: 1, last: 9 },
    ]);
    expect(unjudgedText("cline", unjudgedOf(state, "cline"))).toContain("4 events of cline were not judged");
  });

  it("are told for a week", () => {
    countUnjudged(state, "cline", "x", 0);
    expect(recentlyUnjudged(state, "cline", 1_000)).toContain("1 event of cline");
    expect(recentlyUnjudged(state, "cline", 8 * 24 * 3_600_000)).toBeUndefined();
  });

  it("have names that are neither long nor more than one line", () => {
    countUnjudged(state, "cline", `a\n\u001b[31m\`${"x".repeat(500)}`, 1);
    const [{ name } = { name: "" }] = unjudgedOf(state, "cline");
    expect(name).toMatch(/^a\?\?\[31m\?x+$/);
    expect(name.length).toBe(64);
  });

  it("are counted up to a bound, so that no host fills the disk", () => {
    for (let i = 0; i < 3; i++) countUnjudged(state, "cline", "x", 1);
    appendFileSync(file(), '["y",1]\n'.repeat(40_000));
    const before = readFileSync(file()).length;
    countUnjudged(state, "cline", "x", 1);
    expect(readFileSync(file()).length).toBe(before);
    expect(unjudgedOf(state, "cline").find(({ name }) => name === "x")?.times).toBe(3);
  });

  it.each<[string, () => void]>([
    ["the folder is a file", () => writeFileSync(join(state, "unjudged"), "")],
    ["the count is a folder", () => mkdirSync(file(), { recursive: true })],
    [
      "the count is a link",
      () => {
        mkdirSync(join(state, "unjudged"));
        symlinkSync(join(state, "elsewhere"), file());
      },
    ],
  ])("are not counted where %s, and nothing is thrown", (_, make) => {
    make();
    expect(countUnjudged(state, "cline", "x", 1)).toBe(0);
    expect(unjudgedOf(state, "cline")).toEqual([]);
  });

  it("are read past what is no line of a count", () => {
    countUnjudged(state, "cline", "x", 1);
    appendFileSync(file(), 'junk\n[1,2]\n["y"]\n{}\n["x",5]\n');
    expect(unjudgedOf(state, "cline")).toEqual([{ name: "x", times: 2, last: 5 }]);
  });

  it("stand beside those that were, which the trail has", () => {
    mkdirSync(join(state, "audit/s"), { recursive: true });
    const line = (more: object): string =>
      `${JSON.stringify({ body: { host: "cline", event: "tool_call", ...more } })}\n`;
    writeFileSync(
      join(state, "audit/s/000001.jsonl"),
      line({}) + line({ kind: "note" }) + line({ host: "codex" }) + line({}),
    );
    expect(judgedOf(state, "cline")).toBe(2);
    expect(judgedOf(join(state, "nowhere"), "cline")).toBe(0);
  });
});
