import { describe, expect, it } from "vitest";
import { type FormatOptions, formatPolicy } from "../../../authoring/fmt/format.ts";
import { policyFile } from "../../literate/policies.ts";

const head = "version: 1\npolicy: p\n";

/** Formats a policy with these rules, and gives the text behind the head. */
function formatted(rules: string, options: FormatOptions = {}, declared = ""): string {
  const { after, diagnostics } = formatPolicy(policyFile(`${head}${declared}${rules}`), options);
  expect(diagnostics).toEqual([]);
  return after.slice(head.length + declared.length);
}

const rule = (keys: string): string =>
  `rules:\n  - id: r\n${keys.replace(/^/gm, "    ")}\n    action: block\n    reason: x\n`;
const on = (key: string): string => rule(`event: tool_call\ntool: bash\n${key}`);

describe("names", () => {
  it.each([
    ["an event alias", "event: PreToolUse", "event: tool_call"],
    ["a quoted alias keeps its quotes", `event: "PreToolUse"`, `event: "tool_call"`],
    ["a list of events", "event: [PreToolUse, user_bash]", "event: [tool_call, user_bash]"],
    ["two names of one event", "event: [tool_call, PreToolUse]", "event: [tool_call]"],
    ["two names of one event in block style", "event:\n  - PreToolUse\n  - tool_call", "event:\n  - tool_call"],
    [
      "two names with a comment between keep their lines",
      "event:\n  - PreToolUse # a\n  - tool_call",
      "event:\n  - tool_call # a\n  - tool_call",
    ],
    ["a tool alias", "event: tool_call\ntool: Bash", "event: tool_call\ntool: bash"],
    ["the key `matcher`", "event: tool_call\nmatcher: [Bash, 'Read']", "event: tool_call\ntool: [bash, 'read']"],
    [
      "alternatives of another product",
      `event: tool_call\nmatcher: "Edit|Write"`,
      "event: tool_call\ntool: [edit, write]",
    ],
    ["alternatives that are one tool", `event: tool_call\ntool: Edit|MultiEdit`, "event: tool_call\ntool: edit"],
    ["a host", "event: tool_call\nwhen: { host: claude }", "event: tool_call\nwhen: { host: claude-code }"],
    [
      "hosts and systems in a list, under a negation and in quotes",
      `event: tool_call\nwhen: { any: [{ host: { in: [gemini, "claude"] } }, { not: { environment.os: 'win32' } }] }`,
      `event: tool_call\nwhen: { any: [{ host: { in: [gemini-cli, "claude-code"] } }, { not: { environment.os: 'windows' } }] }`,
    ],
    [
      "a tool in a test",
      "event: tool_call\nwhen: { tool.name: [Bash] }",
      "event: tool_call\nwhen: { tool.name: [bash] }",
    ],
    [
      "names in an expression",
      `event: tool_call\nwhen: 'host == "claude" && environment.os in ["win32", "macos"] && tool.name != "Bash"'`,
      `event: tool_call\nwhen: 'host == "claude-code" && environment.os in ["windows", "darwin"] && tool.name != "bash"'`,
    ],
    [
      "names in an expression in double quotes and in a block",
      `event: tool_call\nwhen: "host == \\"claude\\""\nunless: |\n  environment.os == 'win32'`,
      `event: tool_call\nwhen: "host == \\"claude-code\\""\nunless: |\n  environment.os == 'windows'`,
    ],
    [
      "names of earlier calls, and what a sequence begins with",
      `event: tool_call\nwhen: 'session.calls().exists(c, c.tool == "Bash")'\nsequence: { after: [{ event: PostToolUse, tool: WebFetch, when: { host: claude } }] }`,
      `event: tool_call\nwhen: 'session.calls().exists(c, c.tool == "bash")'\nsequence: { after: [{ event: tool_result, tool: fetch, when: { host: claude-code } }] }`,
    ],
    [
      "names of managers and detectors",
      "event: tool_call\neach: { i: effects.installs }\nwhen: { i.manager: pip3, some: { secrets: { detector: github-token } } }",
      "event: tool_call\neach: { i: effects.installs }\nwhen: { i.manager: pip, some: { secrets: { detector: secrets/github-token } } }",
    ],
    [
      "a version of a program stays, since only its author knows what it was for",
      "event: tool_call\neach: { c: shell.commands }\nwhen: { c.program: python3.11 }",
      "event: tool_call\neach: { c: shell.commands }\nwhen: { c.program: python3.11 }",
    ],
    [
      "globs and canonical names stay",
      "event: tool_call\ntool: ['mcp__*', bash]",
      "event: tool_call\ntool: ['mcp__*', bash]",
    ],
  ])("%s", (_, given, wanted) => {
    expect(formatted(rule(given))).toBe(rule(wanted));
  });

  it("leaves a list alone, which may serve other tests as well", () => {
    const text = `${head}lists: { mine: [claude] }\nrules:\n  - { id: r, event: tool_call, when: { host: $mine }, action: block, reason: x }\n`;
    expect(formatted(text.slice(head.length))).toBe(text.slice(head.length));
  });

  it("leaves names in conditions alone where the policy has an error", () => {
    const text = `${head}rules:\n  - id: r\n    event: tool_call\n    when: { host: claude, nothing.here: x }\n    action: block\n    reason: x\n`;
    const { after, diagnostics } = formatPolicy(policyFile(text));
    expect([after, diagnostics]).toEqual([text, []]);
  });

  it("leaves names behind an alias alone: a change there would be a change in two places", () => {
    const text = `rules:\n  - { id: a, event: &e PreToolUse, action: block, reason: x }\n  - { id: b, event: *e, action: block, reason: x }\n`;
    expect(formatted(text)).toBe(text);
  });

  it("leaves the host's own words in examples", () => {
    const text = rule("event: tool_call\nexamples: { match: [{ tool: Bash, args: { command: ls } }] }");
    expect(formatted(text)).toBe(text);
  });
});

