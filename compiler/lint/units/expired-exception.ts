import type { Lint } from "../lint.ts";

/** Lint: an exception has expired and waives nothing any more. */
export const expiredException: Lint = {
  code: "HW604",
  name: "expired-exception",
  why: "An exception ends with its last day, and the rule applies again. One that stays in the file looks as if it still held.",
  advice: "Renew it with its owner, or take it out.",
  bad: [
    {
      title: "a day that is over",
      at: ["rules"],
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
    expires: 2020-01-31
`,
    },
  ],
  good: [
    {
      title: "a day to come",
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
  policy({ exceptions }, { now }) {
    if (now === undefined) return [];
    return exceptions.flatMap(({ draft: { expires, span } }) =>
      expires === undefined || expires > now
        ? []
        : [
            {
              span,
              message: `this exception ended on ${new Date(expires - 1).toISOString().slice(0, 10)}`,
              help: "renew it with its owner, or take it out",
            },
          ],
    );
  },
};
