import type { Fix } from "../../../diagnostics/diagnostic.ts";
import type { YamlList, YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a list contains an entry twice. */
export const duplicateEntry: Lint = {
  code: "HW634",
  name: "duplicate-entry",
  why: "The second entry changes nothing, and whoever takes out the first one believes that it is gone.",
  advice: "Take one of them out.",
  bad: [
    {
      title: "a branch twice, in both styles of lists",
      at: ["main", "bash"],
      policy: `lists:
  protected: [main, release, main]
rules:
  - id: pushes
    event: tool_call
    tool:
      - bash
      - eval
      - bash
    each: { p: effects.pushes }
    when: { p.target.branch: { in: $protected } }
    action: ask
    reason: a protected branch
`,
      fixed: `lists:
  protected: [main, release]
rules:
  - id: pushes
    event: tool_call
    tool:
      - bash
      - eval
    each: { p: effects.pushes }
    when: { p.target.branch: { in: $protected } }
    action: ask
    reason: a protected branch
`,
    },
  ],
  good: [
    {
      title: "every entry once",
      policy: `lists:
  protected: [main, release]
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { in: $protected } }
    action: ask
    reason: a protected branch
    examples:
      match: [git push origin main, git push origin main]
`,
    },
  ],
  policy(policy) {
    return listsOf(policy.root).flatMap((list) => repeats(list, policy));
  },
};

/** Finds the lists in which repetition has no effect; examples and parameters of programs may repeat an entry. */
function listsOf(root: YamlNode): YamlList[] {
  const found: YamlList[] = [];
  const open: YamlNode[] = [root];
  for (const node of open) {
    if (node.kind === "list") {
      found.push(node);
      for (const item of node.items) open.push(item);
    } else if (node.kind === "map")
      for (const { key, value } of node.entries)
        if (!["examples", "command", "content", "set", "with"].includes(key)) open.push(value);
  }
  return found;
}

function repeats({ items }: YamlList, policy: LintedPolicy): Finding[] {
  const seen = new Set<string>();
  return items.flatMap((item, i): Finding[] => {
    if (item.kind !== "scalar" || item.value === null) return [];
    const key = JSON.stringify(item.value);
    const again = seen.has(key);
    seen.add(key);
    if (!again) return [];
    const fix = removal(items[i - 1], item, policy);
    const message = `\`${String(item.value)}\` stands in this list before`;
    return [{ span: item.span, message, help: "take one of them out", ...(fix && { fix }) }];
  });
}

/** Makes the fix that removes an entry and the separator before it, unless a comment lies between. */
function removal(before: YamlNode | undefined, item: YamlNode, policy: LintedPolicy): Fix | undefined {
  if (!before || before.span.end > item.span.start) return undefined;
  const span = { start: before.span.end, end: item.span.end };
  if (!/^\s*[,-]\s*$/.test(policy.textAt({ start: span.start, end: item.span.start }))) return undefined;
  return { title: "take the second one out", meaning: "same", edits: [{ span, text: "" }] };
}