describe("examples that are lists", () => {
  it.each([
    ["on one line", "examples: { match: [[{ tool: Bash, args: { command: ls } }, pwd]] }"],
    [
      "in blocks",
      "examples:\n  match:\n    - - ls # first\n      - { event: approval, of: 1, answer: allow }\n      - pwd",
    ],
  ])("stay as they are %s", (_, given) => {
    for (const to of [undefined, "yaml", "expr"] as const) {
      const text = rule(`event: tool_call\ntool: bash\n${given}`);
      expect(formatted(text, to ? { to } : {})).toBe(text);
    }
  });
});

describe("white space", () => {
  it.each([
    [
      "at the end of lines and of comments",
      "event: tool_call  # why \t\ntool: bash   ",
      "event: tool_call  # why\ntool: bash",
    ],
    ["not inside a text", "event: tool_call\nguidance: |\n  a  \n  b", "event: tool_call\nguidance: |\n  a  \n  b"],
  ])("goes %s", (_, given, wanted) => {
    expect(formatted(rule(given))).toBe(rule(wanted));
  });

  it("goes on lines that hold nothing else", () => {
    expect(formatted(`rules:\n   \n${rule("event: tool_call").slice("rules:\n".length)}`)).toBe(
      rule("event: tool_call").replace("rules:\n", "rules:\n\n"),
    );
  });

  it.each([
    ["is added", rule("event: tool_call").trimEnd()],
    ["is left alone", rule("event: tool_call")],
    ["is the only one", `${rule("event: tool_call")}\n \n`],
  ])("the line break at the end %s", (_, given) => {
    expect(formatted(given)).toBe(rule("event: tool_call"));
  });

  it("a block text at the end of the file keeps the line breaks that are its own", () => {
    const text = `${rule("event: tool_call").replace("reason: x\n", "reason: |+\n      x\n\n")}`;
    expect(formatted(text)).toBe(text);
  });

  it("keeps the line ends of a CRLF file and a byte order mark", () => {
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    const long = Array.from({ length: 6 }, (_, i) => `{ args.command: { contains: "word number ${i}" } }`).join(", ");
    const bytes = new TextEncoder().encode(`\ufeff${crlf(`${head}${on(`when: # c\n  all: [${long}]  `)}`).trimEnd()}`);
    const { output, diagnostics } = formatPolicy({ ...policyFile(""), bytes }, { to: "expr" });
    expect(diagnostics).toEqual([]);
    expect(output.startsWith("\ufeffversion: 1\r\n")).toBe(true);
    expect(output).toContain("    # c\r\n    when: |\r\n      args.command.contains(");
    expect(output.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(output.endsWith("reason: x\r\n")).toBe(true);
  });
});

const declared = 'parameters:\n  hosts: { type: list(string), default: [x.org] }\nlists: { tmp: ["/tmp/**"] }\n';

/** Pairs that each conversion turns into one another. */
const pairs: readonly [yaml: string, expr: string][] = [
  ["{ args.command: ls }", `'args.command == "ls"'`],
  ["{ args.timeout: 5 }", "'has(args.timeout) && args.timeout == 5'"],
  ["{ args.timeout: { not_in: [1, 2] } }", "'has(args.timeout) && !(args.timeout in [1, 2])'"],
  ["{ args.timeout: { present: false } }", "'!has(args.timeout)'"],
  ["{ not: { args.timeout: 5 } }", "'!(has(args.timeout) && args.timeout == 5)'"],
  ["{ environment.user: { not_equals: ada } }", `'environment.user != "ada"'`],
  ["{ args.command: { size: { ge: 1, lt: 5 } } }", "'args.command.size() >= 1 && args.command.size() < 5'"],
  ["{ args.command: { size: 2 } }", "'args.command.size() == 2'"],
  [
    "{ args.command: { starts_with: [a, b], matches: '^x\\d' } }",
    `'(args.command.startsWith("a") || args.command.startsWith("b")) && args.command.matches(r"^x\\d")'`,
  ],
  ["{ args.command: [$$x, $$$y, 'no', '1', 'a: b'] }", `'args.command in ["$x", "$$y", "no", "1", "a: b"]'`],
  [
    "{ any: [{ environment.user: ada }, { environment.user: bob }] }",
    `'environment.user == "ada" || environment.user == "bob"'`,
  ],
  ["{ some: { shell.commands: { program: ls } } }", `'shell.commands.exists(c, c.program == "ls")'`],
  [
    "{ every: { effects.reads: { path: { glob: $tmp } } } }",
    "'has(effects.reads) && effects.reads.all(r, r.path.glob(lists.tmp))'",
  ],
  [
    "{ none: { effects.reads: { path: { is: [secret, temp] } } } }",
    `'!effects.reads.exists(r, r.path.is("secret") || r.path.is("temp"))'`,
  ],
  [
    "{ some: { effects.network: { url.host: { host_in: $hosts } } } }",
    "'effects.network.exists(n, n.url.host.hostIn(parameters.hosts))'",
  ],
  [
    "{ some: { shell.commands: { some: { operands: { ends_with: x } } } } }",
    `'shell.commands.exists(c, c.operands.exists(o, o.endsWith("x")))'`,
  ],
  ["{ now: { ge: '2026-01-31T00:00:00Z' } }", `'now >= timestamp("2026-01-31T00:00:00Z")'`],
  [`{ 'args.env["A-B"]': { present: true } }`, `'has(args.env) && args.env[?"A-B"].hasValue()'`],
];

describe("fmt --to", () => {
  it.each(pairs)("expr: %s", (yaml, expr) => {
    expect(formatted(on(`when: ${yaml}`), { to: "expr" }, declared)).toBe(on(`when: ${expr}`));
  });

  it.each(pairs)("yaml: %s", (yaml, expr) => {
    expect(formatted(on(`when: ${expr}`), { to: "yaml" }, declared)).toBe(on(`when: ${yaml}`));
  });

  it.each([
    ["what has no test", `'args.command + "x" == "lsx"'`],
    ["a fact by itself", "'environment.interactive'"],
    ["an element beside another name", "'shell.commands.exists(c, c.program == environment.user)'"],
    ["two elements in one test", "'shell.commands.exists(c, c.operands.exists(o, o == c.program))'"],
  ])("yaml: keeps %s", (_, expr) => {
    const text = head + on(`when: ${expr}`);
    const result = formatPolicy(policyFile(text), { to: "yaml" });
    expect(result).toMatchObject({ after: text, diagnostics: [] });
    expect(result.kept).toHaveLength(1);
  });

  it("yaml: a test that leans on a guard elsewhere stays an expression", () => {
    const given = "when: '!has(args.timeout) || args.timeout > 1'";
    const wanted = "when: { any: [{ args.timeout: { present: false } }, 'args.timeout > 1'] }";
    expect(formatted(on(given), { to: "yaml" })).toBe(on(wanted));
  });

  it("yaml: what cannot be said stays an expression beside the tests", () => {
    const given = `when: 'args.command == "ls" && args.command + "x" == "lsx"'`;
    const wanted = `when: { args.command: ls, expr: 'args.command + "x" == "lsx"' }`;
    expect(formatted(on(given), { to: "yaml" })).toBe(on(wanted));
  });

  it("yaml: converts the expressions inside YAML conditions, but for those in a quantifier", () => {
    const given = `when: { any: ['environment.user == "a"', { not: 'tool.name == "bash"' }], some: { shell.commands: 'environment.user == "b"' }, expr: 'args.command == "x"' }`;
    const wanted = `when: { any: [{ environment.user: a }, { not: { tool.name: bash } }], some: { shell.commands: 'environment.user == "b"' }, args.command: x }`;
    expect(formatted(on(given), { to: "yaml" })).toBe(on(wanted));
  });

  it("expr: an operator that goes through a list of the policy stays, since parameters may be set to others", () => {
    const text = `${head}${declared}${on("when: { args.command: { starts_with: $hosts } }")}`;
    const result = formatPolicy(policyFile(text), { to: "expr" });
    expect(result).toMatchObject({ after: text, diagnostics: [] });
    expect(result.kept).toHaveLength(1);
  });

  it("expr: a condition that reads differently in two rules stays, where no expression fits both", () => {
    const rules =
      "rules:\n  - { id: a, event: tool_call, tool: bash, when: $c, action: block, reason: x }\n  - { id: b, event: tool_call, tool: mcp__x__y, when: $c, action: block, reason: x }\n";
    const text = `${head}conditions: { c: { args.command: ls } }\n${rules}`;
    const { after, kept, diagnostics } = formatPolicy(policyFile(text), { to: "expr" });
    expect(diagnostics).toEqual([]);
    expect(after).toContain("c: { args.command: ls }");
    expect(after).toContain("when: 'conditions.c'");
    expect(kept).toHaveLength(1);
  });

  it("wraps long expressions at && and ||", () => {
    const words = ["first", "second", "third", "fourth", "fifth"].map((w) => `{ args.command: { contains: ${w} } }`);
    const wanted = `when: |
  args.command.contains("first") ||
  args.command.contains("second") ||
  args.command.contains("third") ||
  args.command.contains("fourth") ||
  args.command.contains("fifth")`;
    expect(formatted(on(`when: { any: [${words.join(", ")}] }`), { to: "expr" })).toBe(on(wanted));
  });

  it("moves comments above the key", () => {
    const given = `when: # one
  # two
  args.command: ls # three
  all: # four
    - 'environment.user == "#x" // five'
# six`;
    const wanted = `# one
# two
# three
# four
# five
when: 'args.command == "ls" && environment.user == "#x"'
# six`;
    expect(formatted(on(given), { to: "expr" })).toBe(on(wanted));
  });

  it("moves comments of an expression above the key, and leaves slashes in its texts", () => {
    const given = `when: | # one
  // two
  environment.user == "a//b" && // three
  args.command == 'it\\'s // x'`;
    const wanted = `# one\n# two\n# three\nwhen: { environment.user: a//b, args.command: "it's // x" }`;
    expect(formatted(on(given), { to: "yaml" })).toBe(on(wanted));
  });

  it("leaves a condition that is an anchor or an alias", () => {
    const text = `rules:\n  - { id: a, event: tool_call, when: &w { tool.name: bash }, action: block, reason: x }\n  - { id: b, event: tool_call, when: *w, action: block, reason: x }\n`;
    expect(formatted(text, { to: "expr" })).toBe(text);
  });
});

describe("what is refused", () => {
  const broken = `${head}rules:\n  - id: r\n    event: PreToolUse\n    when: 'nothing.here'\n    action: block\n    reason: x\n`;

  it("a policy with a wrong name is formatted, but its conditions are not converted", () => {
    expect(formatPolicy(policyFile(broken))).toMatchObject({
      diagnostics: [],
      after: broken.replace("PreToolUse", "tool_call"),
    });
    const refused = formatPolicy(policyFile(broken), { to: "yaml" });
    expect(refused.diagnostics.map(({ code }) => code)).toEqual(["HW301"]);
    expect(refused.after).toBe(broken);
  });

  it.each([
    ["broken YAML", "version: [1\n", "HW005"],
    ["an unknown key", `${head}rulez: []\nrules: []\n`, "HW101"],
    ["an expression that does not parse", `${head}${on("when: 'a &&'")}`, "HW201"],
    ["an empty file", "", "HW002"],
  ])("%s", (_, text, code) => {
    const { after, diagnostics } = formatPolicy(policyFile(text));
    expect(after).toBe(text);
    expect(diagnostics.map((d) => d.code)).toContain(code);
  });
});
