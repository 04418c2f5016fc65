import { describe, expect, it } from "vitest";
import { createEngine } from "../../runtime.ts";
import { compileTexts } from "../literate/policies.ts";

/** Five rules that deny, and a sixth with an error of one kind each time. */
function withSixth(sixth: string): string {
  const words = ["one", "two", "three", "four", "five"];
  const rules = words.map(
    (word) =>
      `  - { id: no-${word}, event: tool_call, tool: search, when: { args.query: { contains: ${word} } }, action: block, reason: no ${word} }`,
  );
  return `version: 1\npolicy: p\nrules:\n${rules.join("\n")}\n  - ${sixth}\n`;
}

const sound = '{ id: sixth, event: tool_call, tool: search, when: "true", action: ask, reason: always }';

describe("a policy that errors does not load, and nothing in it is skipped", () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ["a type error", '{ id: sixth, event: tool_call, when: "tool.name == 3", action: block, reason: no }', ["HW305"]],
    [
      "membership on a string",
      "{ id: sixth, event: tool_call, when: { tool.name: { in: bash } }, action: block, reason: no }",
      ["HW304"],
    ],
    [
      "an unknown name",
      "{ id: sixth, event: tool_call, when: { tol.name: bash }, action: block, reason: no }",
      ["HW301"],
    ],
    ["a syntax error", '{ id: sixth, event: tool_call, when: "tool.name ==", action: block, reason: no }', ["HW201"]],
    ["an unknown action", "{ id: sixth, event: tool_call, action: deny, reason: no }", ["HW105"]],
    [
      "a refused pattern",
      "{ id: sixth, event: input, when: { input.text: { matches: 'a(?=b)' } }, action: block, reason: no }",
      ["HW307"],
    ],
    [
      "an error in a rule that is not enabled",
      '{ id: sixth, enabled: false, event: tool_call, when: "tool.name == 3", action: block, reason: no }',
      ["HW305"],
    ],
    [
      "an error in a rule that only monitors",
      '{ id: sixth, mode: monitor, event: tool_call, when: "tool.name == 3", action: block, reason: no }',
      ["HW305"],
    ],
    ["an error in a text", '{ id: sixth, event: tool_call, action: block, reason: "{tol.name}" }', ["HW301"]],
    [
      "several errors: all are shown",
      '{ id: sixth, event: tool_call, when: "tool.name == 3 && args_raw.matches(\'(\') && nothing", unless: "shell.commands.exists(c, true)", action: block, reason: "{tol}" }',
      ["HW305", "HW307", "HW301", "HW309", "HW301"],
    ],
  ];

  it.each(cases)("%s", (_, sixth, codes) => {
    const { plan, diagnostics } = compileTexts({ "policy.yaml": withSixth(sixth) });
    expect(plan).toBeUndefined();
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.code)).toEqual(codes);
    // Nothing that could be run comes with the findings, not even the five sound rules.
    expect(createEngine(plan).plan).toBeUndefined();
  });

  it("the same five rules and a sound sixth load, all six", () => {
    const { plan } = compileTexts({ "policy.yaml": withSixth(sound) });
    expect(plan?.rules.map((rule) => rule.id).filter((id) => !id.startsWith("self-protection/"))).toEqual(
      ["no-one", "no-two", "no-three", "no-four", "no-five", "sixth"].map((id) => `p/${id}`),
    );
    const decide = (query: string) =>
      createEngine(plan).decide({ event: "tool_call", tool: "search", args: { query } }).decision;
    expect(decide("see five")).toMatchObject({ outcome: "block", rule: "p/no-five" });
    expect(decide("see six")).toMatchObject({ outcome: "ask", rule: "p/sixth" });
  });

  it("an error in one file of a set takes the whole set with it", () => {
    const importing = "version: 1\npolicy: q\nimports: [{ file: ./p.yaml }]\nrules: []\n";
    const { plan } = compileTexts({ "q.yaml": importing, "p.yaml": withSixth(cases[0]?.[1] ?? "") });
    expect(plan).toBeUndefined();
    const whole = compileTexts({ "q.yaml": importing, "p.yaml": withSixth(sound) });
    expect(whole.plan?.rules.filter((rule) => rule.id.startsWith("p/"))).toHaveLength(6);
  });
});
