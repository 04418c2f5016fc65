import type { Ir } from "../../../engine/plan.ts";
import { conjunctions } from "../conjunctions.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: a rule asks only in sessions without a human to answer. */
export const askWithoutHuman: Lint = {
  code: "HW642",
  name: "ask-without-human",
  why: "A rule with `environment.interactive: false` applies where no human is there. An `ask` without a human blocks and gives a key for `hookwarden approve`; where nobody reads that key, the rule is a block that reads milder than it is.",
  advice: "Write `block` with a reason and guidance, or take the test out.",
  bad: [
    {
      title: "a question in a pipeline",
      at: ["ask"],
      policy: `  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { environment.interactive: false, p.forced: true }
    action: ask
    reason: history may be overwritten
`,
    },
    {
      title: "by a named condition",
      at: ["ask"],
      policy: `conditions:
  no_human: { environment.interactive: false }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { all: [$no_human, { p.forced: true }] }
    action: { ask: { timeout: 1m } }
    reason: history may be overwritten
`,
    },
  ],
  good: [
    {
      title: "a block without a human, a question with one",
      policy: `  - id: alone
    event: tool_call
    each: { p: effects.pushes }
    when: { environment.interactive: false, p.forced: true }
    action: block
    reason: history may be overwritten
  - id: together
    event: tool_call
    each: { p: effects.pushes }
    when: { any: [{ environment.interactive: false }, { p.forced: true }] }
    action: ask
    reason: history may be overwritten
`,
    },
  ],
  rule(rule) {
    const { typed, draft, policy } = rule;
    const ask = draft.actions.find(({ name }) => name === "ask");
    if (!ask || !typed?.when || rule.does("block") || !needsNobody(typed.when, policy)) return [];
    return [
      {
        span: ask.span,
        message: "nobody is there to answer this `ask`: the call is blocked, with a key for `hookwarden approve`",
        help: "write `block` if nobody will approve it, or take out the test for `environment.interactive`",
      },
    ];
  },
};

/** True if one of the required terms, direct or in a named condition, says that the session has no human. */
function needsNobody(when: Ir, { typed }: LintedPolicy): boolean {
  const terms = conjunctions(when)[0]?.terms ?? [];
  return terms.some((term) => {
    const named = term.k === "condition" ? typed.conditions.get(term.name) : undefined;
    return named ? (conjunctions(named)[0]?.terms ?? []).some(isNobody) : isNobody(term);
  });
}

function isNobody(term: Ir): boolean {
  if (term.k === "not") return writtenPath(term.arg) === "environment.interactive";
  if (term.k !== "call" || term.fn !== "equal") return false;
  const [one, other] = term.args;
  return [
    [one, other],
    [other, one],
  ].some(
    ([a, b]) =>
      a && b?.k === "const" && b.value === false && a.k !== "const" && writtenPath(a) === "environment.interactive",
  );
}
