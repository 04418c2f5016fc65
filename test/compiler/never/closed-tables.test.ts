import { describe, expect, it } from "vitest";
import type { Ir } from "../../../engine/plan.ts";
import { compileTexts, withHead } from "../../literate/policies.ts";
import { foundIn } from "./found.ts";

/** A closed table: how a test of it is written, and values of four kinds. */
interface Row {
  readonly each?: string;
  readonly field: string;
  readonly right: readonly string[];
  /** Spellings that fold, with what they stand for. */
  readonly alias: Readonly<Record<string, string>>;
  /** Slips, with what is suggested. */
  readonly typo: Readonly<Record<string, string>>;
  readonly foreign: readonly string[];
}

const tables: Readonly<Record<string, Row>> = {
  hosts: {
    field: "host",
    right: ["claude-code", "gemini-cli", "pi", "hookwarden"],
    alias: { gemini: "gemini-cli", claude: "claude-code", "copilot-cli": "copilot", "Claude Code": "claude-code" },
    typo: { "claud-code": "claude-code", "gemini-cil": "gemini-cli" },
    foreign: ["emacs", "linux"],
  },
  "operating systems": {
    field: "environment.os",
    right: ["linux", "darwin", "windows"],
    alias: { win32: "windows", macos: "darwin", Linux: "linux", osx: "darwin" },
    typo: { linx: "linux", widnows: "windows" },
    foreign: ["ubuntu", "posix"],
  },
  events: {
    field: "event",
    right: ["tool_call"],
    alias: { PreToolUse: "tool_call" },
    typo: { tool_cal: "tool_call" },
    foreign: ["bash", "tool_result"],
  },
  "package managers": {
    each: "{ i: effects.installs }",
    field: "i.manager",
    right: ["npm", "pip", "cargo", "apt", "brew"],
    alias: { NPM: "npm", pip3: "pip", "apt-get": "apt" },
    typo: { nmp: "npm", crago: "cargo" },
    foreign: ["pypi", "registry"],
  },
  "install sources": {
    each: "{ i: effects.installs }",
    field: "i.source",
    right: ["registry", "git", "file", "url", "lockfile", "https://registry.example.com/", "my-registry"],
    alias: { Registry: "registry" },
    typo: { registy: "registry", lockfle: "lockfile" },
    foreign: ["pypi", "npmjs", "crates.io"],
  },
  detectors: {
    each: "{ s: secrets }",
    field: "s.detector",
    right: ["secrets/github-token"],
    alias: { "github-token": "secrets/github-token" },
    typo: { "secrets/github-tokn": "secrets/github-token" },
    foreign: ["pii/card", "aws"],
  },
  directions: {
    each: "{ n: effects.network }",
    field: "n.direction",
    right: ["upload", "download", "both"],
    alias: {},
    typo: { uplaod: "upload" },
    foreign: ["out"],
  },
  confidences: {
    each: "{ s: secrets }",
    field: "s.confidence",
    right: ["high"],
    alias: {},
    typo: { hihg: "high" },
    foreign: ["certain"],
  },
  tools: {
    field: "tool.name",
    right: ["bash", "mcp__github__create_issue", "TodoWrite"],
    alias: { Bash: "bash", shell: "bash", MultiEdit: "edit" },
    typo: { bsh: "bash", wirte: "write", Todowrit: "TodoWrite" },
    foreign: ["mcp__github", "deploy_everything"],
  },
};

const rule = (row: Row, test: string): string => `  - id: r
    event: tool_call
${row.each ? `    each: ${row.each}\n` : ""}    when: ${test}
    action: ask
    reason: why
`;

/** Ways to write that a field is a value, as YAML tests and as expressions. */
const ways: Readonly<Record<string, (field: string, value: string) => string>> = {
  "a test": (field, value) => `{ ${field}: ${JSON.stringify(value)} }`,
  "a list": (field, value) => `{ ${field}: [${JSON.stringify(value)}] }`,
  not_equals: (field, value) => `{ ${field}: { not_equals: ${JSON.stringify(value)} } }`,
  not: (field, value) => `{ not: { ${field}: ${JSON.stringify(value)} } }`,
  "a comparison": (field, value) => `'${field} == ${JSON.stringify(value)}'`,
  "a comparison from the other side": (field, value) => `'${JSON.stringify(value)} == ${field}'`,
  in: (field, value) => `'${field} in [${JSON.stringify(value)}]'`,
  "a conditional": (field, value) =>
    `'${field} == (session.turn > 3 ? ${JSON.stringify(value)} : ${JSON.stringify(value)})'`,
};

