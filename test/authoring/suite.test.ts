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
    "{ grade: yes }",
    "{ grade: 'yes' }",
  ])("holds for %s", (expectation) => {
    expect(suite(one(expectation))).toMatchObject({ cases: 1, failed: 0, diagnostics: [] });
  });

  it.each([
    ["{ outcome: allow }", "expected outcome `allow`, got `block`"],
    ["{ answered: default }", "expected answered `default`, got `rule`"],
    ["{ rule: demo/other }", "expected rule `demo/other`, got `demo/no-forbidden`"],
    ["{ reason: another }", "expected reason `another`"],
    ["{ changes: { text: x } }", "the changes are not as expected"],
    ["{ grade: open }", "expected grade `open`, got `yes`"],
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

describe("a suite with sessions", () => {
  const sessions = `version: 1
policy: s
labels: { seen: { kind: taint }, wrote: { kind: mark } }
rules:
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: wrote, event: tool_call, tool: write, action: { label: { add: [wrote] } } }
  - { id: push, event: tool_call, tool: task, action: { ask: { remember: session, clears: [seen] } }, reason: a task }
  - { id: order, event: tool_call, tool: grep, sequence: { after: [{ tool: fetch }, { tool: write }] }, action: block, reason: in order }
  - { id: two, event: tool_call, tool: read, budget: { limit: 2, within: 1m }, action: block, reason: two a minute }
`;
  const play = (...events: string[]) => {
    writeFileSync(join(folder, "sessions.yaml"), sessions);
    return suite(
      `  - name: one\n    events:\n${events.map((event) => `      - ${event}\n`).join("")}`,
      "policies: [sessions.yaml]",
    );
  };
  const fetch = (expectation: string) =>
    `{ event: tool_call, tool: fetch, args: { url: "https://example.com/" }, expect: ${expectation} }`;
  const write = (expectation: string) =>
    `{ event: tool_call, tool: write, args: { path: a, content: x }, expect: ${expectation} }`;
  const tool = (name: string, rest: string) =>
    `{ event: tool_call, tool: ${name}, args: { path: a, prompt: x, pattern: x }, ${rest} }`;

  it.each<[string, readonly string[]]>([
    [
      "labels that the session has after the event",
      [write("{ labels: [wrote] }"), fetch("{ labels: [seen, wrote] }"), write("{ labels: [wrote, seen] }")],
    ],
    ["no label at all", [tool("bash", "expect: { labels: [] }")]],
    [
      "an approval that clears",
      [
        fetch("{ labels: [seen] }"),
        tool("task", "id: q, expect: { outcome: ask, rule: s/push }"),
        "{ event: approval, of: q, answer: allow, expect: { labels: [] } }",
      ],
    ],
    [
      "an approval that is remembered",
      [
        tool("task", "expect: { outcome: ask }"),
        "{ event: approval, of: 1, answer: allow }",
        tool("task", "expect: { outcome: allow, answered: rule }"),
      ],
    ],
    [
      "a denial that is remembered",
      [
        tool("task", "expect: { outcome: ask }"),
        "{ event: approval, of: 1, answer: deny }",
        tool("task", "expect: { outcome: block }"),
      ],
    ],
    [
      "a sequence",
      [
        write("{ outcome: allow }"),
        fetch("{ outcome: allow }"),
        tool("grep", "expect: { outcome: allow }"),
        write("{ outcome: allow }"),
        tool("grep", "expect: { outcome: block, rule: s/order }"),
      ],
    ],
    [
      "a budget and its window",
      [
        tool("read", 'time: "2026-11-21T20:00:00Z"'),
        tool("read", 'time: "2026-11-21T20:00:30Z", expect: { outcome: allow }'),
        tool("read", 'time: "2026-11-21T20:00:59Z", expect: { outcome: block }'),
        tool("read", 'time: "2026-11-21T20:02:00Z", expect: { outcome: allow }'),
      ],
    ],
    ["sessions apart", [fetch("{ labels: [seen] }"), tool("bash", "session: { id: other }, expect: { labels: [] }")]],
    [
      "a sub-agent's session",
      [
        write("{ labels: [wrote] }"),
        tool("fetch", "session: { id: child, parent: suite }, expect: { labels: [wrote, seen] }"),
        tool("bash", "expect: { labels: [wrote, seen] }"),
      ],
    ],
  ])("holds for %s", (_, events) => {
    expect(play(...events).diagnostics.map((d) => d.message)).toEqual([]);
  });

  it.each([
    ["a label that is missing", write("{ labels: [wrote, seen] }"), "expected label `seen`"],
    ["a label too many", write("{ labels: [] }"), "unexpected label `wrote`"],
    ["an answer to nothing", "{ event: approval, of: 9, answer: allow }", "the approval answers no question"],
  ])("fails for %s", (_, event, message) => {
    expect(play(event).diagnostics).toMatchObject([{ code: "HW409", message: expect.stringContaining(message) }]);
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
