import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { hostNames } from "../../schema/hosts.ts";
import { policyFile, withHead } from "../literate/policies.ts";

const policy = withHead(`
  - { id: hide, event: tool_result, action: { redact: { patterns: [{ name: k, regex: "k[0-9]+" }] } } }
  - { id: tell, event: tool_result, when: "result.text.contains('tell')", action: { inject: { content: mind, as: append } } }
  - { id: ask, event: tool_call, tool: bash, when: { args.command: sure }, action: ask, reason: sure? }
  - { id: block, event: tool_call, tool: bash, when: { args.command: never }, action: block, reason: never }
  - { id: set, event: tool_call, tool: bash, when: { args.command: long }, action: { modify: { set: { timeout: 1 } } } }
`);

function recordOf(host: string, wire: Record<string, unknown>) {
  const { plan, diagnostics } = compile({ files: [policyFile(policy)] });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return createEngine(plan).decide({ host, session: { id: "s" }, ...wire }).body;
}

const result = (text: string, more: Record<string, unknown> = {}) => ({
  ...{ event: "tool_result", tool: "bash", args: { command: "cat x" }, call_id: "c" },
  result: { content: [{ type: "text", text }], ...more },
});
const call = (command: string) => ({ event: "tool_call", tool: "bash", args: { command }, call_id: "c" });

describe("what a record says of its host", () => {
  it.each([
    ["claude-code", result("k12"), "full", []],
    ["claude-code", result("k12", { is_error: true }), "no", ["redact no"]],
    ["codex", result("k12"), "weaker", ["redact weaker"]],
    ["gemini-cli", result("k12"), "weaker", ["redact weaker"]],
    ["goose", result("k12"), "no", ["redact no"]],
    ["vscode", result("tell k12"), "no", ["redact no", "inject_append no"]],
    ["pi", result("tell k12", { is_error: true }), "full", []],
    ["cursor", call("never"), "full", []],
    ["codex", call("sure"), "weaker", ["ask weaker"]],
  ] as const)("%s: %o is delivered: %s", (host, wire, delivered, short) => {
    const { on_host } = recordOf(host, wire) ?? {};
    expect(on_host?.delivered).toBe(delivered);
    expect((on_host?.short ?? []).map((one) => `${one.action} ${one.delivered}`)).toEqual(short);
    for (const { why } of on_host?.short ?? []) expect(why).toMatch(/\w/);
  });

  it("is nothing where nothing is asked of the host, and for a host that nobody knows", () => {
    expect(recordOf("claude-code", result("nothing"))?.on_host).toBeUndefined();
    expect(recordOf("claude-code", call("ls"))?.on_host).toBeUndefined();
    expect(recordOf("somebody's", result("k12"))?.on_host).toBeUndefined();
  });

  it.each(hostNames)("never says more than the table of hosts does: %s", (host) => {
    for (const wire of [
      result("k12"),
      result("tell k12", { is_error: true }),
      call("sure"),
      call("never"),
      call("long"),
    ]) {
      const { on_host } = recordOf(host, wire) ?? {};
      expect(on_host).toBeDefined();
      expect(on_host?.delivered === "full").toBe((on_host?.short ?? []).length === 0);
    }
  });
});
