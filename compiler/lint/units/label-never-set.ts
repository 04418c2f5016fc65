import { suggest } from "../../../diagnostics/suggest.ts";
import { type AskedLabel, type LabelUses, labelUses } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";

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
    {
      title: "a label of paths that a rule asks of the session, and one of a rule that only reports",
      at: ["generated", "fetched"],
      policy: `labels: { generated: { kind: taint }, fetched: { kind: taint } }
rules:
  - id: generated
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { within: build } }
    action: { label: { add: [generated], on: path } }
  - id: fetched
    event: tool_result
    tool: fetch
    mode: monitor
    action: { label: { add: [fetched] } }
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: { any: [{ session.labels: { contains: generated } }, { session.labels: { contains: fetched } }] }
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
    const uses = labelUses(policies);
    return uses.asked.flatMap((asked) => {
      const fault = faultOf(asked, uses);
      return fault ? [{ policy: asked.policy, span: asked.span, ...fault }] : [];
    });
  },
};

function faultOf(
  { name, of }: AskedLabel,
  { set, watched, holders }: LabelUses,
): Pick<Finding, "message" | "help"> | undefined {
  if (!set.has(name))
    return watched.has(name)
      ? {
          message: `the rules that set the label \`${name}\` only report`,
          help: "take `mode: monitor` out of one: a rule that only reports sets no label",
        }
      : { message: `no rule here sets the label \`${name}\``, help: labelHelp(name, [...set]) };
  const given = holders.get(name);
  if (!given || given.has(of)) return undefined;
  return of === "session"
    ? {
        message: `the rules here put the label \`${name}\` on paths, and this asks for one of the session`,
        help: `test the path, \`paths.labels(r.path).contains("${name}")\`, or take \`on: path\` out of the rule`,
      }
    : {
        message: `the rules here put the label \`${name}\` on the session, and this asks for one of a path`,
        help: `test \`session.labels: { contains: ${name} }\`, or write \`on: path\` in the rule`,
      };
}

function labelHelp(name: string, set: readonly string[]): string {
  const near = suggest(name, set);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return "set it with `label` where its cause is seen, or import the policy that does";
}
