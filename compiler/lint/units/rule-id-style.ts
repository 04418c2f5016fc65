import type { Lint } from "../lint.ts";

/** Lint: a rule id says nothing or repeats the name of its policy. */
export const ruleIdStyle: Lint = {
  code: "HW647",
  name: "rule-id-style",
  why: "A rule is cited as `policy/rule` in messages, exceptions and audit records. `shell/shell-delete` says a word twice, and `shell/rule-1` says nothing.",
  advice: "Name what the rule is about, without the name of its policy.",
  bad: [
    {
      title: "the policy again, and a number",
      at: ["example-deletes", "rule-2"],
      policy: `  - id: example-deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
  - id: rule-2
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "what the rule is about",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
  - id: tests
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  rule({ draft: { id, span } }) {
    const [policy = "", name = ""] = id.split("/");
    if (name.startsWith(`${policy}-`))
      return [
        {
          span,
          message: `the rule is cited as \`${id}\`, which names the policy twice`,
          help: `call it \`${name.slice(policy.length + 1)}\``,
        },
      ];
    if (!/^(?:(?:my-|new-|a-)?rule|todo|foo|bar|untitled|temp|tmp)(?:-?\d+)?$|^test-?\d+$/.test(name)) return [];
    return [{ span, message: `\`${name}\` does not say what the rule is about`, help: "name what it stops or does" }];
  },
};
