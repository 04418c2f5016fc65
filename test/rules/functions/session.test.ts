import { describe, expect, it } from "vitest";
import { sessionFunctions } from "../../../rules/functions/session.ts";
import type { CallContext, Value } from "../../../schema/ports.ts";
import { Duration, EvaluationError, Timestamp } from "../../../schema/ports.ts";
import type { PastCall } from "../../../schema/session.ts";
import { compileTexts, rendered, withHead } from "../../literate/policies.ts";

const call = (rest: Partial<PastCall>): PastCall => ({
  event: "tool_call",
  tool: "bash",
  outcome: "allow",
  executed: false,
  agent: "main",
  time: 0,
  ...rest,
});

const past = [
  call({ time: 1_000 }),
  call({ tool: "mcp__files__read", outcome: "block", time: 2_500 }),
  call({ event: "user_bash", executed: true, time: 3_000 }),
  call({ agent: "__proto__", outcome: "ask", time: 4_000 }),
];

function run(id: string, args: readonly Value[], now = 4_000): Value | EvaluationError {
  const code = Object.values(sessionFunctions)
    .flat()
    .find((one) => one.id === id);
  if (!code) throw new Error(`no function ${id}`);
  return code.run(args, { session: { calls: past, now, pathLabels: () => ["x"] } } as unknown as CallContext);
}

const found = (filter: Value): unknown => {
  const calls = run("session.calls", [null, filter]);
  return Array.isArray(calls)
    ? calls.map((one) => past.findIndex(({ time }) => time === (one.time.seconds * 1e9 + one.time.nanos) / 1e6))
    : calls;
};

describe("session.calls", () => {
  it.each<[string, Value, number[]]>([
    ["everything", {}, [0, 1, 2, 3]],
    ["a tool", { tool: "bash" }, [0, 2, 3]],
    ["a tool by a host's name", { tool: "Bash" }, [0, 2, 3]],
    ["tools by a glob", { tool: "mcp__*" }, [1]],
    ["an event", { event: "user_bash" }, [2]],
    ["an outcome", { outcome: "block" }, [1]],
    ["executed calls", { executed: true }, [2]],
    ["an agent", { agent: "__proto__" }, [3]],
    ["several at once", { tool: "bash", executed: false, agent: "main" }, [0]],
    ["nothing that is of another type", { executed: "true" }, []],
    ["a map with keys that were computed", new Map<Value, Value>([["outcome", "ask"]]), [3]],
  ])("finds %s", (_, filter, wanted) => {
    expect(found(filter)).toEqual(wanted);
  });

  it.each<[string, Value]>([
    ["an unknown key", { colour: "red" }],
    ["an inherited name", { toString: "x" }],
    ["a key that is no text", new Map<Value, Value>([[1, "x"]])],
  ])("is an error for %s", (_, filter) => {
    expect(found(filter)).toBeInstanceOf(EvaluationError);
  });

  it("gives the time of a call to the nanosecond", () => {
    const calls = run("session.calls_all", [null]) as readonly { readonly time: Timestamp }[];
    expect(calls[1]?.time).toEqual(new Timestamp(2, 500_000_000));
  });

  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ])("counts calls of the last %d s, both ends included", (seconds, count) => {
    const calls = run("session.calls_all", [null]) as Value;
    expect(run("calls.within", [calls, new Duration(seconds)])).toBe(count);
  });
});

describe("a constant filter is checked when the policy is compiled", () => {
  const said = (filter: string): string => {
    const rule = `- id: r\n  event: tool_call\n  when: 'session.calls(${filter}).size() > 2'\n  action: ask\n  reason: x\n`;
    return rendered(compileTexts({ "policy.yaml": withHead(rule) }));
  };

  it.each([
    ['{"tol": "bash"}', "HW302", "calls have no `tol`", "did you mean `tool`?"],
    ['{"tool": "bash", "color": 1}', "HW302", "calls have no `color`", ""],
    ['{"tool": 3}', "HW304", "`tool` of a call is a string, here int", ""],
    ['{"executed": "yes"}', "HW304", "`executed` of a call is a bool, here string", "write `true` or `false`"],
    ['{"outcome": "blocked"}', "HW308", "no call has the outcome `blocked`", "did you mean `block`?"],
    ['{"event": "tool_result"}', "HW308", "no call has the event `tool_result`", ""],
  ])("%s", (filter, code, message, help) => {
    const text = said(filter);
    expect(text).toContain(`error[${code}]: ${message}`);
    expect(text).toContain(help);
  });

  it.each([
    "{}",
    '{"tool": "Bash"}',
    '{"executed": true, "outcome": "ask"}',
    '{"agent": agent.id}',
    "{tool.name: true}",
  ])("%s is fine", (filter) => {
    expect(said(filter)).not.toContain("error[");
  });
});
