import type { Ir } from "../../../engine/plan.ts";
import type { Claim } from "../claims.ts";
import { truths } from "../conjunctions.ts";
import type { Finding, Lint } from "../lint.ts";
import { takenFrom } from "../typing.ts";

/** Lint: a rule that stops calls asks for exactly one element, so that two of them pass. */
export const exactlyOne: Lint = {
  code: "HW802",
  name: "exactly-one",
  why: "`exists_one` holds for exactly one element. A rule against the deletion of a file lets two of them be deleted.",
  advice: "Write `exists` for one or more, or compare the size of `filter` where the number matters.",
  bad: [
    {
      title: "one file, and a named condition",
      at: ["shell.commands.existsOne", "effects.deletes.exists_one"],
      policy: `conditions:
  pushes: shell.commands.existsOne(c, c.program == "twine")
rules:
  - id: migrations
    event: [tool_call, user_bash]
    when: effects.deletes.exists_one(d, d.path.ext == "sql")
    action: ask
    reason: a migration is deleted
  - id: pushes
    event: [tool_call, user_bash]
    when: conditions.pushes
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "one or more, and a number that matters",
      policy: `  - id: migrations
    event: [tool_call, user_bash]
    when: effects.deletes.exists(d, d.path.ext == "sql")
    action: ask
    reason: a migration is deleted
  - id: many
    event: [tool_call, user_bash]
    when: effects.deletes.filter(d, d.path.ext == "sql").size() > 1
    action: ask
    reason: migrations are deleted
  - id: noted
    event: tool_call
    when: effects.deletes.exists_one(d, d.path.ext == "sql")
    action: { notify: { message: a migration is deleted } }
`,
    },
  ],
  ofItems: true,
  rule: ({ catches, typed, claims }) => (catches ? loneOnes(typed?.when, claims) : []),
  policy: ({ typed, rules, ownClaims }) =>
    rules.some((rule) => rule.catches) ? [...typed.conditions.values()].flatMap((ir) => loneOnes(ir, ownClaims)) : [],
};

function loneOnes(when: Ir | undefined, claims: readonly Claim[]): Finding[] {
  return (when ? truths(when) : []).flatMap(({ ir: node, negated }): Finding[] => {
    if (negated || node.k !== "loop" || node.loop !== "exists_one" || !node.at) return [];
    // In a list of one, one is as many as there can be.
    const { list } = takenFrom(node.list, new Map());
    if (claims.some((claim) => claim.list === list && claim.by === "whole" && claim.values?.[0] === 1)) return [];
    return [
      {
        span: { start: node.at[0], end: node.at[1] },
        message: "`exists_one` holds for exactly one element: a call with two of them passes",
        help: "write `exists`, if one or more are meant",
      },
    ];
  });
}
