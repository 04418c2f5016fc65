import type { Lint } from "../lint.ts";

/** The policy that the examples import. */
const imported = `version: 1
policy: git-safety
rules:
  - id: mirror-push
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.mirror: true }
    action: ask
    reason: all branches are overwritten
`;

/** Lint: an override changes nothing of what a rule does: it lowers the severity alone, or repeats the mode of the import. */
export const severityAlone: Lint = {
  code: "HW828",
  name: "severity-alone",
  why: "The severity is for people and reports, and decides nothing. A rule of a low one blocks like any other. The mode of an import is that of all its rules.",
  advice: "Write `mode: monitor` in the override of a rule that only reports, and no `mode` beside the import then.",
  bad: [
    {
      title: "an override, and one that repeats the mode of the import",
      at: ["git-safety/mirror-push", "trial/pushes"],
      policy: `version: 1
policy: example
imports:
  - pack: git-safety
    overrides: [{ rule: git-safety/mirror-push, severity: info }]
  - pack: trial
    mode: monitor
    overrides: [{ rule: trial/pushes, mode: monitor }]
rules: []
`,
      others: {
        "git-safety.yaml": imported,
        "trial.yaml": `version: 1
policy: trial
rules:
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.forced: true }
    action: ask
    reason: history changes
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
        "git-safety.yaml": imported,
      },
    },
  ],
  policy({ draft }) {
    return draft.imports.flatMap((one) =>
      one.overrides.flatMap(({ span, severity, mode, enabled }) =>
        mode !== undefined && mode === one.mode
          ? [
              {
                span,
                message: `all rules of the import have \`mode: ${mode}\` already`,
                help: "take one of the two out",
              },
            ]
          : severity === "info" && mode === undefined && enabled === undefined
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
