import type { Lint } from "../lint.ts";

/** Lint: a rule about commands asks for a variable of the agent's environment, where a command may set its own. */
export const agentsOwnVariable: Lint = {
  code: "HW816",
  name: "agents-own-variable",
  why: "`environment.variables` are those that the agent was started with. A variable that the command itself sets, as in `STAGE=prod make deploy`, is in `c.env`.",
  advice: "Test `env` of the command, or both.",
  bad: [
    {
      title: "a stage that a command sets",
      at: ["environment.variables.STAGE: prod"],
      policy: `  - id: stages
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: make, environment.variables.STAGE: prod }
    action: ask
    reason: it acts on production
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
    const name = /^environment\.variables\.(\w+)$/.exec(path)?.[1];
    const each = rule?.typed?.each;
    if (name === undefined || negated || part !== "when" || !rule?.catches) return undefined;
    if (each?.list.k !== "root" || each.list.name !== "shell.commands") return undefined;
    if (rule.claims.some((other) => other.path.includes(".env.") || other.path.endsWith(".env"))) return undefined;
    const own = `${rule.draft.each?.name}.env.${name}`;
    return {
      span,
      message: `this is a variable of the agent; one that the command itself sets, as in \`${name}=… command\`, is another`,
      help: `write \`${own}\` for a variable of the command, or both in \`any\``,
    };
  },
};
