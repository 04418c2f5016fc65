import { suggest } from "../../../diagnostics/suggest.ts";
import { labelUses } from "../label-uses.ts";
import type { Lint } from "../lint.ts";

/** Lint: a condition asks for a label that no rule of the set sets. */
export const labelNeverSet: Lint = {
  code: "HW637",
  name: "label-never-set",
  why: "A label that no rule sets is never there: the rule that waits for it never fires.",
  advice: "Set it with `label` where its cause is seen, or import the policy that does.",
  bad: [
    {
      title: "a taint that nothing sets",
      at: ["[secret]"],
      policy: `labels:
  secret: { kind: taint }
rules:
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { session.labels: { contains_all: [secret] } }
    action: block
    reason: the session has seen a secret
`,
    },
  ],
  good: [
    {
      title: "a taint that another rule sets",
      policy: `labels:
  secret: { kind: taint }
rules:
  - id: seen
    event: tool_result
    when: { some: { secrets: { confidence: high } } }
    action: { label: { add: [secret] } }
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { session.labels: { contains_all: [secret] } }
    action: block
    reason: the session has seen a secret
`,
    },
  ],
  set({ policies }) {
    const { set, watched, asked } = labelUses(policies);
    return asked
      .filter(({ name }) => !set.has(name))
      .map(({ name, policy, span }) => ({
        policy,
        span,
        message: watched.has(name)
          ? `the rules that set the label \`${name}\` only report`
          : `no rule here sets the label \`${name}\``,
        help: watched.has(name)
          ? "take `mode: monitor` out of one: a rule that only reports sets no label"
          : labelHelp(name, [...set]),
      }));
  },
};

function labelHelp(name: string, set: readonly string[]): string {
  const near = suggest(name, set);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return "set it with `label` where its cause is seen, or import the policy that does";
}
