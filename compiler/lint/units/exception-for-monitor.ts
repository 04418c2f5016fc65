import type { Finding, Lint } from "../lint.ts";

/** Lint: an exception waives only rules that report. */
export const exceptionForMonitor: Lint = {
  code: "HW663",
  name: "exception-for-monitor",
  why: "A rule in monitor mode stops nothing, so there is nothing to except. The exception hides from the report what the rule would have stopped, which is what the trial is for, and it is in force on the day the rule is enforced.",
  advice: "Take the exception out until the rule is enforced.",
  bad: [
    {
      title: "an exception from a trial",
      at: ["example/deletes"],
      policy: `  - id: deletes
    mode: monitor
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: nothing is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { within: /tmp/build } }
    owner: platform
    reason: scratch space
    expires: 2030-01-01
`,
    },
  ],
  good: [
    {
      title: "an exception from a rule that is enforced",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    action: block
    reason: nothing is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { within: /tmp/build } }
    owner: platform
    reason: scratch space
    expires: 2030-01-01
`,
    },
  ],
  set({ policies }) {
    const modes = new Map<string, Set<string>>();
    for (const { draft, typed } of policies.flatMap(({ rules }) => rules)) {
      const known = modes.get(draft.id) ?? new Set();
      modes.set(draft.id, known.add(typed?.mode ?? "off"));
    }
    // A policy in monitor mode is on trial as a whole, with its exceptions.
    return policies
      .filter((policy) => policy.typed.resolved.mode === "enforce")
      .flatMap((policy) =>
        policy.exceptions.flatMap(({ draft }) =>
          draft.rules.flatMap(({ glob, span }): (Finding & { readonly policy: typeof policy })[] => {
            const found = modes.get(glob);
            if (found?.size !== 1 || !found.has("monitor")) return [];
            const message = `rule \`${glob}\` only reports, so the exception hides what it would have stopped`;
            return [{ policy, span, message, help: "take the exception out until the rule is enforced" }];
          }),
        ),
      );
  },
};
