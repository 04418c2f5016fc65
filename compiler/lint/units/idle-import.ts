import type { Lint } from "../lint.ts";

/** Lint: all rules of an import are switched off. */
export const idleImport: Lint = {
  code: "HW638",
  name: "idle-import",
  why: "An import of which every rule is switched off looks like a protection and is none.",
  advice: "Switch a rule on, or take the import out.",
  bad: [
    {
      title: "the only rule is switched off",
      at: ["{ file: ./base.yaml"],
      policy: `imports:
  - { file: ./base.yaml, overrides: [{ rule: base/deletes, enabled: false }] }
rules: []
`,
      others: {
        "base.yaml": `version: 1
policy: base
rules:
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
`,
      },
    },
  ],
  good: [
    {
      title: "one of two rules is switched off",
      policy: `imports:
  - { file: ./base.yaml, overrides: [{ rule: base/deletes, enabled: false }] }
rules: []
`,
      others: {
        "base.yaml": `version: 1
policy: base
rules:
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
      },
    },
  ],
  policy({ draft }, { policies }) {
    return draft.imports.flatMap(({ span, overrides }) => {
      const off = new Set(overrides.filter(({ enabled }) => enabled === false).map(({ rule }) => rule));
      const [first] = off;
      const id = first?.slice(0, first.indexOf("/"));
      const imported = policies.find((policy) => policy.draft.id === id);
      if (!imported || imported.rules.some((rule) => !off.has(rule.draft.id) && rule.draft.enabled)) return [];
      const message = `every rule of \`${id}\` is switched off`;
      return [{ span, message, help: "switch a rule on, or take the import out" }];
    });
  },
};
