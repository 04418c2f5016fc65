import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Note: a waiver asks for one operand, and lets through whatever stands beside it. */
export const operandBeside: Lint = {
  code: "HW810",
  name: "operand-beside",
  why: "A command takes several operands. A waiver for those that contain `hw-test` also lets `systemctl restart hw-test nginx` through.",
  advice: "Ask for every operand, or for the size of the list as well, unless whatever stands beside it may pass.",
  bad: [
    {
      title: "one service among others, in an `unless` and in an allow",
      at: ["c.operands: { contains: hw-test }", "c.operands: { contains_any: [lodash, react] }"],
      policy: `version: 1
policy: example
default: ask
rules:
  - id: services
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: systemctl }
    unless: { c.operands: { contains: hw-test } }
    action: block
    reason: others need the service
  - id: tasks
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: view, c.operands: { contains_any: [lodash, react] } }
    action: allow
    reason: it changes nothing
`,
    },
  ],
  good: [
    {
      title: "every operand, their number, and a rule that stops",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: services
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: systemctl }
    unless: { every: { c.operands: { in: [stop, restart, hw-test] } }, c.operands: { size: 2 } }
    action: block
    reason: others need the service
  - id: tasks
    event: tool_call
    each: { c: shell.commands }
    when: has(c.subcommand) && c.program == 'npm' && c.subcommand == 'view' && c.operands.contains('react') && c.operands.size() == 1
    action: allow
    reason: it changes nothing
  - id: releases
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: make, c.operands: { contains: release } }
    action: block
    reason: the pipeline does this
`,
    },
  ],
  claim(claim, { rule }) {
    const { part, negated, field, operator, path, span } = claim;
    const waves = part === "unless" || part === "exception" || (part === "when" && rule?.does("allow") === true);
    if (!waves || negated || field !== "command.operands" || !/^contains(?:_any)?$/.test(operator)) return undefined;
    const [first] = textValues(claim);
    if (!first || first.text.startsWith("-")) return undefined;
    const others = rule?.claims.filter((other) => other !== claim && other.path.startsWith(path)) ?? [];
    // The number of operands leaves no room for another one.
    if (others.some((other) => other.operator === "size" || other.path.endsWith(".size"))) return undefined;
    return {
      span,
      message: "this lets through whatever other operands stand beside it",
      help: `write \`every: { ${path}: { in: [${first.text.slice(0, 60)}, …] } }\` with every operand that may stand there, unless any may`,
    };
  },
};
