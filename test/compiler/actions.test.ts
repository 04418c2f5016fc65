import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Scope } from "../../engine/plan.ts";
import { policyFile, withHead } from "../literate/policies.ts";

const labels = "labels: { untrusted: { kind: taint }, reviewed: { kind: mark } }";

/** Codes of the errors that compiling a policy gives. */
function errors(rules: string, scope?: Scope): string[] {
  const file = policyFile(`version: 1\npolicy: p\n${labels}\nrules:\n${withHead(rules).split("rules:\n")[1] ?? ""}`);
  const { diagnostics } = compile({ files: [{ ...file, ...(scope && { scope }) }] });
  return diagnostics.filter((d) => d.severity === "error").map((d) => `${d.code} ${d.message}`);
}

describe("an `allow` asks whether taints are there, and never rests on their absence (language section 4)", () => {
  const allow = (key: string, test: string): string[] =>
    errors(`- { id: a, event: tool_call, tool: bash, ${key}: ${test}, action: allow }`);
  it.each<[string, string, string]>([
    ["when", `'!session.labels.contains("untrusted")'`, "untrusted"],
    ["when", `'!("untrusted" in session.labels)'`, "untrusted"],
    ["when", "{ not: { session.labels: { contains: untrusted } } }", "untrusted"],
    [
      "when",
      "{ all: [{ args.command: ls }, { not: { session.labels: { contains_any: [reviewed, untrusted] } } }] }",
      "untrusted",
    ],
    ["when", `'args.command == "ls" && !(args.command == "x" || session.labels.contains("untrusted"))'`, "untrusted"],
    ["when", `'session.labels.contains("untrusted") == false'`, "untrusted"],
    ["when", `'session.labels.contains("untrusted") ? false : true'`, "untrusted"],
    ["when", "{ session.labels: { size: 0 } }", ""],
    ["when", `'session.labels == []'`, ""],
    ["when", `'session.labels.size() < 1'`, ""],
    ["when", `'session.labels.all(l, l != "untrusted")'`, ""],
    ["when", "{ session.labels: { not_in: [untrusted] } }", "untrusted"],
    ["when", `'!paths.labels("/a").contains("untrusted")'`, "untrusted"],
    ["when", `'effects.reads.all(r, !paths.labels(r.path).contains("untrusted"))'`, "untrusted"],
    ["unless", "{ session.labels: { contains: untrusted } }", "untrusted"],
    ["unless", `'session.labels.contains(args.command)'`, ""],
  ])("%s: %s", (key, test, name) => {
    const found = allow(key, test).filter((line) => line.startsWith("HW311"));
    expect(found).toEqual([
      name === ""
        ? "HW311 an `allow` can only ask whether labels are there"
        : `HW311 an \`allow\` cannot rest on the absence of the taint \`${name}\``,
    ]);
  });

  it.each<[string, string]>([
    ["when", "{ session.labels: { contains: untrusted } }"],
    ["when", `'session.labels.contains("untrusted") && args.command == "ls"'`],
    ["when", `'!(!session.labels.contains("untrusted"))'`],
    ["when", "{ not: { session.labels: { contains: reviewed } } }"],
    ["unless", "{ session.labels: { contains: reviewed } }"],
    ["unless", "{ not: { session.labels: { contains: untrusted } } }"],
    ["when", "{ not: { args.command: ls } }"],
  ])("not %s: %s", (key, test) => expect(allow(key, test)).toEqual([]));

  it("through a named condition, in the sense of its use", () => {
    const policy = (use: string) =>
      `version: 1\npolicy: p\n${labels}\nconditions: { tainted: { session.labels: { contains: untrusted } }, again: $tainted }\nrules:\n  - { id: a, event: tool_call, when: ${use}, action: allow }\n`;
    const codes = (use: string) =>
      compile({ files: [policyFile(policy(use))] })
        .diagnostics.filter((d) => d.severity === "error")
        .map((d) => d.code);
    expect(codes("{ not: $again }")).toEqual(["HW311"]);
    expect(codes("'!conditions.tainted'")).toEqual(["HW311"]);
    expect(codes("$again")).toEqual([]);
  });

  it("a rule that restricts may ask for absence", () => {
    for (const action of ["block", "ask"])
      expect(
        errors(
          `- { id: a, event: tool_call, when: '!session.labels.contains("untrusted")', action: ${action}, reason: no }`,
        ),
      ).toEqual([]);
  });
});

describe("`allow` and the host's own prompt", () => {
  const rule = "- { id: a, event: tool_call, action: { allow: { skip_host_prompt: true } } }";
  it.each<[Scope, string[]]>([
    ["managed", []],
    ["user", []],
    ["project", ["HW104 `skip_host_prompt` does not work in a project policy"]],
  ])("%s", (scope, found) => expect(errors(rule, scope)).toEqual(found));
  it("false means nothing anywhere", () => expect(errors(rule.replace("true", "false"), "project")).toEqual([]));
});