const errors = (text: string) => foundIn(text).filter(({ severity }) => severity === "error");

describe.each(Object.entries(tables))("%s", (_name, row) => {
  describe.each(Object.entries(ways))("in %s", (_way, write) => {
    it.each(row.right)("takes %s", (value) => {
      expect(errors(rule(row, write(row.field, value)))).toEqual([]);
    });

    it.each(Object.entries(row.alias))("takes %s for %s", (value, canonical) => {
      const text = withHead(rule(row, write(row.field, value)));
      const result = compileTexts({ "policy.yaml": text });
      expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const written = result.plan?.rules.find(({ id }) => id.endsWith("/r"));
      expect(constants(written?.when)).toContain(canonical);
      expect(constants(written?.when)).not.toContain(value);
    });

    it.each(Object.entries(row.typo))("refuses %s and suggests %s", (value, near) => {
      const [first] = errors(rule(row, write(row.field, value)));
      expect(first?.code).toBe("HW305");
      expect(first?.at.replaceAll(/["']/g, "")).toBe(value);
      expect(first?.help).toContain(`\`${near}\``);
    });

    it.each(row.foreign)("refuses %s", (value) => {
      const [first] = errors(rule(row, write(row.field, value)));
      expect(first?.code).toBe("HW305");
      expect(first?.at.replaceAll(/["']/g, "")).toBe(value);
      expect(first?.help.length).toBeGreaterThan(10);
    });
  });
});

describe("how a value comes into a test", () => {
  const given = (head: string, when: string): string => `version: 1
policy: p
${head}
rules:
  - id: r
    event: tool_call
    when: ${when}
    action: ask
    reason: why
`;
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["a list of the policy, at the item", "lists: { where: [pi, gemni] }", "{ host: $where }", "gemni"],
    ["a list in an expression", "lists: { where: [pi, gemni] }", "host in lists.where", "gemni"],
    ["a parameter's default", "parameters: { where: { type: string, default: gemni } }", "{ host: $where }", "$where"],
    ["a named condition", "conditions: { there: { host: gemni } }", "$there", "gemni"],
    ["a named condition, negated", "conditions: { there: { host: gemni } }", "{ not: $there }", "gemni"],
    ["one dead item of several", "", "{ host: [pi, gemni, codex] }", "gemni"],
    ["a macro over a list", "", '\'["pi", "gemni"].exists(h, h == host)\'', '"gemni"'],
    ["cel.bind", "", "'cel.bind(h, \"gemni\", h == host)'", '"gemni"'],
    ["a beginning", "", "{ host: { starts_with: gemni } }", "gemni"],
    ["an end", "", "{ host: { ends_with: -cil } }", "-cil"],
    ["a part", "", "{ host: { contains: claud-c } }", "claud-c"],
    ["a glob", "", '{ host: { glob: "gemni*" } }', '"gemni*"'],
    ["a pattern", "", "{ host: { matches: '^gemni' } }", "'^gemni'"],
  ];
  it.each(rows)("%s", (_title, head, when, at) => {
    const [first] = errors(given(head, when));
    expect(first?.code).toBe("HW305");
    expect(first?.at).toBe(at);
  });

  it("says of a negated dead test that it always holds", () => {
    const [first] = errors(given("", "{ not: { host: gemni } }"));
    expect(first?.message).toContain("always holds");
    const [plain] = errors(given("", "{ host: gemni }"));
    expect(plain?.message).not.toContain("always holds");
  });

  it("tells every fault of a policy at once", () => {
    const found = errors(`  - id: a
    event: tool_call
    tool: bsh
    when: { host: gemni, environment.os: linx }
    action: ask
    reason: why
  - id: b
    event: tool_call
    when: { all: [nosuch == 1, { host: emax }, '[1, 2][5] == 3'] }
    unless: { tool.name: wirte }
    action: ask
    reason: why
`);
    expect(found.map(({ at }) => at)).toEqual(["bsh", "gemni", "linx", "nosuch", "emax", "[1, 2][5]", "wirte"]);
  });
});

function constants(ir: Ir | undefined): readonly unknown[] {
  const found: unknown[] = [];
  JSON.stringify(ir, (key, value: unknown) => {
    if (key === "value") found.push(...(Array.isArray(value) ? value : [value]));
    return value;
  });
  return found;
}
