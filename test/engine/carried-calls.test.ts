import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { type CarriedCase, callsInCalls, shellForms, toldTexts } from "./carried-calls.ts";

/** Rules of the usual kinds: by the tool and its text, by an effect, by a command. */
const policy = (more = ""): string => `version: 1
policy: p
title: A policy of these tests
default: allow
${more}
rules:
  - { id: text, title: A text, event: tool_call, tool: bash, when: { args.command: { contains: OTHER-FILE } }, action: block, reason: not this }
  - { id: write, title: A write, event: tool_call, each: { w: effects.writes }, when: { w.path: { glob: "**/FORBIDDEN*" } }, action: block, reason: not this }
  - { id: push, title: A push, event: tool_call, each: { p: effects.pushes }, when: { p.forced: true }, action: block, reason: not this }
  - { id: read, title: A read, event: tool_call, each: { r: effects.reads }, when: { r.path: { glob: "**/private*" } }, action: block, reason: not this }
`;

function engineOf(text: string) {
  const { plan, diagnostics } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return createEngine(plan, {});
}

const engine = engineOf(policy());

function decided(tool: string, args: object, by = engine) {
  return by.decide({ event: "tool_call", tool, args: args as Record<string, unknown>, environment: { cwd: "/w" } })
    .decision;
}

const named = (cases: readonly CarriedCase[]) => cases.map((one) => [one.tool, one.about, one] as const);

describe.each([
  ["calls inside calls", callsInCalls],
  ["other forms of a shell's command", shellForms],
  ["texts that are told", toldTexts],
] as const)("%s", (_, cases) => {
  it.each(named(cases))("%s, %s: is judged, and a harmless one passes", (tool, _about, { args }) => {
    expect(decided(tool, args("touch FORBIDDEN")).outcome).toBe("block");
    expect(decided(tool, args("touch OTHER-FILE"))).toMatchObject({ outcome: "block", rule: "p/text" });
    expect(decided(tool, args("git push --force origin main"))).toMatchObject({ outcome: "block", rule: "p/push" });
    expect(decided(tool, args("cat ./private.txt"))).toMatchObject({ outcome: "block", rule: "p/read" });
    expect(decided(tool, args("touch HARMLESS")).outcome).toBe("allow");
  });
});

describe("code that a tool is told", () => {
  it.each<[string, object]>([
    ["REPL", { code: 'require("fs").writeFileSync("FORBIDDEN", "")' }],
    ["mcp__py__run", { code: 'open("FORBIDDEN", "w")', language: "python" }],
    ["mcp__py__run_code", { code: 'open("FORBIDDEN", "w")' }],
    ["mcp__js__eval", { source: 'require("fs").writeFileSync("FORBIDDEN", "")' }],
    ["batch", { tool_calls: [{ tool: "python", parameters: { code: 'open("FORBIDDEN", "w")' } }] }],
  ])("%s is judged as code", (tool, args) => {
    expect(decided(tool, args).outcome).toBe("block");
    expect(decided(tool, JSON.parse(JSON.stringify(args).replaceAll("FORBIDDEN", "HARMLESS"))).outcome).toBe("allow");
  });
});

describe("paths of a tool that nobody knows", () => {
  it.each<[string, object]>([
    ["a file", { file: "FORBIDDEN" }],
    ["a file deep inside", { target: { file: "FORBIDDEN" } }],
    ["an address of a file", { uri: "file:///w/FORBIDDEN" }],
    ["an encoded address of a file", { uri: "file:///w/FOR%42IDDEN" }],
    ["an address of a file on this machine", { uri: "file://localhost/w/FORBIDDEN" }],
    ["a name of a file", { filename: "FORBIDDEN" }],
    ["a path by another name", { options: { output_path: "FORBIDDEN" } }],
    ["a list of files", { files: [{ dest: "FORBIDDEN" }] }],
  ])("%s is one that may be written", (_, args) => {
    expect(decided("mcp__x__put", args).outcome).toBe("block");
    expect(
      decided("mcp__x__put", JSON.parse(JSON.stringify(args).replace(/FOR(%42|B)IDDEN/, "HARMLESS"))).outcome,
    ).toBe("allow");
  });
});

describe("words that are no command", () => {
  it.each<[string, object]>([
    ["mcp__tracker__create", { title: "rm -rf is dangerous", body: "git push --force origin main breaks CI" }],
    ["mcp__chat__post", { text: "git push --force is not allowed on main" }],
    ["mcp__chat__post", { text: "Run `touch FORBIDDEN` and see" }],
    ["mcp__chat__post", { text: "touch FORBIDDEN is what the rule is about" }],
    ["ask_user", { question: "touch FORBIDDEN?" }],
    ["mcp__notes__add", { content: "touch FORBIDDEN" }],
    ["mcp__wf__save", { steps: [{ name: "build", inputs: { file_count: 3 } }] }],
  ])("%s %j is none", (tool, args) => {
    expect(decided(tool, args).outcome).toBe("allow");
  });
});

