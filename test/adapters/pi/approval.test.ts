import { describe, expect, it } from "vitest";
import { question, visible } from "../../../adapters/pi/approval.ts";
import { decision } from "./payloads.ts";

const ask = decision({
  outcome: "ask",
  answered: "rule",
  rule: "p/r",
  reason: "why",
  matched: [{ rule: "p/r", outcome: "ask" }],
});

describe("visible text", () => {
  it.each([
    ["keeps plain text and line breaks", "echo a\necho b", "echo a\necho b"],
    ["shows carriage returns", "echo a\rb", "echo a\\u{d}b"],
    ["shows escape codes", "a\u001b[2Kb", "a\\u{1b}[2Kb"],
    ["shows direction marks", "a\u202eb", "a\\u{202e}b"],
    ["shows zero-width characters", "a\u200bb", "a\\u{200b}b"],
    ["shows tag characters", "a\u{e0041}b", "a\\u{e0041}b"],
    ["shows tabs", "a\tb", "a\\u{9}b"],
    ["does not let blanks push the tail out of view", `a${" ".repeat(500)}b`, "a⟨500 blanks⟩b"],
    ["does not let line breaks push the tail out of view", `a${"\n".repeat(60)}b`, "a\n⟨60 line breaks⟩\nb"],
    ["keeps letters of any script", "ברוך café 日本", "ברוך café 日本"],
  ])("%s", (_name, text, expected) => {
    expect(visible(text)).toBe(expected);
  });
});

describe("the question to a human", () => {
  it("holds the whole command, however long", () => {
    const command = `echo ${"a ".repeat(10_000)}end-of-it`;
    expect(question("bash", { command }, ask).message).toContain("end-of-it");
  });

  it("holds other arguments, head and tail of long ones", () => {
    const { message } = question("write", { path: "/a", content: `start${"x".repeat(9_000)}finish` }, ask);
    expect(message).toContain("start");
    expect(message).toContain("finish");
    expect(message).toContain("more characters");
    expect(message).toContain("/a");
  });

  it("holds arguments beside the command", () => {
    expect(question("bash", { command: "echo a", timeout: 5 }, ask).message).toContain('{"timeout":5}');
  });

  it("names tool, reason, rules and guidance", () => {
    const asked = question("bash", { command: "echo a" }, { ...ask, guidance: "think first" });
    expect(asked.title).toContain("bash");
    expect(asked.message).toContain("Reason: why");
    expect(asked.message).toContain("Asked by: p/r");
    expect(asked.message).toContain("think first");
  });

  it("says who asks when no rule does", () => {
    const { rule: _, ...unknown } = decision({ outcome: "ask", answered: "unknown", doubts: ["dynamic word"] });
    const { message } = question("bash", { command: "echo a" }, unknown);
    expect(message).toContain("Reason: dynamic word");
    expect(message).toContain("Asked by: unknown");
  });
});
