import { mapEntries } from "../../parse/context.ts";
import { child, type YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: nothing in a file refers to a list, parameter or named condition of it. */
export const unusedDefinition: Lint = {
  code: "HW605",
  name: "unused-definition",
  why: "What is defined and not used is either left over, or its user was forgotten: a list of hosts that no rule asks for allows and forbids nothing.",
  advice: "Refer to it as `$name`, or take it out.",
  bad: [
    {
      title: "one of each",
      at: ["branches", "hosts", "quiet"],
      policy: `parameters:
  branches: { type: list(string), default: [main] }
lists:
  hosts: [example.com]
conditions:
  quiet: { environment.interactive: false }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "all of them are used, in either spelling",
      policy: `parameters:
  branches: { type: list(string), default: [main] }
lists:
  hosts: [example.com]
conditions:
  quiet: { environment.interactive: false }
rules:
  - id: pushes
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { in: $branches } }
    unless: $quiet
    action: ask
    reason: it leaves the machine
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    when: '!n.url.host.hostIn(lists.hosts)'
    action: ask
    reason: the host is not known
`,
    },
  ],
  policy(policy) {
    const used = namesIn(policy);
    return (["parameters", "lists", "conditions"] as const).flatMap((kind) =>
      mapEntries(child(policy.root, kind))
        .filter(({ key, value }) => !used.has(`$${key}`) && !used.has(`${kind}.${key}`) && !hasAlias(value, policy))
        .map(({ key, keySpan }): Finding => {
          const help = `remove it, or refer to it as \`$${key}\``;
          return { span: keySpan, message: `${words[kind]} \`${key}\` is not used`, help };
        }),
    );
  },
};

const words = { parameters: "parameter", lists: "list", conditions: "condition" } as const;

/** True for a value with an anchor that an alias repeats elsewhere. */
function hasAlias({ span }: YamlNode, { source: { text } }: LintedPolicy): boolean {
  const anchor = /&([\w-]{1,60})\s*$/.exec(text.slice(Math.max(0, span.start - 100), span.start))?.[1];
  return anchor !== undefined && new RegExp(`\\*${anchor}(?![\\w-])`).test(text);
}

/** Collects possible references in the texts of a file. A mention in a reason counts too, so that a used name is never reported. */
function namesIn({ scalars }: LintedPolicy): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { node, path } of scalars) {
    // A test may have the name as its key: `conditions.quiet: true`.
    for (const key of path) if (key.includes(".")) found.add(key.replace(/^(\w+\.\w+).*$/s, "$1"));
    if (typeof node.value !== "string") continue;
    for (const [name] of node.value.matchAll(/\$[a-z][a-z0-9_]*|\b(?:parameters|lists|conditions)\.[a-z][a-z0-9_]*/g))
      found.add(name);
  }
  return found;
}
