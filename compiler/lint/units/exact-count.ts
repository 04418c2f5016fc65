import type { Lint } from "../lint.ts";

/** Lint: a rule that stops calls asks for an exact number of effects. */
export const exactCount: Lint = {
  code: "HW814",
  name: "exact-count",
  why: "`size: 3` holds for three elements alone: a call with four of them passes.",
  advice: "Write `{ size: { ge: 3 } }` for that many or more.",
  bad: [
    {
      title: "deletes and commands",
      at: ["effects.deletes: { size: 3 }", "shell.commands.size() == 20"],
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    when: { effects.deletes: { size: 3 } }
    action: ask
    reason: many files are deleted
  - id: commands
    event: [tool_call, user_bash]
    when: shell.commands.size() == 20
    action: ask
    reason: there is much to read
`,
    },
  ],
  good: [
    {
      title: "bounds, one or none, and the words of one command",
      policy: `  - id: deletes
    event: [tool_call, user_bash]
    when: { effects.deletes: { size: { ge: 3 } } }
    action: ask
    reason: many files are deleted
  - id: alone
    event: [tool_call, user_bash]
    when: { shell.commands: { size: 1 }, some: { shell.commands: { program: rm } } }
    action: ask
    reason: nothing stands beside it
  - id: copies
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: scp, c.operands: { size: 2 } }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  claim({ list, by, path, operator, values, part, negated, span }, { rule }) {
    const isExact = operator === "equals" ? path.endsWith("size") : operator === "size";
    const count = values?.[0];
    if (list === undefined || by !== "whole" || !isExact || typeof count !== "number" || count < 2) return undefined;
    if (!rule?.catches || part !== "when" || negated) return undefined;
    // Elements that a test names by their numbers are as many.
    if (rule.claims.some((other) => other.list === list && other.by === "number")) return undefined;
    const instead =
      path === list || path === `${list}.size` ? `\`${list}: { size: { ge: ${count} } }\`` : `\`>= ${count}\``;
    return {
      span,
      message: `this holds for ${count} of them alone: a call with ${count + 1} passes`,
      help: `write ${instead} for ${count} or more`,
    };
  },
};
