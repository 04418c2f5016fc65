import { textValues } from "../claims.ts";
import { isCommandText } from "../command-text.ts";
import type { Lint } from "../lint.ts";

/** Lint: an allow, `unless` or exception tests the text of a command, so that commands chained to it pass as well. */
export const launderingAllow: Lint = {
  code: "HW623",
  name: "laundering-allow",
  why: "A command line holds several commands. One that begins with `git status` can go on behind `&&`, in `$(…)` or after a line break, and all of it is waved through.",
  advice:
    "Judge each command by itself with `each: { c: shell.commands }` and test `program`, `subcommand` and options.",
  bad: [
    {
      title: "an exception for a beginning",
      at: ['args.command: { starts_with: "npm test" }'],
      policy: `  - id: programs
    event: tool_call
    tool: bash
    when: { some: { shell.commands: { program: npm } } }
    action: ask
    reason: a program runs
exceptions:
  - rules: [example/programs]
    when: { args.command: { starts_with: "npm test" } }
    owner: platform
    reason: tests are harmless
    expires: 2030-01-01
`,
    },
    {
      title: "an allow by a pattern",
      at: ['args.command.matches("^git (status|log)")'],
      policy: `version: 1
policy: example
default: ask
rules:
  - id: look
    event: tool_call
    tool: bash
    when: args.command.matches("^git (status|log)")
    action: allow
`,
    },
  ],
  good: [
    {
      title: "each command by itself",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: look
    event: tool_call
    tool: bash
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: [status, log] }
    action: allow
`,
    },
    {
      title: "the whole text, to its end",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: look
    event: tool_call
    tool: bash
    when: { args.command: { matches: '^git (?:status|log)$' } }
    action: allow
`,
    },
  ],
  claim(claim, { rule }) {
    const waves =
      claim.part === "unless" || claim.part === "exception" || (claim.part === "when" && rule?.does("allow"));
    if (!waves || claim.negated || !isCommandText(claim)) return undefined;
    // A rule that changes the whole line or tells of it lets nothing through.
    if (rule && !rule.catches && !rule.does("allow")) return undefined;
    const texts = textValues(claim);
    if (claim.operator === "matches" && texts.length > 0 && texts.every(({ text }) => isWholeText(text)))
      return undefined;
    return {
      span: claim.span,
      message: "this also lets through what stands behind `&&`, `;` or in `$(…)`",
      help: "judge each command: `each: { c: shell.commands }` and tests of `c.program` and `c.subcommand`",
    };
  },
};

/** True for a pattern that is anchored at both ends and has no part that matches arbitrary text. */
function isWholeText(written: string): boolean {
  const pattern = written.replace(/^\(\?[isU]+\)/, "");
  return /^\^.*\$$/s.test(pattern) && !/(?<!\\)\.[*+{]|\[\^|\\[SDW]|^\^[^(]*\|/.test(pattern);
}
