import type { Lint } from "../lint.ts";

/** Lint: a rule about commands or pushes asks for the agent's own variable, folder or branch, where the call may have another. */
export const agentsOwnVariable: Lint = {
  code: "HW816",
  name: "agents-own-variable",
  why: "`environment.variables` are those that the agent was started with. A variable that the command itself sets, as in `STAGE=prod make deploy`, is in `c.env`. So it is with `environment.cwd` and `c.cwd`, and with the branch that is checked out and the one that is pushed to.",
  advice: "Test `env` or `cwd` of the command and `target.branch` of the push, or both.",
  bad: [
    {
      title: "a stage that a command sets, its folder, and the branch of a push",
      at: ["environment.variables.STAGE: prod", "environment.cwd", "environment.branch"],
      policy: `  - id: stages
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: make, environment.variables.STAGE: prod }
    action: ask
    reason: it acts on production
  - id: there
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: make, environment.cwd: { ends_with: /prod } }
    action: ask
    reason: it acts on production
  - id: main
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { environment.branch: main }
    action: block
    reason: main changes by pull requests
`,
    },
  ],
  good: [
    {
      title: "both, and a rule about something else than commands",
      policy: `  - id: stages
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: make, any: [{ c.env.STAGE: prod }, { environment.variables.STAGE: prod }] }
    action: ask
    reason: it acts on production
  - id: writes
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { within: infra }, environment.variables.STAGE: prod }
    action: ask
    reason: it acts on production
`,
    },
  ],
  claim({ path, part, span, negated }, { rule }) {
    const each = rule?.typed?.each;
    if (negated || part !== "when" || !rule?.catches) return undefined;
    const command = rule.draft.each?.name;
    if (each?.list.k === "root" && each.list.name === "effects.pushes" && path === "environment.branch")
      return rule.claims.some((other) => other.path.startsWith(`${command}.target`))
        ? undefined
        : {
            span,
            message: "this is the branch that is checked out; a push may go to another",
            help: `write \`${command}.target.branch\` for the branch that is pushed to, or both`,
          };
    if (each?.list.k !== "root" || each.list.name !== "shell.commands") return undefined;
    const name = /^(?:environment\.variables|args\.env)\.(\w+)$/.exec(path)?.[1];
    const field = name === undefined ? (path === "environment.cwd" ? "cwd" : undefined) : "env";
    if (field === undefined) return undefined;
    if (rule.claims.some((other) => other.path.startsWith(`${command}.${field}`))) return undefined;
    if (name === undefined)
      return {
        span,
        message: "this is the folder of the agent; `cd` in the call takes a command to another",
        help: `write \`${command}.cwd\` for the folder in which the command runs, or both in \`any\``,
      };
    const whose = path.startsWith("args") ? "that the host gives the shell" : "of the agent";
    return {
      span,
      message: `this is a variable ${whose}; one that the command itself sets, as in \`${name}=… command\`, is another`,
      help: `write \`${command}.env.${name}\` for a variable of the command, or both in \`any\``,
    };
  },
};
