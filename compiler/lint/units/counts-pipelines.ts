import type { Lint } from "../lint.ts";

/** Lint: the number of pipelines is tested, where a pipe may be meant. */
export const countsPipelines: Lint = {
  code: "HW827",
  name: "counts-pipelines",
  why: "`shell.pipelines` has one entry for each command or chain of pipes: `a | b` is one pipeline, and `a; b` are two.",
  advice: "Ask for a pipeline of several commands, or count `shell.commands`.",
  bad: [
    {
      title: "more than one",
      at: ["shell.pipelines"],
      policy: `  - id: pipes
    event: [tool_call, user_bash]
    when: { shell.pipelines: { size: { gt: 1 } } }
    action: ask
    reason: one command at a time
`,
    },
  ],
  good: [
    {
      title: "a pipe, and several commands",
      policy: `  - id: pipes
    event: [tool_call, user_bash]
    when: shell.pipelines.exists(p, p.size() > 1)
    action: ask
    reason: one command at a time
  - id: several
    event: [tool_call, user_bash]
    when: { shell.commands: { size: { gt: 1 } } }
    action: ask
    reason: one command at a time
`,
    },
  ],
  claim({ path, operator, part, span }, { rule }) {
    const isCount = /^shell\.pipelines(?:\.size)?$/.test(path) && (operator === "size" || path.endsWith(".size"));
    if (!isCount || part !== "when" || !rule?.catches) return undefined;
    return {
      span,
      message: "this counts pipelines: `a | b` is one, and `a; b` are two",
      help: "write `shell.pipelines.exists(p, p.size() > 1)` for a pipe, or count `shell.commands`",
    };
  },
};
