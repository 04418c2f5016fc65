import { expect, it } from "vitest";
import { createEngine } from "../../runtime.ts";
import { planOf } from "./actions/engine.ts";

const plan = planOf(`version: 1
policy: p
title: A policy of these tests
rules:
  - { id: r, title: A rule, event: tool_call, tool: "*", action: ask, reason: may it }
`);

const calls = [
  { tool: "bash", args: { command: "ls -l", timeout: 5 }, text: 'ls -l\nwith {"timeout":5}' },
  { tool: "mcp__x__y", args: { path: "/a" }, text: 'mcp__x__y {"path":"/a"}' },
];

it.each(calls)("$tool: a question has the text of the call, unless the host shows the call itself", (call) => {
  const event = { event: "tool_call", tool: call.tool, args: call.args, environment: { cwd: "/w" } };
  const ask = (caller: object) => createEngine(plan, { caller }).decide(event).decision.ask;
  const shown = ask({ adapter: "hook" });
  expect(shown?.call).toBe(call.text);
  const { call: _, ...rest } = shown ?? {};
  expect(ask({ adapter: "hook", shows_call: true })).toEqual(rest);
});
