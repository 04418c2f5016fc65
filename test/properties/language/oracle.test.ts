import { describe, expect, it } from "vitest";
import { createEngine } from "../../../runtime.ts";
import { seed } from "../seed.ts";
import { compileSet, type Report, runOracle, stillDiffers, Trial } from "./oracle.ts";
import { type GivenPolicy, yamlOf } from "./policies.ts";
import { shrink } from "./shrink.ts";

const pairs = 1_000;
const randomSeed = seed;

const blocking = (when: string): readonly GivenPolicy[] => [
  {
    scope: "user",
    data: { version: 1, policy: "p", rules: [{ id: "r", event: "tool_call", when, action: "block", reason: "x" }] },
  },
];

function explained(report: Report): string {
  const [first] = report.mismatches;
  if (!first) return "";
  const texts = first.policies.map(({ data, scope }) => `# ${scope}\n${yamlOf(data)}`);
  return [...texts, JSON.stringify(first.steps), JSON.stringify(first.engine), JSON.stringify(first.reference)].join(
    "\n",
  );
}

describe("compiled plans and the reference interpreter", () => {
  it.each([
    ["fixed", 20_260_131],
    ["random", randomSeed],
  ])(
    "agree on generated policies and events (%s seed %i)",
    (_, seed) => {
      const report = runOracle(seed, pairs, 50);
      expect(explained(report)).toBe("");
      expect(report.cases).toBe(pairs);
      expect(report.compiled / report.policies).toBeGreaterThan(0.75);
      // The generator reaches every way to be answered.
      const answers = [
        "block by rule",
        "ask by rule",
        "allow by default",
        "ask by unknown",
        "block by error",
        "allow by none",
        "answer",
        "label",
        "allow",
      ];
      expect(answers.filter((answer) => !report.outcomes.has(answer))).toEqual([]);
    },
    120_000,
  );

  it("the same seed gives the same cases", () => {
    expect(runOracle(7, 150, 50)).toEqual(runOracle(7, 150, 50));
  }, 60_000);

  it("a plan that decides otherwise than its policy is found", () => {
    const policies = blocking('tool.name == "bash"');
    const { plan } = compileSet(policies);
    const other = compileSet(blocking('tool.name == "read"')).plan;
    const event = { event: "tool_call", tool: "bash", args: { command: "ls" } };
    if (!plan || !other) throw new Error("both policies compile");
    expect(new Trial(policies, plan, createEngine(other)).take({ event })).toMatchObject({
      engine: { outcome: "allow" },
      reference: { outcome: "block", rule: "p/r" },
    });
    expect(stillDiffers(policies, [{ event }])).toBeUndefined();
  });
});

describe("shrinking", () => {
  it("takes away what a failure does not need", () => {
    const fails = (value: { texts: readonly string[]; more?: number }): boolean =>
      value.texts?.some((text) => text.includes("x > 1")) ?? false;
    const found = shrink({ texts: ["a", "(y == 2 && x > 1) || z", "b"], more: 1 }, fails);
    expect(found).toEqual({ texts: ["x > 1"] });
  });
});
