import { describe, expect, it } from "vitest";
import { nativeWork } from "../native-work.ts";
import { callOf } from "../scaling/shape.ts";
import { engineOf, judged, planFrom } from "../scaling/subject.ts";

/** So many rules that look for texts which begin alike, and so for all that stands in a text of one character. */
const rules = 60;
const policy = (length: number): string =>
  Array.from(
    { length: rules },
    (_, n) =>
      `- { id: r${n}, event: tool_call, tool: mcp__x__y, when: 'args.text.contains("${"a".repeat(length)}${n}b")', action: block }`,
  ).join("\n");
const event = (text: string) => callOf("mcp__x__y", { text });
const run = "a".repeat(30_000);

describe("literals that begin alike", () => {
  it("are looked for in time that their length does not multiply", () => {
    const work = (length: number, index: boolean): number => {
      const plan = planFrom(policy(length));
      engineOf(plan, { index }).decide(event("a"));
      const engine = engineOf(plan, { index });
      return nativeWork(() => engine.decide(event(run)));
    };
    for (const index of [true, false]) {
      const [short, long] = [work(250, index), work(1_000, index)];
      expect([index, long < 1.5 * short + 1_000_000, long < 40 * rules * run.length]).toEqual([index, true, true]);
    }
  });

  it.each([
    ["stands at the end", `${run}7b`, "block"],
    ["stands at the beginning", `${"a".repeat(250)}7b${run}`, "block"],
    ["stands nowhere", `${run}b7`, "allow"],
  ])("are found where one %s, with an index and without one", (_, text, outcome) => {
    const plan = planFrom(policy(250));
    const [indexed, plain] = [true, false].map((index) => judged(engineOf(plan, { index }), event(text)));
    expect(indexed?.decision.outcome).toBe(outcome);
    expect(JSON.stringify([plain?.decision, plain?.body])).toBe(JSON.stringify([indexed?.decision, indexed?.body]));
  });
});
