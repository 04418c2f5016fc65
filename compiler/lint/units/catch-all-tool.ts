import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a tool matcher lists names that a glob beside them already matches. */
export const catchAllTool: Lint = {
  code: "HW646",
  name: "catch-all-tool",
  why: 'A glob such as `"*"` beside names makes the rule one for every tool. Whoever reads the names believes that it is for those.',
  advice: "Take the glob out, or leave it alone.",
  bad: [
    {
      title: "every tool, and one of them",
      at: ["bash"],
      policy: `  - id: calls
    event: tool_call
    tool: [bash, "*"]
    action: ask
    reason: it is night
`,
      fixed: `  - id: calls
    event: tool_call
    tool: "*"
    action: ask
    reason: it is night
`,
    },
    {
      title: "a tool of a server whose tools are all named",
      at: ["mcp__files__read"],
      policy: `  - id: calls
    event: tool_call
    tool: ["mcp__files__*", mcp__files__read, mcp__mail__send]
    action: ask
    reason: the server is new
`,
    },
  ],
  good: [
    {
      title: "names and globs that do not meet, and every tool",
      policy: `  - id: calls
    event: tool_call
    tool: ["mcp__files__*", mcp__mail__send, "*_delete"]
    action: ask
    reason: the server is new
  - id: all
    event: tool_call
    tool: "*"
    when: { environment.user: ci }
    action: ask
    reason: it is night
`,
    },
  ],
  rule({ node, policy }) {
    const matcher = (entry(node, "tool") ?? entry(node, "matcher"))?.value;
    const named = matcher?.kind === "list" ? strings(matcher) : [];
    const globs = new Set(named.map(({ value }) => value).filter((value) => /^[^*?]*\*$/.test(value)));
    for (const { value, node: at } of named) {
      const glob = beginnings(value).find((start) => start !== value && globs.has(start));
      if (glob === undefined) continue;
      const fix = glob === "*" && matcher ? alone(matcher.span, policy) : undefined;
      return [
        {
          span: at.span,
          message: `\`${value}\` is one of the tools of \`${glob}\``,
          help: "take the glob out, or the names that it has already",
          ...(fix && { fix }),
        },
      ];
    }
    return [];
  },
};

/** Lists the globs with a single star, at the end, that match a name, widest first. */
function beginnings(name: string): readonly string[] {
  const length = name.length <= 256 ? name.replace(/[*?].*$/, "").length : 0;
  return Array.from({ length: length + 1 }, (_, i) => `${name.slice(0, i)}*`);
}

/** Makes the fix that leaves only the star; the rule then applies to the same calls. */
function alone(span: Fix["edits"][number]["span"], policy: LintedPolicy): Fix | undefined {
  if (!policy.textAt(span).startsWith("[")) return undefined;
  return { title: "name every tool alone", meaning: "stricter", edits: [{ span, text: '"*"' }] };
}
