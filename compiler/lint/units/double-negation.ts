import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { child, type YamlEntry, type YamlMap, type YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a `not` directly contains a `not`. */
export const doubleNegation: Lint = {
  code: "HW656",
  name: "double-negation",
  why: "Two negations are none, and whoever reads them has to find that out. Most often one of them was meant to go.",
  advice: "Write the inner test, or leave one `not` if a negation was meant.",
  bad: [
    {
      title: "not not",
      at: ["not: { not:"],
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when: { not: { not: { environment.user: ci } } }
    action: ask
    reason: a command runs in the pipeline
`,
      fixed: `  - id: calls
    event: tool_call
    tool: bash
    when: { environment.user: ci }
    action: ask
    reason: a command runs in the pipeline
`,
    },
    {
      title: "over several lines",
      at: ["not:"],
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when:
      not:
        not: { environment.user: ci }
    action: ask
    reason: a command runs in the pipeline
`,
    },
  ],
  good: [
    {
      title: "a negation, and one around a negated part",
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when: { not: { environment.user: ci } }
    unless: { not: { environment.branch: main, not: { session.turn: { gt: 10 } } } }
    action: ask
    reason: a command runs
`,
    },
  ],
  ofItems: true,
  policy(policy) {
    const conditions = child(policy.root, "conditions");
    return conditions ? within(conditions, policy, false) : [];
  },
  rule({ node, policy }) {
    return ["when", "unless"].flatMap((key) => {
      const condition = child(node, key);
      return condition ? within(condition, policy, true) : [];
    });
  },
};

/** Lists the findings in a condition; with a fix only in rules (`mends`), where no other use of the condition changes. */
function within(condition: YamlNode, policy: LintedPolicy, mends: boolean): Finding[] {
  const found: Finding[] = [];
  const open: YamlNode[] = [condition];
  for (const node of open) {
    if (node.kind === "list") open.push(...node.items);
    if (node.kind !== "map") continue;
    const twice = node.entries.find(isTwice);
    for (const { value } of node.entries) open.push(value);
    if (!twice) continue;
    const fix = mends ? withoutBoth(node, twice, policy) : undefined;
    found.push({
      span: twice.keySpan,
      message: "two negations are none",
      help: "write the inner test, or leave one `not`",
      ...(fix && { fix }),
    });
  }
  return found;
}

function isTwice({ key, value }: YamlEntry): boolean {
  return key === "not" && value.kind === "map" && value.entries.length === 1 && value.entries[0]?.key === "not";
}

/** Makes the fix that writes the inner test, for a mapping in braces with no other entry. */
function withoutBoth(node: YamlMap, twice: YamlEntry, policy: LintedPolicy): Fix | undefined {
  const inner = child(twice.value, "not");
  const isFlow = policy.textAt(node.span).startsWith("{") && node.entries.length === 1;
  if (!isFlow || inner?.kind !== "map") return undefined;
  const edits = [{ span: node.span, text: policy.textAt(inner.span) }];
  return { title: "write the inner test", meaning: "stricter", edits };
}
