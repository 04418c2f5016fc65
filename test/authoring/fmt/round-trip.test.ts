import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPolicy, type Spelling } from "../../../authoring/fmt/format.ts";
import { planText } from "../../../authoring/fmt/same-plan.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { policyFile } from "../../literate/policies.ts";

/** Properties of both conversions over generated conditions of both spellings. Seeds are printed on failure. */
const test = fc.constantFrom(
  `args.command: { contains: git }`,
  `args.command: { starts_with: [git, "l's", $$x] }`,
  `args.command: { size: { ge: 1, lt: 40 } }`,
  `args.command: { matches: '^cat\\b', not: { ends_with: " " } }`,
  `args.timeout: 5`,
  `args.timeout: { gt: 1, not_in: [3, 4] }`,
  `args.env.HOME: /root`,
  `args.env["A-B"]: { present: true }`,
  `environment.branch: [main, master]`,
  `environment.branch: { present: false }`,
  `environment.branch: { in: $branches }`,
  `environment.user: { not_equals: ada }`,
  `now: { gt: "2026-01-01T00:00:00Z" }`,
  `some: { shell.commands: { program: ls, operands: { size: 0 } } }`,
  `every: { shell.commands: { program: { glob: "c*" } } }`,
  `none: { effects.reads: { path: { is: secret }, command.program: cat } }`,
  `some: { shell.commands: { some: { operands: { contains: a, ends_with: b } } } }`,
  `none: { effects.writes: { any: [{ path: { glob: "/tmp/**" } }, { not: { certain: true } }] } }`,
);
const expression = fc.constantFrom(
  `'args.command.contains("git") && args.command.size() > 3'`,
  `'has(args.timeout) && args.timeout == 5 && args.timeout != 6'`,
  `'shell.commands.exists(c, c.program == "ls" && c.operands.exists(o, o.startsWith("-")))'`,
  `'!(environment.user == "ada") || tool.name in ["bash"] // why'`,
  `'!effects.reads.exists(r, r.path.is("secret"))'`,
  `'size(args.command) >= 2 && true'`,
  `'args.command.startsWith("a") || args.command.startsWith("$b")'`,
  `'args.command + "x" == "lsx" && environment.user == "bob"'`,
  `'has(environment.branch) && environment.branch in parameters.branches'`,
  `'conditions.named && !conditions.named'`,
  `'args.?timeout.orValue(1) == 1'`,
  `'"$x" == environment.user'`,
);
const condition: fc.Arbitrary<string> = fc.letrec<{ node: string; map: string }>((tie) => ({
  map: fc
    .uniqueArray(
      fc.oneof(
        { depthSize: "small" },
        test,
        expression.map((e) => `expr: ${e}`),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((items) => `any: [${items.join(", ")}]`),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((items) => `all: [${items.join(", ")}]`),
        tie("node").map((inner) => `not: ${inner}`),
      ),
      { minLength: 1, maxLength: 3, selector: (entry) => entry.slice(0, entry.indexOf(":")) },
    )
    .map((entries) => `{ ${entries.join(", ")} }`),
  node: fc.oneof(
    { depthSize: "small" },
    test.map((t) => `{ ${t} }`),
    expression,
    fc.constant("$named"),
    tie("map"),
  ),
})).node;

const policy = (when: string, unless: string, named: string): string =>
  `version: 1
policy: p
parameters:
  branches: { type: list(string), default: [main] }
conditions:
  named: ${named} # of two rules
rules:
  - id: guard # first
    event: tool_call
    tool: bash
    when: ${when} # when
    # between
    unless: ${unless}
    action: block
    reason: x
  - { id: second, event: [tool_call, user_bash], when: $named, action: ask, reason: y }
`;
const namedCondition = fc.constantFrom(
  `{ environment.user: bob }`,
  `{ environment.branch: main, some: { shell.commands: { program: cat } } }`,
  `'has(environment.branch) && environment.branch == "main"'`,
);
const events = [
  { command: "ls", user: "ada" },
  { command: "cat ab", user: "bob", branch: "main" },
  { command: "git push > /tmp/x", user: "bob" },
].map(({ command, user, branch }) => ({
  event: "tool_call",
  tool: "bash",
  args: { command, timeout: 5 },
  environment: { user, ...(branch && { branch }) },
}));

function outcomes(text: string): { plan: string; decided: unknown } | undefined {
  const { plan } = compile({ files: [policyFile(text)] });
  if (!plan) return undefined;
  const engine = createEngine(plan);
  const decided = events.map((wire) => {
    const { outcome, answered, rule, errors } = engine.decide(wire).decision;
    return { outcome, answered, rule, errors };
  });
  return { plan: planText(plan), decided };
}

const commentsOf = (text: string): string[] =>
  ["# of two rules", "# first", "# when", "# between", ...(text.includes("// why") ? [" why"] : [])].sort();

describe("fmt --to", () => {
  it("keeps plan, decisions and comments through both spellings, and settles at once", () => {
    let converted = 0;
    fc.assert(
      fc.property(condition, condition, namedCondition, (when, unless, named) => {
        const text = policy(when, unless, named);
        const before = outcomes(text);
        fc.pre(before !== undefined);
        let current = text;
        for (const to of ["expr", "yaml", "expr"] as const satisfies Spelling[]) {
          const { after, diagnostics, kept } = formatPolicy(policyFile(current), { to });
          expect(diagnostics).toEqual([]);
          expect(outcomes(after)).toEqual(before);
          expect(formatPolicy(policyFile(after), { to }).after).toBe(after);
          for (const comment of commentsOf(text)) expect(after).toContain(comment);
          if (to === "expr" && kept.length === 0) converted++;
          current = after;
        }
      }),
      { numRuns: 25 },
    );
    expect(converted).toBeGreaterThan(8);
  });
});
