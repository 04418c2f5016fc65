import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { conditionForms, type TestAbout, testAbout, testVariables } from "../../rules/tests.about.ts";
import { policyFile } from "../literate/policies.ts";

/** Returns what `check` refuses in a rule with the example: the rule must match one command and not the other. */
function refused({ example, holds, fails }: TestAbout): readonly string[] {
  const [, name = ""] = /(?:^|[^\w.])([a-z])(?=\.\w|:)/.exec(example) ?? [];
  const list = testVariables[name];
  const each = list === undefined ? "" : `each: { ${name}: ${list} }, `;
  const examples = `examples: { match: [${JSON.stringify(holds)}], no_match: [${JSON.stringify(fails)}] }`;
  const rule = `{ id: r, event: tool_call, tool: bash, ${each}when: ${example}, action: ask, reason: x, ${examples} }`;
  const file = policyFile(`version: 1\npolicy: p\nrules:\n  - ${rule}\n`);
  const { diagnostics } = checkPolicies([file], { scope: "user", now: Date.UTC(2026, 10, 21), strict: false });
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message, help }) => `${code}: ${message}; ${help}`);
}

describe("conditions of the reference", () => {
  it.each(Object.entries(conditionForms))("the form %s holds as its row says", (_name, row) => {
    expect(refused(row)).toEqual([]);
  });

  it.each(Object.entries(testAbout))("the operator %s holds as its row says", (name, row) => {
    expect(row.example).toContain(name);
    expect(refused(row)).toEqual([]);
  });
});
