import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { child, type YamlEntry, type YamlMap, type YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: an `any` or `all` contains a single test. */
export const singleTerm: Lint = {
  code: "HW657",
  name: "single-term",
  why: "`any` and `all` join tests. Around a single one they say nothing, or the second one was forgotten.",
  advice: "Write the test itself, or add the one that is missing.",
  bad: [
    {
      title: "one of one",
      at: ["any"],
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when: { any: [{ environment.user: ci }] }
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
      at: ["all"],
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when:
      all:
        - environment.user: ci
    action: ask
    reason: a command runs in the pipeline
`,
    },
  ],
  good: [
    {
      title: "two tests",
      policy: `  - id: calls
    event: tool_call
    tool: bash
    when: { any: [{ environment.user: ci }, { environment.branch: main }] }
    action: ask
    reason: a command runs in the pipeline
`,
    },
  ],
  ofItems: true,
  policy(policy) {
    const conditions = child(policy.root, "conditions");
    return conditions ? within(conditions, policy) : [];
  },
  rule({ node, policy }) {
    return ["when", "unless"].flatMap((key) => {
      const condition = child(node, key);
      return condition ? within(condition, policy) : [];
    });
  },
};

function within(condition: YamlNode, policy: LintedPolicy): Finding[] {
  const found: Finding[] = [];
  const open: YamlNode[] = [condition];
  for (const node of open) {
    if (node.kind === "list") open.push(...node.items);
    if (node.kind !== "map") continue;
    for (const entry of node.entries) {
      open.push(entry.value);
      if (!isSingle(entry)) continue;
      const fix = itself(node, entry, policy);
      const message = `\`${entry.key}\` joins a single test`;
      found.push({ span: entry.keySpan, message, help: "write the test itself", ...(fix && { fix }) });
    }
  }
  return found;
}

function isSingle({ key, value }: YamlEntry): boolean {
  return (
    (key === "any" || key === "all") &&
    value.kind === "list" &&
    value.items.length === 1 &&
    !isOfSeveral(key, value.items[0])
  );
}

/** True for `any` with one entry of several tests, which another lint tells. */
function isOfSeveral(key: string, only: YamlNode | undefined): boolean {
  return key === "any" && only?.kind === "map" && only.entries.length > 1;
}

/** Makes the fix that writes the test alone, for a mapping in braces with no other entry. */
function itself(node: YamlMap, { value }: YamlEntry, policy: LintedPolicy): Fix | undefined {
  const only = value.kind === "list" ? value.items[0] : undefined;
  const isFlow = policy.textAt(node.span).startsWith("{") && node.entries.length === 1;
  if (!isFlow || only?.kind !== "map" || !policy.textAt(only.span).startsWith("{")) return undefined;
  return {
    title: "write the test itself",
    meaning: "same",
    edits: [{ span: node.span, text: policy.textAt(only.span) }],
  };
}