describe("a policy that asks about what it does not name", () => {
  const text = `version: 1
policy: p
title: A policy of these tests
default: block
rules:
  - { id: outer, title: The outer, event: tool_call, tool: batch, action: { allow: { opaque: true } } }
  - { id: reads, title: Reads, event: tool_call, tool: read, action: allow }
`;
  it("lets a call through whose inner calls are allowed too, and no other", () => {
    const by = engineOf(text);
    const batch = (tool: string, parameters: object) => ({ tool_calls: [{ tool, parameters }] });
    expect(decided("batch", batch("read", { path: "a" }), by).outcome).toBe("allow");
    expect(decided("batch", batch("write", { path: "a", content: "x" }), by).outcome).toBe("block");
    expect(decided("batch", batch("deploy", { where: "x" }), by).outcome).toBe("block");
  });
});

describe("what a rule would rewrite", () => {
  const text = `version: 1
policy: p
title: A policy of these tests
default: allow
rules:
  - { id: dry, title: Dry, event: tool_call, tool: bash, when: { args.command: { starts_with: deploy } }, action: { modify: { set: { command: deploy --dry-run } } } }
`;
  it("does not run inside another call, where it cannot be rewritten", () => {
    const by = engineOf(text);
    expect(decided("bash", { command: "deploy now" }, by)).toMatchObject({
      outcome: "allow",
      changes: { args: { command: "deploy --dry-run" } },
    });
    const batch = (command: string) => ({ tool_calls: [{ tool: "bash", parameters: { command } }] });
    expect(decided("batch", batch("deploy now"), by)).toMatchObject({ outcome: "block", errors: [{ code: "HW505" }] });
    expect(decided("batch", batch("ls"), by).outcome).toBe("allow");
  });
});

describe("what a project that nobody trusts would take out of a carried call", () => {
  const user = "version: 1\npolicy: mine\ntitle: Mine\ndefault: allow\nrules: []\n";
  const project = `version: 1
policy: theirs
title: Theirs
rules:
  - { id: swap, title: Swap, event: tool_call, tool: bash, action: { redact: { patterns: [{ name: swapped, regex: HARMLESS, replacement: OTHER }] } } }
`;

  it("is asked about, as that of a call by itself, and nothing is rewritten", () => {
    const files = [
      { name: "mine.yaml", path: "/mine.yaml", bytes: Buffer.from(user), scope: "user" as const },
      { name: "theirs.yaml", path: "/theirs.yaml", bytes: Buffer.from(project), scope: "project" as const },
    ];
    const { plan, diagnostics } = compile({ files });
    if (!plan) throw new Error(JSON.stringify(diagnostics));
    const by = createEngine(plan, {});
    const batch = (command: string) => ({ tool_calls: [{ tool: "bash", parameters: { command } }] });
    for (const [tool, args] of [
      ["bash", { command: "touch HARMLESS" }],
      ["batch", batch("touch HARMLESS")],
    ] as const) {
      const { outcome, changes, errors } = decided(tool, args, by);
      expect([tool, outcome, changes.args, errors]).toEqual([tool, "ask", undefined, []]);
    }
    expect(decided("batch", batch("ls"), by).outcome).toBe("allow");
  });
});

describe("bounds", () => {
  const many = (n: number, command = "ls -l /w") => ({
    tool_calls: Array.from({ length: n }, (_, i) => ({ tool: "bash", parameters: { command: `${command} ${i}` } })),
  });

  it("of carried calls close the event", () => {
    expect(decided("batch", many(64)).outcome).toBe("allow");
    expect(decided("batch", many(65))).toMatchObject({ outcome: "block", errors: [{ code: "HW504" }] });
  });

  it("of carried calls are none of the edits of one call", () => {
    const edits = Array.from({ length: 200 }, (_, i) => ({ path: `a${i}`, old_text: "x", new_text: "y" }));
    expect(decided("edit", { edits }).outcome).toBe("allow");
  });

  it("of names that disagree close the event", () => {
    const args = Object.fromEntries(
      ["command", "cmd", "script", "timeout", "timeout_ms", "timeoutMs", "cwd", "workdir", "working_directory"].map(
        (name, i) => [name, name.startsWith("timeout") ? i : `touch ${i}`],
      ),
    );
    expect(decided("bash", args)).toMatchObject({ outcome: "block", errors: [{ code: "HW504" }] });
  });
});
