import type { Lint } from "../lint.ts";

/** Lint: an import lowers the severity of a rule, which stops calls as before. */
export const severityAlone: Lint = {
  code: "HW828",
  name: "severity-alone",
  why: "The severity is for people and reports, and decides nothing. A rule of a low one blocks like any other.",
  advice: "Write `mode: monitor` for a rule that only reports.",
  bad: [
    {
      title: "an override",
      at: ["git-safety/mirror-push"],
      policy: `version: 1
policy: example
imports:
  - pack: git-safety
    overrides: [{ rule: git-safety/mirror-push, severity: info }]
rules: []
`,
      others: {
        "git-safety.yaml": `version: 1
policy: git-safety
rules:
  - id: mirror-push
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.mirror: true }
    action: ask
    reason: all branches are overwritten
`,
      },
    },
  ],
  good: [
    {
      title: "a rule that reports",
      policy: `version: 1
policy: example
imports:
  - pack: git-safety
    overrides: [{ rule: git-safety/mirror-push, severity: info, mode: monitor }]
rules: []
`,
      others: {
        "git-safety.yaml": `version: 1
policy: git-safety
rules:
  - id: mirror-push
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.mirror: true }
    action: ask
    reason: all branches are overwritten
`,
      },
    },
  ],
  policy({ draft }) {
    return draft.imports.flatMap(({ overrides }) =>
      overrides.flatMap(({ span, severity, mode, enabled }) =>
        severity === "info" && mode === undefined && enabled === undefined
          ? [
              {
                span,
                message: "the rule stops calls as before: a severity decides nothing",
                help: "write `mode: monitor` for a rule that only reports",
              },
            ]
          : [],
      ),
    );
  },
};
