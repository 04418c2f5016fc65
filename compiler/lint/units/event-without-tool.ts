import { environmentOf } from "../../../rules/environment.ts";
import { canonicalEvent, eventNames } from "../../../schema/events.ts";
import { toolMatcher } from "../../../schema/tool-matcher.ts";
import { canonicalTool } from "../../../schema/tools.ts";
import { child, entry, strings, type YamlMap, type YamlNode } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";

const hasTool: ReadonlySet<string> = new Set(
  eventNames.filter((event) => environmentOf([event], []).variables.has("tool")),
);

/** Events whose only tool has a fixed name. */
const onlyTool: Readonly<Record<string, string>> = { user_bash: "bash", user_python: "eval" };

/** Lint: a rule has a tool matcher for an event without a tool, or without any of these. */
export const eventWithoutTool: Lint = {
  code: "HW665",
  name: "event-without-tool",
  why: "A rule with a tool matcher is for events of tools. On any other event it never fires. A human types calls of `bash` (`user_bash`) or `eval` (`user_python`), never of another tool.",
  advice: "Take the event out, or write a rule of its own without `tool`.",
  bad: [
    {
      title: "what the user types is no tool",
      at: ["input"],
      policy: `  - id: secrets
    event: [tool_call, input]
    tool: fetch
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "what a human types is a call of `bash`",
      at: ["user_bash"],
      policy: `  - id: sources
    event: [tool_call, user_bash]
    tool: [write, edit]
    when: { environment.branch: { not_equals: main } }
    action: ask
    reason: sources change
`,
    },
    {
      title: "an earlier event of a sequence",
      at: ["input"],
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    sequence: { after: [{ event: input, tool: read }] }
    action: ask
    reason: something was read before
`,
    },
  ],
  good: [
    {
      title: "a sequence of calls",
      policy: `  - id: uploads
    event: tool_call
    each: { n: effects.network }
    sequence: { after: [{ tool: read }, { event: user_bash, tool: bash }] }
    action: ask
    reason: something was read before
`,
    },
    {
      title: "events with tools",
      policy: `  - id: commands
    event: [tool_call, user_bash]
    tool: bash
    action: ask
    reason: a command runs
`,
    },
  ],
  rule(rule) {
    const { node, draft } = rule;
    const before = child(node, "sequence");
    const items = child(before, "after");
    const earlier = items?.kind === "list" ? items.items : items?.kind === "map" ? [items] : [];
    return [...findingsIn(node, draft.tools, "rule"), ...earlier.flatMap((item) => itemFindings(item))];
  },
};

function itemFindings(item: YamlNode): readonly Finding[] {
  if (item.kind !== "map") return [];
  const named = strings((entry(item, "tool") ?? entry(item, "matcher"))?.value).map(({ value }) =>
    canonicalTool(value),
  );
  return findingsIn(item, named, "item of the sequence");
}

/** Finds events of a mapping with a tool matcher that have no tool. */
function findingsIn(node: YamlMap, tools: readonly string[], what: string): readonly Finding[] {
  const matcher = strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
  if (matcher.length === 0) return [];
  const takes = toolMatcher(tools);
  return strings(child(node, "event")).flatMap(({ value, node: { span } }) => {
    const event = canonicalEvent(value);
    const only = event && onlyTool[event];
    if (!event || (hasTool.has(event) && (only === undefined || takes(only)))) return [];
    const has = only === undefined ? "has no tool" : `is a call of \`${only}\``;
    const message = `\`${event}\` ${has}, so this ${what} never fires on it`;
    return [{ span, message, help: "take the event out, or write a rule without `tool` for it" }];
  });
}
