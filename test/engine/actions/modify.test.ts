import { describe, expect, it } from "vitest";
import type { Plan } from "../../../engine/plan.ts";
import { createEngine } from "../../../runtime.ts";
import type { Changes } from "../../../schema/generated.ts";
import { bash, call, engineFor, planOf } from "./engine.ts";

const modify = (parameters: string, event = "tool_call", more = "") =>
  `- { id: m, event: ${event}${more}, action: { modify: ${parameters} } }`;
const decide = (text: string, event: object) => engineFor(text).decide(event).decision;

describe("what `modify` changes", () => {
  it.each<[string, string, object, Changes]>([
    ["a constant", "{ set: { background: false } }", bash("ls"), { args: { command: "ls", background: false } }],
    [
      "a text with the value, whole",
      `{ set: { command: "{args.command} | cat" } }`,
      bash("ls 'a'"),
      { args: { command: "ls 'a' | cat" } },
    ],
    [
      "a lone expression, with its type",
      `{ set: { timeout: "{args.timeout + 1}" } }`,
      call("bash", { command: "ls", timeout: 4 }),
      { args: { command: "ls", timeout: 5 } },
    ],
    [
      "what is taken out",
      "{ unset: [env, description] }",
      call("bash", { command: "ls", env: { A: "b" } }),
      { args: { command: "ls" } },
    ],
    [
      "what is so already: nothing",
      "{ set: { background: false }, unset: [env] }",
      call("bash", { command: "ls", background: false }),
      {},
    ],
    [
      "an argument by the host's name for it",
      "{ set: { timeout: 5 } }",
      call("Bash", { command: "ls", timeout_ms: 9 }),
      { args: { command: "ls", timeout_ms: 5 } },
    ],
    [
      "an argument that the host has by another name, both ways",
      "{ set: { timeout_ms: 5 } }",
      call("bash", { command: "ls", timeout: 9 }),
      { args: { command: "ls", timeout: 5 } },
    ],
    [
      "an argument taken out under every name",
      "{ unset: [timeout] }",
      call("Bash", { command: "ls", timeout_ms: 9 }),
      { args: { command: "ls" } },
    ],
  ])("%s", (_name, parameters, event, changes) => {
    const when = `, tool: bash, unless: "args.command.endsWith('cat') || args.?timeout.orValue(0) == 5"`;
    const made = decide(modify(parameters, "tool_call", when), event);
    expect(made).toMatchObject({ outcome: "allow", errors: [] });
    expect(made.changes).toEqual(changes);
  });

  it("what is judged is what runs: an argument under the host's own name", () => {
    const text = `${modify("{ set: { command: pwd } }", "tool_call", ", tool: bash")}
- { id: not-pwd, event: tool_call, tool: bash, unless: { args.command: pwd }, action: block, reason: no }`;
    expect(decide(text, call("exec_command", { cmd: "ls" }))).toMatchObject({
      outcome: "allow",
      changes: { args: { cmd: "pwd" } },
    });
  });

  it.each<[string, string, string, object, Changes]>([
    [
      "input",
      `{ set: { text: "say: {input.text}" } }`,
      "input.text.startsWith('say')",
      { text: "hi", source: "user" },
      { text: "say: hi" },
    ],
    [
      "user_bash",
      `{ set: { command: "time {command}" } }`,
      "command.startsWith('time')",
      { command: "ls" },
      { command: "time ls" },
    ],
    ["user_python", "{ set: { code: pass } }", "false", { code: "x" }, { code: "pass" }],
    [
      "before_agent_start",
      `{ set: { prompt: "{prompt}!", system_prompt: be kind } }`,
      "prompt.endsWith('!')",
      { prompt: "go" },
      { prompt: "go!", system_prompt: "be kind" },
    ],
    [
      "before_agent_start",
      "{ set: { system_prompt: be kind } }",
      "false",
      { prompt: "go", system_prompt: "be quick" },
      { system_prompt: "be kind" },
    ],
  ])("texts of %s: %s", (event, parameters, unless, payload, changes) => {
    const text = modify(parameters, event, `, unless: "${unless}"`);
    expect(decide(text, { event, ...payload }).changes).toEqual(changes);
  });

  it("the result is judged: a rule blocks what another rule made of the call", () => {
    const text = `${modify("{ set: { command: pwd } }", "tool_call", ", tool: bash")}
- { id: no-pwd, event: tool_call, tool: bash, when: { args.command: pwd }, action: block, reason: no pwd }`;
    expect(decide(text, bash("ls"))).toMatchObject({ outcome: "block", rule: "p/no-pwd", changes: {} });
  });

  it("tool and call id are no part of what can be changed", () => {
    const { decision, body } = engineFor(
      modify("{ set: { tool: bash, call_id: c2, id: x } }", "tool_call", ", tool: mcp__s__t"),
    ).decide({ ...call("mcp__s__t", { a: 1 }), call_id: "c1" });
    expect(decision.changes).toEqual({ args: { a: 1, tool: "bash", call_id: "c2", id: "x" } });
    expect([body?.tool, body?.call_id, decision.id]).toEqual(["mcp__s__t", "c1", "e"]);
  });
});

