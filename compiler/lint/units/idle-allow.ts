import { child } from "../../yaml-node.ts";
import { onlyAnswers } from "../guards.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule allows, although every policy of the set allows by default. */
export const idleAllow: Lint = {
  code: "HW621",
  name: "idle-allow",
  why: "An allow answers calls where the default is `ask` or `block`; it never lifts a block or a question of another rule. Under `default: allow` it changes nothing, which its author may not know.",
  advice: "Set `default: ask` (or `block`), or write an exception of the rule that stands in the way.",
  bad: [
    {
      title: "an allow under `default: allow`",
      at: ["tests"],
      policy: `  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: allow
`,
    },
  ],
  good: [
    {
      title: "an allow under `default: ask`",
      policy: `version: 1
policy: example
default: ask
rules:
  - id: looks
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: git, c.subcommand: status }
    action: allow
`,
    },
    {
      title: "an allow that answers the host's own question",
      policy: `  - id: tests
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: test }
    action: { allow: { skip_host_prompt: true } }
`,
    },
  ],
  set({ policies }) {
    if (policies.some(({ draft }) => draft.default !== "allow")) return [];
    return policies.flatMap((policy) =>
      policy.rules
        .filter((rule) => rule.typed?.mode === "enforce" && rule.does("allow") && onlyAnswers(rule) && !rule.guards)
        .filter(({ draft }) => !draft.actions.some(({ parameters }) => child(parameters, "skip_host_prompt")))
        .map(({ draft }) => ({
          policy,
          span: draft.span,
          message: `rule \`${draft.id}\` allows what every policy here allows by default`,
          help: "set `default: block` or `default: ask` for all else, or write an exception of the rule that stands in the way",
        })),
    );
  },
};
