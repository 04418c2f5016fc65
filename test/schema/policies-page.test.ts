import { describe, expect, it } from "vitest";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { examples } from "../../scripts/pages/policies.ts";
import { resolveImport } from "../../store/discover.ts";
import { policyFile } from "../literate/policies.ts";

/** A policy of all examples of the page: each stands where its title says. */
const policy = `version: 1
policy: our
${examples.Parameter}
${examples.Label}
${examples.Audit}
programs:
  ${examples.DeclaredProgram}
tools:
  ${examples.DeclaredTool}
imports:
  ${examples.Import.replace(/ }$/, "")}, overrides: [${examples.Override.replace(/^- /, "")}] }
rules:
  ${examples.Rule.replace(/ }$/, "")}, ${examples.Examples} }
  - { id: later, event: tool_call, tool: bash, ${examples.Sequence}, action: ask, reason: it comes after a page }
  - { id: before, event: tool_call, tool: bash, sequence: { after: [${examples.SequenceItem.replace(/^- /, "")}] }, action: ask, reason: a secret was read }
  - { id: many, event: tool_call, ${examples.Budget}, action: ask, reason: many files }
exceptions:
  ${examples.Exception}
`;

describe("docs/reference/policies.md", () => {
  it("has examples that load", () => {
    const { diagnostics } = checkPolicies([policyFile(policy, "our.yaml")], { scope: "user", now: 0, resolveImport });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });
});
