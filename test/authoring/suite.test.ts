import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { matchesSubset } from "../../authoring/subset.ts";
import { runSuite } from "../../authoring/suite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-suite-"));
  writeFileSync(join(folder, "policy.yaml"), policy);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const policy = `version: 1
policy: demo
rules:
  - id: no-forbidden
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.operands: { contains: FORBIDDEN } }
    tool: bash
    action: block
    reason: the file is forbidden
  - id: greet
    event: before_agent_start
    action: { inject: { content: Hello., once: session } }
`;

function suite(cases: string, head = "policies: [policy.yaml]"): ReturnType<typeof runSuite> {
  writeFileSync(join(folder, "s.test.yaml"), `suite: demo\n${head}\ncases:\n${cases}`);
  return runSuite(join(folder, "s.test.yaml"), "s.test.yaml");
}

const one = (expectation: string, command = "touch FORBIDDEN"): string =>
  `  - name: one\n    events:\n      - { event: tool_call, tool: bash, args: { command: ${command} }, expect: ${expectation} }\n`;

describe("runSuite", () => {
  it.each([
    "{ outcome: block }",
    "{ outcome: block, answered: rule, rule: demo/no-forbidden, reason: the file is forbidden }",
    "{ changes: {} }",
  ])("holds for %s", (expectation) => {
    expect(suite(one(expectation))).toMatchObject({ cases: 1, failed: 0, diagnostics: [] });
  });

  it.each([
    ["{ outcome: allow }", "expected outcome `allow`, got `block`"],
    ["{ answered: default }", "expected answered `default`, got `rule`"],
    ["{ rule: demo/other }", "expected rule `demo/other`, got `demo/no-forbidden`"],
    ["{ reason: another }", "expected reason `another`"],
    ["{ changes: { text: x } }", "the changes are not as expected"],
    ["{ labels: [secret] }", "expected label `secret`"],
  ])("fails for %s, at the value that differs", (expectation, message) => {
    const { diagnostics, failed, sources } = suite(one(expectation));
    expect(failed).toBe(1);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: "HW409",
      message: expect.stringContaining(`case \`one\`: ${message}`),
    });
    const at = diagnostics[0]?.span.start ?? 0;
    expect(sources.get("s.test.yaml")?.position(at).line).toBe(6);
  });

  it("plays the events of a case in one session, and each case anew", () => {
    const start =
      "      - { event: before_agent_start, prompt: hi, expect: { changes: { message: { custom_type: hookwarden } } } }\n";
    const quiet = "      - { event: before_agent_start, prompt: hi, expect: { changes: { message: {} } } }\n";
    const result = suite(`  - name: first\n    events:\n${start}${quiet}  - name: second\n    events:\n${start}`);
    const failing = result.diagnostics.map((d) => d.message);
    expect(failing.filter((message) => message.startsWith("case `second`"))).toEqual(
      failing.filter((message) => message.startsWith("case `first`")).slice(1),
    );
  });

  it.each([
    ["a suite that does not fit", "  - nam: x\n", "policies: [policy.yaml]", "HW101"],
    ["a policy that does not exist", one("{ outcome: block }"), "policies: [nowhere.yaml]", "HW001"],
    [
      "an unknown field of an event",
      one("{ outcome: block }").replace("tool: bash", "tol: x, tool: bash"),
      "policies: [policy.yaml]",
      "HW409",
    ],
  ])("refuses %s", (_, cases, head, code) => {
    expect(suite(cases, head).diagnostics.map((d) => d.code)).toContain(code);
  });

  it("reports a suite that cannot be read", () => {
    expect(runSuite(join(folder, "none.test.yaml"), "none.test.yaml").diagnostics).toMatchObject([{ code: "HW001" }]);
  });
});

describe("matchesSubset", () => {
  it.each([
    [{}, { a: 1 }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: 1 }, { a: "1" }, false],
    [{ a: null }, {}, false],
    [[], {}, false],
    [{}, [], false],
  ])("%j in %j: %s", (wanted, given, holds) => {
    expect(matchesSubset(wanted, given)).toBe(holds);
  });
});
