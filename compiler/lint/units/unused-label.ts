import { labelUses } from "../label-uses.ts";
import type { Lint } from "../lint.ts";

/** Lint: no rule sets a declared label, and no condition asks for it. */
export const unusedLabel: Lint = {
  code: "HW636",
  name: "unused-label",
  why: "A label that nobody sets or asks for promises a protection that is not there.",
  advice: "Set it with `label`, ask for it with `session.labels`, or take it out.",
  bad: [
    {
      title: "a label without a rule",
      at: ["reviewed"],
      policy: `labels:
  reviewed: { kind: mark }
rules:
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
    },
  ],
  good: [
    {
      title: "a label that is set, and one that is asked for and set elsewhere",
      policy: `labels:
  deleted: { kind: mark }
rules:
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    unless: '"deleted" in session.labels'
    action: [ask, { label: { add: [deleted] } }]
    reason: something is deleted
`,
    },
  ],
  set({ policies }) {
    const { set, mentioned } = labelUses(policies);
    return policies.flatMap((policy) =>
      [...policy.draft.labels]
        .filter(([name]) => !set.has(name) && !mentioned.has(name))
        .map(([name, { span }]) => ({
          policy,
          span,
          message: `label \`${name}\` is neither set nor asked for`,
          help: "set it with `label`, ask for it with `session.labels`, or take it out",
        })),
    );
  },
};
