import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runSuite } from "../../../authoring/suite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-case-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function failures(rules: string, events: string, more = ""): string[] {
  writeFileSync(join(folder, "p.yaml"), `version: 1\npolicy: p\n${rules}`);
  writeFileSync(
    join(folder, "s.test.yaml"),
    `suite: s\npolicies: [p.yaml]\ncases:\n  - name: one\n${more}    events:\n${events}`,
  );
  return runSuite(join(folder, "s.test.yaml"), "s.test.yaml").diagnostics.map((d) => d.message);
}

const guard = `rules:
  - id: check
    event: tool_call
    action: { run: { command: [/bin/false], protocol: { exit_code: claude } } }
`;
const call = (more: string): string => `      - { event: tool_call, tool: bash, args: { command: ls }, ${more} }\n`;

describe("programs are answered from data", () => {
  it.each([
    ["none at all: the call is refused", "", "expect: { outcome: block, programs: [check] }"],
    ["of the case", "    programs: { check: {} }\n", "expect: { outcome: allow, programs: [p/check] }"],
    [
      "by the whole id",
      '    programs: { p/check: { exit_code: 2, stderr: "no" } }\n',
      "expect: { outcome: block, reason: no }",
    ],
    [
      "of the event before those of the case",
      "    programs: { check: {} }\n",
      "programs: { check: { exit_code: 2 } }, expect: { outcome: block }",
    ],
    ["that took too long", "    programs: { check: { timed_out: true } }\n", "expect: { outcome: block }"],
  ])("%s", (_, more, event) => {
    expect(failures(guard, call(event), more)).toEqual([]);
  });

  it("says which rules asked for one where others were expected", () => {
    expect(failures(guard, call("expect: { programs: [] }"))).toEqual([
      "case `one`: expected programs none, got `p/check`",
    ]);
  });
});

describe("time moves on", () => {
  const budget = `rules:
  - { id: two, event: tool_call, tool: read, budget: { limit: 2, within: 1m }, action: block, reason: two a minute }
`;
  const read = (more: string): string => `      - { event: tool_call, tool: read, args: { path: a }${more} }\n`;

  it.each([
    [
      "`after` counts from the event before",
      read("") + read(", after: 30s") + read(", after: 29s, expect: { outcome: block }"),
    ],
    ["a window that has gone by", read("") + read(", after: 30s") + read(", after: 31s, expect: { outcome: allow }")],
    [
      "after a time that is named",
      read(', time: "2026-11-21T20:00:00Z"') + read("") + read(", after: 2m, expect: { outcome: allow }"),
    ],
  ])("%s", (_, events) => {
    expect(failures(budget, events)).toEqual([]);
  });
});

describe("what else is expected", () => {
  const marks = `labels: { seen: { kind: mark } }
rules:
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: ban, event: tool_call, tool: fetch, action: block, reason: no }
  - { id: maybe, event: tool_call, tool: fetch, action: ask, reason: no }
`;
  const fetch = (more: string): string =>
    `      - { event: tool_call, tool: fetch, args: { url: "https://example.com/" }, ${more} }\n`;

  it("all rules that matched, by either name, in any order", () => {
    expect(failures(marks, fetch("expect: { matched: [maybe, p/ban] }"))).toEqual([]);
    expect(failures(marks, fetch("expect: { matched: [ban] }"))).toEqual([
      expect.stringMatching(/expected matched `ban`, got `p\/ban`, `p\/maybe`/),
    ]);
  });

  it("no changes, by an empty mapping", () => {
    const modify = `rules:\n  - { id: m, event: tool_call, tool: bash, action: { modify: { set: { command: pwd } } } }\n`;
    expect(failures(modify, call("expect: { changes: {} }"))).toEqual([
      expect.stringContaining("the changes are not as expected"),
    ]);
  });

  it("sessions of one case side by side, and a fork that goes on with what its parent had", () => {
    const once = `labels: { seen: { kind: mark } }
rules:
  - { id: mark, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: stop, event: tool_call, tool: bash, when: '"seen" in session.labels', action: block, reason: seen }
`;
    const other = (session: string, outcome: string): string =>
      call(`session: ${session}, expect: { outcome: ${outcome} }`);
    const events =
      fetch("expect: { labels: [seen] }") +
      other("{ id: other }", "allow") +
      other("{ id: fork, parent: suite }", "block") +
      other("{ id: late, parent: other }", "allow");
    expect(failures(once, events)).toEqual([]);
  });
});
