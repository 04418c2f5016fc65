import type { Lint } from "../lint.ts";

/** Lint: a rule with conditions has examples that match and none that must not match. */
export const missingCounterExample: Lint = {
  code: "HW664",
  name: "missing-counter-example",
  why: "Examples under `match` hold for a rule that fires on everything too. Only an example that must not match shows where it ends.",
  advice: "Add `no_match:` with a call that looks alike and is harmless.",
  bad: [
    {
      title: "matches only",
      at: ["pushes"],
      policy: `  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history may be overwritten
    examples:
      match: ["git push --force origin main"]
`,
    },
  ],
  good: [
    {
      title: "both, and a rule without conditions",
      policy: `  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history may be overwritten
    examples:
      match: ["git push --force origin main"]
      no_match: ["git push origin main"]
  - id: remind
    event: before_agent_start
    action: { inject: { content: Mind the tests. } }
    examples:
      match: [{ event: before_agent_start, prompt: go on, system_prompt: [] }]
`,
    },
  ],
  rule({ draft: { id, span, examples }, typed }) {
    if (!typed?.when && !typed?.unless) return [];
    if (examples.match.length === 0 || examples.no_match.length > 0) return [];
    return [
      {
        span,
        message: `rule \`${id}\` has no example of what it lets through`,
        help: "add `no_match:` with a call that looks alike and is harmless",
      },
    ];
  },
};
