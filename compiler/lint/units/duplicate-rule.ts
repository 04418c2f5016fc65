import { guardKey } from "../guards.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";

/** Lint: two rules of the set apply to the same events and do the same. */
export const duplicateRule: Lint = {
  code: "HW616",
  name: "duplicate-rule",
  why: "Of two rules that apply to the same and do the same, only the first is told as the reason. Whoever changes one of them forgets the other.",
  advice: "Keep one of them.",
  bad: [
    {
      title: "the same rule under two ids",
      at: ["no-deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { d.recursive: true, d.path: { is: workspace } }
    action: ask
    reason: everything beneath is deleted
  - id: no-deletes
    event: tool_call
    each: { x: effects.deletes }
    when: x.path.is("workspace") && x.recursive == true
    action: ask
    reason: please ask first
`,
    },
  ],
  good: [
    {
      title: "one action on two events",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { d.recursive: true }
    action: ask
    reason: everything beneath is deleted
  - id: typed-deletes
    event: user_bash
    each: { d: effects.deletes }
    when: { d.recursive: true }
    action: ask
    reason: everything beneath is deleted
`,
    },
  ],
  set({ policies }) {
    const first = new Map<string, { readonly policy: LintedPolicy; readonly rule: LintedRule }>();
    return policies.flatMap((policy) =>
      policy.rules.flatMap((rule) => {
        const { typed } = rule;
        if (typed?.mode !== "enforce") return [];
        const does = JSON.stringify([typed.actions, typed.exceptions], (key, value) =>
          key === "at" ? undefined : value,
        );
        const key = `${guardKey(typed)}\n${does}`;
        const before = first.get(key);
        if (!before) {
          first.set(key, { policy, rule });
          return [];
        }
        const related = [
          { message: "the first of them", source: before.policy.source.name, span: before.rule.draft.span },
        ];
        const message = `rule \`${rule.draft.id}\` applies to the same as \`${before.rule.draft.id}\` and does the same`;
        return [{ policy, span: rule.draft.span, message, help: "keep one of them", related }];
      }),
    );
  },
};
