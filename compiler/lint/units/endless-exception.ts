import type { Lint } from "../lint.ts";

/** Lint: an exception has no end date. */
export const endlessException: Lint = {
  code: "HW625",
  name: "endless-exception",
  why: "An exception without an end outlives its cause, and nobody looks at it again.",
  advice: "Give it `expires`; the owner renews it when it is still needed.",
  bad: [
    {
      title: "no last day",
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
`,
    },
  ],
  good: [
    {
      title: "a last day",
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
    return exceptions.flatMap(({ draft: { expires, span } }) =>
      expires === undefined
        ? [{ span, message: "this exception never ends", help: "add `expires: YYYY-MM-DD`, its last day" }]
        : [],
    );
  },
};