describe("what `modify` refuses", () => {
  it.each([
    ["a text for a number", `{ set: { timeout: "{args.command}" } }`, "`timeout` of `bash` must be a whole number"],
    ["a number for a text", `{ set: { command: "{1 + 1}" } }`, "`command` of `bash` must be text"],
    [
      "a text for a truth value",
      `{ set: { background: "{args.command}" } }`,
      "`background` of `bash` must be true or false",
    ],
    ["a list for a text", `{ set: { command: "{[1]}" } }`, "`command` of `bash` must be text"],
  ])("HW502: %s closes the call", (_name, parameters, message) => {
    const made = decide(modify(parameters, "tool_call", ", tool: [bash, mcp__a__b]"), bash("ls"));
    expect(made).toMatchObject({
      outcome: "block",
      answered: "error",
      changes: {},
      errors: [{ code: "HW502", message, rule: "p/m" }],
    });
  });

  it("HW502: what the tool needs cannot be taken out", () => {
    expect(decide(modify("{ unset: [command] }", "tool_call", ", tool: '*'"), bash("ls"))).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW502", message: "`bash` needs `command`, it cannot be taken out" }],
    });
  });

  it("HW502: a template that fails closes the call, and puts nothing in", () => {
    const made = decide(modify(`{ set: { command: "x {args.env.A}" } }`, "tool_call", ", tool: bash"), bash("ls"));
    expect(made).toMatchObject({ outcome: "block", answered: "error", rule: "p/m", changes: {} });
  });

  it("HW514: two rules that set one argument to different values, in either order of files", () => {
    const rule = (id: string, value: string) =>
      `- { id: ${id}, event: tool_call, tool: bash, action: { modify: { set: { command: ${value} } } } }`;
    for (const text of [`${rule("a", "pwd")}\n${rule("b", "id")}`, `${rule("b", "id")}\n${rule("a", "pwd")}`])
      expect(decide(text, bash("ls"))).toMatchObject({ outcome: "block", answered: "error" });
    expect(decide(`${rule("a", "pwd")}\n${rule("b", "id")}`, bash("ls")).errors[0]).toMatchObject({
      code: "HW514",
      message: "rules `p/a` and `p/b` set `command` to different values",
    });
    expect(decide(`${rule("a", "pwd")}\n${rule("b", "pwd")}`, bash("ls")).outcome).toBe("allow");
  });

  it("HW505: a rule that never settles", () => {
    const text = modify(`{ set: { command: "{args.command} x" } }`, "tool_call", ", tool: bash");
    expect(decide(text, bash("echo"))).toMatchObject({ outcome: "block", errors: [{ code: "HW505" }] });
  });

  it("keys that would reach a prototype, in a plan from elsewhere, are ignored and recorded", () => {
    const plan = planOf(modify("{ set: { n: 1 }, unset: [a] }", "tool_call", ", tool: mcp__s__t"));
    const text = JSON.stringify(plan).replace(
      '"set":{"n":1}',
      '"set":{"n":1,"__proto__":{"x":1},"constructor":{"y":1},"prototype":2}',
    );
    const hostile = JSON.parse(text.replace('"unset":["a"]', '"unset":["__proto__"]')) as Plan;
    const { decision } = createEngine(hostile).decide(call("mcp__s__t", { a: 1 }));
    expect(Object.entries(decision.changes.args ?? {})).toEqual([
      ["a", 1],
      ["n", 1],
    ]);
    expect(Object.getPrototypeOf(decision.changes.args)).toBe(Object.prototype);
    expect(decision.outcome).toBe("allow");
    expect(decision.errors.map(({ message }) => message).sort()).toEqual([
      "`__proto__` is never set or taken out",
      "`constructor` is never set or taken out",
      "`prototype` is never set or taken out",
    ]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("arguments that disagree cannot be rewritten", () => {
    const text = modify("{ set: { command: pwd } }", "tool_call", ", tool: bash");
    expect(decide(text, call("bash", { command: "ls", cmd: "id" }))).toMatchObject({
      outcome: "block",
      errors: [{ code: "HW505" }],
    });
  });
});

describe("a payload with messages beside a prompt", () => {
  it("HW507: a prompt that cannot be scanned is withheld, though each message could be", () => {
    const text = `- { id: r, event: before_agent_start, action: { redact: { detectors: ["secrets/*"] } } }`;
    const event = {
      event: "before_agent_start",
      prompt: "x".repeat(33_554_433),
      messages: [{ role: "user", content: "hello" }],
    };
    const made = decide(text, event);
    expect(made.errors).toMatchObject([{ code: "HW507" }]);
    expect(made.changes.prompt).toMatch(/^\[withheld/);
    expect(JSON.stringify(made.changes.messages)).toContain("withheld");
  });
});

describe("in monitor mode", () => {
  it("changes are seen by rules in monitor mode only", () => {
    const text = `- { id: m, mode: monitor, event: tool_call, tool: bash, action: { modify: { set: { command: pwd } } } }
- { id: sees, mode: monitor, event: tool_call, tool: bash, when: { args.command: pwd }, action: block, reason: no }
- { id: blind, event: tool_call, tool: bash, when: { args.command: pwd }, action: block, reason: no }`;
    expect(decide(text, bash("ls"))).toMatchObject({
      outcome: "allow",
      changes: {},
      would: [
        { rule: "p/m", outcome: "modify" },
        { rule: "p/sees", outcome: "block" },
      ],
    });
  });
});
