import { child } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Note: a rule stops what a human types, and no rule of the policy stops what the agent does. */
export const humanAlone: Lint = {
  code: "HW806",
  name: "human-alone",
  why: "`user_bash` and `user_python` are what a human types into the agent's prompt. Commands and code of the agent are calls: the event `tool_call`.",
  advice: "Write `event: [tool_call, user_bash]`, or `tool_call` alone.",
  bad: [
    {
      title: "containers and code",
      at: ["user_bash", "user_python"],
      policy: `  - id: containers
    event: user_bash
    each: { c: shell.commands }
    when: { c.program: docker, c.subcommand: run }
    action: block
    reason: containers are started by the pipeline
  - id: code
    event: user_python
    when: { code: { matches: 'import\\s+subprocess' } }
    action: block
    reason: code starts no programs
`,
    },
  ],
  good: [
    {
      title: "both, and a human's own rule beside one for the agent",
      policy: `  - id: containers
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: docker, c.subcommand: run }
    action: block
    reason: containers are started by the pipeline
  - id: code
    event: user_python
    when: { code: { matches: 'import\\s+subprocess' } }
    action: block
    reason: code starts no programs
`,
    },
  ],
  policy({ rules }) {
    const guarding = rules.filter((rule) => rule.guards);
    return guarding.every(isOfHuman) ? guarding.flatMap(said) : [];
  },
};

const typed: ReadonlySet<string> = new Set(["user_bash", "user_python"]);

const isOfHuman = ({ draft }: LintedRule): boolean =>
  draft.events.length > 0 && draft.events.every((event) => typed.has(event));

function said({ node, draft, typed: rule }: LintedRule): Finding[] {
  const place = child(node, "event");
  // Only what a human types is hidden from the model.
  const isTheirs = [rule?.when, rule?.unless].some(
    (ir) => ir && /"name":"exclude_from_context"/.test(JSON.stringify(ir)),
  );
  if (!place || isTheirs) return [];
  const isCode = draft.events.includes("user_python");
  return [
    {
      span: place.span,
      message: "only what a human types is judged: what the agent does is `tool_call`",
      help: isCode ? "write `event: tool_call` with `tool: eval`" : "write `event: [tool_call, user_bash]`",
    },
  ];
}
