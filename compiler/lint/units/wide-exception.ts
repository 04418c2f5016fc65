import type { Lint } from "../lint.ts";

/** Lint: an exception covers whole policies, or whole rules without a condition. */
export const wideException: Lint = {
  code: "HW626",
  name: "wide-exception",
  why: "An exception without a condition switches its rules off. With a glob it also switches off the rules that are added later.",
  advice:
    "Name the rules, and say with `when` for what; a rule that nobody wants is switched off with `enabled: false`.",
  bad: [
    {
      title: "a whole policy",
      at: ['"example/*"'],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
exceptions:
  - rules: ["example/*"]
    when: { environment.user: ci }
    owner: platform
    reason: nobody is there to be asked
    expires: 2090-01-31
`,
    },
    {
      title: "no condition",
      at: ["example/deletes"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
exceptions:
  - rules: [example/deletes]
    owner: platform
    reason: it is in the way
    expires: 2090-01-31
`,
    },
  ],
  good: [
    {
      title: "one rule, one case",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: ask
    reason: something is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { glob: "/tmp/**" } }
    owner: platform
    reason: scratch space
    expires: 2090-01-31
`,
    },
  ],
  policy({ exceptions }) {
    return exceptions.flatMap(({ draft: { rules, when } }) =>
      rules.flatMap(({ glob, span }) => {
        if (/^\*+$|\/\*+$/.test(glob))
          return [
            {
              span,
              message: `\`${glob}\` waives every rule, those of tomorrow too`,
              help: "name the rules that it is for",
            },
          ];
        if (when) return [];
        return [
          {
            span,
            message: `without \`when\` this switches \`${glob}\` off`,
            help: "say with `when` for what it is, or switch the rule off with `enabled: false`",
          },
        ];
      }),
    );
  },
};