describe("what `modify` can set is known where the tools are", () => {
  const modify = (parameters: string, tool = "bash", event = "tool_call"): string[] =>
    errors(`- { id: m, event: ${event}${tool === "" ? "" : `, tool: ${tool}`}, action: { modify: ${parameters} } }`);
  it.each<[string, string, string, string]>([
    ["{ set: { comand: ls } }", "bash", "tool_call", "HW302 nothing that the rule is about has `comand`"],
    ["{ set: { url: x } }", "[bash, read]", "tool_call", "HW302 nothing that the rule is about has `url`"],
    ["{ set: { background: 1 } }", "bash", "tool_call", "HW102 `background` must be true or false"],
    ["{ set: { run_in_background: 1 } }", "bash", "tool_call", "HW102 `run_in_background` must be true or false"],
    ["{ set: { timeout: 1.5 } }", "bash", "tool_call", "HW102 `timeout` must be a whole number"],
    ["{ set: { command: 7 } }", "bash", "tool_call", "HW102 `command` must be text"],
    ["{ set: { prompt: x } }", "", "input", "HW302 nothing that the rule is about has `prompt`"],
    ["{ set: { __proto__: x } }", "bash", "tool_call", "HW104 `__proto__` cannot be set"],
    ["{ set: { constructor: x } }", "'*'", "tool_call", "HW104 `constructor` cannot be set"],
    ["{ unset: [__proto__] }", "'*'", "tool_call", "HW104 `__proto__` cannot be taken out"],
    ["{ unset: [nothing] }", "bash", "tool_call", "HW302 no call that the rule is about has `nothing`"],
    ["{ unset: [command] }", "bash", "tool_call", "HW104 `command` cannot be taken out, the tool needs it"],
    ["{ unset: [cmd] }", "bash", "tool_call", "HW104 `cmd` cannot be taken out, the tool needs it"],
    ["{ unset: [text] }", "", "input", "HW302 no call that the rule is about has `text`"],
  ])("%s of %s on %s", (parameters, tool, event, found) => expect(modify(parameters, tool, event)).toEqual([found]));

  it.each<[string, string, string]>([
    ["{ set: { background: false, cmd: ls }, unset: [env] }", "bash", "tool_call"],
    ["{ set: { path: /a } }", "[read, write]", "tool_call"],
    ["{ set: { anything: 1 }, unset: [other] }", "'*'", "tool_call"],
    ["{ set: { anything: 1 } }", "'mcp__s__*'", "tool_call"],
    ["{ set: { command: ls } }", "bash", "[tool_call, user_bash]"],
    ["{ set: { text: x } }", "", "input"],
    ["{ set: { code: x } }", "", "user_python"],
    ["{ set: { prompt: x, system_prompt: y } }", "", "before_agent_start"],
  ])("fine: %s of %s on %s", (parameters, tool, event) => expect(modify(parameters, tool, event)).toEqual([]));
});

describe("`inject` has its places", () => {
  const inject = (as: string, event: string): string[] =>
    errors(`- { id: i, event: ${event}, action: { inject: { content: x, as: ${as} } } }`);
  it.each<[string, string, string[]]>([
    ["append", "tool_result", []],
    ["append", "context", ["HW402 `as: append` is not possible on `context`"]],
    ["append", "[tool_result, tool_call]", ["HW402 `as: append` is not possible on `tool_call`"]],
    ["system", "before_agent_start", []],
    ["system", "turn_start", ["HW402 `as: system` is not possible on `turn_start`"]],
    ["message", "[context, tool_call, session_start]", []],
  ])("%s on %s", (as, event, found) => expect(inject(as, event)).toEqual(found));
});

describe("labels of actions are declared", () => {
  it.each([
    ["label", "{ label: { add: [nobody] } }"],
    ["ask", "{ ask: { clears: [nobody] } }"],
  ])("%s", (_name, action) =>
    expect(errors(`- { id: l, event: tool_call, action: ${action}, reason: no }`)).toEqual([
      "HW410 no label is called `nobody`",
    ]),
  );
});

describe("a pattern of `redact`", () => {
  const found = (fields: string): string[] =>
    errors(`- { id: a, event: input, action: { redact: { patterns: [{ name: k, regex: k.+, ${fields} }] } } }`);

  it("takes a group, an entropy and exceptions", () => {
    expect(found("secret: 1, min_entropy: 3.5, except: [a, b]")).toEqual([]);
  });

  it.each([
    ["secret: 1.5", "HW102 `secret` of a pattern must be a whole number from 0 to 999"],
    ["secret: '1'", "HW102 `secret` of a pattern must be a whole number from 0 to 999"],
    ["secret: 1000", "HW102 `secret` of a pattern must be a whole number from 0 to 999"],
    ["min_entropy: -1", "HW102 `min_entropy` of a pattern must be a number from 0 to 16"],
    ["min_entropy: high", "HW102 `min_entropy` of a pattern must be a number from 0 to 16"],
    ["min_entropy: .nan", "HW102 `min_entropy` of a pattern must be a number from 0 to 16"],
    ["except: a", "HW102 `except` of a pattern must be a list of texts"],
    ["except: []", "HW102 `except` of a pattern must be a list of texts"],
    ["except: [7]", "HW102 `except` of a pattern must be a list of texts"],
    ["except: [a, '(?=b)']", "HW307 regular expression refused"],
    ["entropy: 3", "HW101 a pattern has no field `entropy`"],
    ["replacement: 7", "HW102 `replacement` of a pattern must be text"],
  ])("refuses %s", (fields, expected) => {
    expect(found(fields)).toEqual([expect.stringContaining(expected)]);
  });
});
